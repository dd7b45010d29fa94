// What libFuzzer runs: bytes become rule tables, the tables become rules or are refused, and the
// rules are played: random moves, each made and taken back, and a small search. The tables come
// past every check of the rule language, so that the core is shown to need none.
//
// seeds.py writes the games of the catalog in the same format. Every number is one byte, a list
// its length and its elements; what lies beyond the end of the input reads as zero.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "evaluation.hpp"
#include "move_generation.hpp"
#include "notation.hpp"
#include "outcome.hpp"
#include "position.hpp"
#include "rules.hpp"
#include "search.hpp"

namespace tabia {
namespace {

class Reader {
  public:
    Reader(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

    std::uint8_t byte() { return at_ == end_ ? 0 : *at_++; }
    int number() { return byte(); }
    int offset() { return static_cast<std::int8_t>(byte()); }
    bool flag() { return byte() & 1; }
    template <class Read>
    void list(Read&& read) {
        for (unsigned n = byte(); n && at_ != end_; --n) read();
    }
    SquareSet squares() {
        SquareSet set;
        list([&] { set.add(byte()); });
        return set;
    }
    Type type() { return static_cast<Type>(byte() % kTypes); }
    TypeSet types() {
        TypeSet set = 0;
        list([&] { set |= TypeSet{1} << type(); });
        return set;
    }
    std::vector<Offset> offsets() {
        std::vector<Offset> found;
        list([&] {
            const int dx = offset() % kWidth, dy = offset() % kWidth;  // as bindings.cpp has them
            found.emplace_back(dx, dy);
        });
        return found;
    }
    std::string text() {
        std::string found;
        std::size_t length = std::size_t{byte()} << 8;
        for (length |= byte(); length && at_ != end_; --length) found += static_cast<char>(byte());
        return found;
    }

  private:
    const std::uint8_t *at_, *end_;
};

MovePrimitive primitive(Reader& in) {
    MovePrimitive m;
    m.dx = in.offset();
    m.dy = in.offset();
    m.range = in.offset();
    const unsigned landing = in.byte();
    m.landing = {(landing & 1) != 0, (landing & 2) != 0, (landing & 4) != 0, (landing & 8) != 0};
    m.leaves_en_passant = (landing & 16) != 0;
    m.via = in.offsets();
    const unsigned seldom = in.byte();
    if (seldom & 1) m.from = in.squares();
    if (seldom & 2) m.start = in.offset();
    m.unmoved = (seldom & 4) != 0;
    m.wrap = (seldom & 8) != 0;
    if (seldom & 16) m.hop = in.flag() ? Hop::Over : Hop::Behind;
    if (seldom & 32) {
        const int dx = in.offset() % kWidth, dy = in.offset() % kWidth;
        m.first = Offset{dx, dy};
    }
    if (seldom & 64) m.over = in.offsets();
    if (seldom & 128) {
        m.victims = in.types();
        m.not_over = in.types();
        m.not_onto = in.types();
    }
    if (landing & 32) {
        m.takes = in.offsets();
        m.takes_own = in.offsets();
    }
    return m;
}

PromotionRule promotion(Reader& in, const std::vector<Type>& types) {
    PromotionRule rule;
    rule.squares = in.squares();
    in.list([&] { rule.to.push_back(in.type()); });
    rule.limit.fill(-1);
    if (in.flag())
        for (const Type type : types) rule.limit[type] = in.offset();
    const unsigned flags = in.byte();
    rule.compulsory = flags & 1;
    rule.stays = flags & 2;
    return rule;
}

CastlingRule castling(Reader& in) {
    CastlingRule rule;
    rule.letter = in.flag() ? 'K' : 'Q';
    rule.king_from = in.byte();
    rule.rook_from = in.byte();
    rule.rook = in.type();
    in.list([&] {
        const Square king = in.byte(), rook = in.byte();
        rule.targets.push_back({king, rook});
    });
    rule.from_move = in.number();
    return rule;
}

SideTables side(Reader& in, const std::vector<Type>& types) {
    SideTables tables;
    for (const Type type : types) {
        in.list([&] { tables.moves[type].push_back(primitive(in)); });
        in.list([&] { tables.promotions[type].push_back(promotion(in, types)); });
    }
    in.list([&] { tables.castling.push_back(castling(in)); });
    tables.stalemate = static_cast<GameResult>(in.byte() % 3);
    tables.royal = in.types();
    tables.check = static_cast<CheckRule>(in.byte() % 3);
    return tables;
}

RuleTables tables(Reader& in) {
    RuleTables t;
    t.files = in.number();
    t.ranks = in.number();
    t.holes = in.squares();
    in.list([&] { t.types.push_back(in.type()); });
    in.list([&] {
        const Square square = in.byte(), moves_as = in.byte();
        t.citadels.push_back({square, moves_as});
    });
    t.repetition = in.number();
    t.repetition_result = static_cast<GameResult>(in.byte() % 3);
    t.n_move_plies = in.number();
    in.list([&] { t.n_move_reset_types.push_back(in.type()); });
    const unsigned flags = in.byte();
    t.n_move_reset_capture = flags & 1;
    t.n_move_reset_own_capture = flags & 2;
    t.dead_position = flags & 4;
    t.bare_ignores_citadels = flags & 8;
    t.bare_answer = flags & 16;
    t.bare = static_cast<Bare>(in.byte() % 3);
    t.start_fen = in.text();
    for (auto& own : t.sides) own = side(in, t.types);
    return t;
}

void require(bool holds) {
    if (!holds) std::abort();
}

Weights weights() {
    Weights w;
    w.supply = 32;
    for (auto& letter : w.letter)
        letter = {.mid = 100,
                  .end = 120,
                  .phase = 1,
                  .mobility = 5,
                  .mobility_mid = 20,
                  .mobility_end = 30,
                  .pair_mid = 10,
                  .advance_mid = {0, 10},
                  .advance_end = {0, 20}};
    return w;
}

// The two kinds that a search asks for one after the other are all moves, each once.
void require_kinds(Position& position, const std::vector<Move>& moves) {
    const std::size_t bound = position.rules().move_bound();
    const CheckInfo info = position.check_info();
    std::vector<Move> kinds(2 * bound), scratch(bound);
    Move* const noisy = generate(position, info, Wanted::Noisy, kinds.data());
    Move* const quiet = generate(position, info, Wanted::Quiet, noisy);
    const auto before = [](Move x, Move y) { return x.bits < y.bits; };
    std::sort(kinds.data(), quiet, before);
    std::vector<Move> all = moves;
    std::sort(all.begin(), all.end(), before);
    require(std::equal(kinds.data(), quiet, all.begin(), all.end()));
    for (const Move m : moves) require(is_legal(position, info, m, scratch.data()));
}

void play(Position& position, const Evaluator& evaluator, Reader& in) {
    constexpr int kPlies = 20, kSearchAt = 4;
    for (int ply = 0; ply < kPlies; ++ply) {
        const auto moves = legal_moves(position);
        require(moves.size() <= position.rules().move_bound());
        require_kinds(position, moves);
        if (outcome(position)) return;
        if (ply == kSearchAt) {
            Search search(evaluator, 1 << 8);
            Position own = position.replayed(evaluator.table());
            const Move best = search.run(own, {.nodes = 30}).best;
            require(std::find(moves.begin(), moves.end(), best) != moves.end());
            require(own.key() == position.key());
        }
        const Move move = moves[(in.byte() * 256u + in.byte()) % moves.size()];
        const Key key = position.key();
        const std::string fen = position.fen(), text = position.move_text(move);
        position.make(move);
        position.unmake();
        require(position.key() == key && position.fen() == fen);
        require(position.move_text(move_from_text(position, text)) == text);
        position.make(move);
    }
}

}  // namespace
}  // namespace tabia

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tabia;
    Reader in(data, size);
    try {
        const auto rules = std::make_shared<const Rules>(tables(in));
        Position position(rules, rules->tables().start_fen);
        if (position.attacked(position.king(opposite(position.turn())), position.turn())) return 0;
        play(position, Evaluator(*rules, weights()), in);
    } catch (const std::invalid_argument&) {  // refused in one line: FenError is one too
    }
    return 0;
}
