#include "game.hpp"

#include <algorithm>
#include <stdexcept>

#include "move_generation.hpp"
#include "notation.hpp"
#include "search.hpp"

namespace tabia {

namespace {

// Writes down what happens, move by move, before each is made.
class Recorder {
  public:
    Recorder(GameRecord& record, const Position& start)
        : record_(record), untouched_(start.men(White)) {
        start.men(Black).for_each([this](Square s) { untouched_.add(s); });
    }

    // A search chose the next move and thought it worth `score`, from the side to move.
    void chosen(Position& position, Score score) {
        const std::size_t moves = legal_moves(position).size();
        record_.offered += moves;
        record_.forced += moves == 1;
        record_.scores.push_back(position.turn() == White ? score : -score);
    }

    void before(Position& position, Move m) {
        const auto side = position.turn();
        record_.moves.push_back(position.move_text(m));
        record_.castlings[side] += m.kind() == MoveKind::Castling;
        record_.en_passant[side] += m.kind() == MoveKind::EnPassant;
        record_.own_captures[side] += captures_own(position, m);
        record_.citadel_exits[side] += position.rules().citadels().has(m.from());
        if (m.promotes()) {
            ++record_.promotions[side][m.promotion()];
            if (!record_.first_promotion)
                record_.first_promotion = static_cast<int>(record_.moves.size());
        } else if (declines_promotion(position, m)) {
            ++record_.declined[side];
        }
        follow(position, m);
    }

    void after_all(const Position& position) {
        for (const Colour side : {White, Black})
            position.men(side).for_each([&](Square s) {
                if (untouched_.has(s)) ++record_.survivors[side][type_of(position.at(s))];
            });
    }

  private:
    GameRecord& record_;
    SquareSet
        untouched_;  // where those men stand that were there from the start, as what they were

    void follow(const Position& position, Move m) {
        if (m.kind() == MoveKind::Castling) {
            const CastlingMove& c = position.castling_moves()[m.castling()];
            const bool king = leave(c.king_from), rook = leave(c.rook_from);
            enter(c.king_to, king);
            enter(c.rook_to, rook);
            return;
        }
        if (m.kind() == MoveKind::EnPassant) leave(position.en_passant_victim());
        const bool known = leave(m.from());
        enter(m.to(), known && !m.promotes());
    }
    bool leave(Square s) {
        const bool known = untouched_.has(s);
        untouched_.remove(s);
        return known;
    }
    void enter(Square s, bool known) {
        if (known)
            untouched_.add(s);
        else
            untouched_.remove(s);
    }

    static bool captures_own(const Position& position, Move m) {
        const Piece there = position.at(m.to());
        return m.kind() != MoveKind::Castling && there != kEmpty &&
               colour_of(there) == position.turn();
    }

    static bool declines_promotion(Position& position, Move m) {
        const Piece piece = position.at(m.from());
        if (!position.rules().may_promote(piece) || !position.rules().promotion(piece, m.to()))
            return false;
        const auto moves = legal_moves(position);
        return std::any_of(moves.begin(), moves.end(), [&](Move other) {
            return other.promotes() && other.from() == m.from() && other.to() == m.to();
        });
    }
};

// About what a search makes of its time, for the size of its table.
std::uint64_t nodes_in(double seconds) {
    return static_cast<std::uint64_t>(seconds * 1e6);
}

}  // namespace

GameRecord play_game(const GameSetup& setup) {
    GameRecord record;
    // The two players may weigh the pieces differently: each keeps its own copy of the position.
    std::array<std::unique_ptr<Position>, 2> boards;
    std::array<std::unique_ptr<Search>, 2> searches;
    for (const Colour side : {White, Black}) {
        boards[side] =
            std::make_unique<Position>(setup.rules, setup.fen, setup.evaluators[side]->table());
        const auto nodes = setup.nodes[side] ? setup.nodes[side] : nodes_in(setup.seconds[side]);
        searches[side] = std::make_unique<Search>(*setup.evaluators[side], hash_entries_for(nodes));
    }
    Position& position = *boards[White];
    Recorder recorder(record, position);
    const auto play = [&](Move m) {
        recorder.before(position, m);
        for (auto& board : boards) board->make(m);
    };

    for (const auto& text : setup.opening) {
        if (outcome(position))
            throw std::invalid_argument("opening: the game is over before " + text);
        play(move_from_text(position, text));
    }
    auto ended = outcome(position);
    if (ended) throw std::invalid_argument("opening: it ends the game");
    while (!ended) {
        if (position.ply() >= setup.max_plies) {
            ended = Outcome{0, Reason::PlyCap};
            break;
        }
        const Colour side = position.turn();
        if (setup.outside[side]) {
            const OutsideMove answer = setup.outside[side](record.moves);
            const Move m = move_from_text(position, answer.move);
            recorder.chosen(position, answer.score);
            play(m);
        } else {
            const SearchResult found = searches[side]->run(
                *boards[side], {.nodes = setup.nodes[side], .seconds = setup.seconds[side]});
            record.nodes += found.nodes;
            recorder.chosen(position, found.score);
            play(found.best);
        }
        ended = outcome(position);
    }
    record.outcome = *ended;
    recorder.after_all(position);
    return record;
}

}  // namespace tabia
