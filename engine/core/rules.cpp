#include "rules.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace tabia {

namespace {

constexpr Key mix(Key x) {  // splitmix64 (Vigna): one well-mixed word for each small integer
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

constexpr std::size_t kMostViaSquares = 4;
constexpr std::size_t kMostPrimitives = 255;
constexpr std::size_t kMostPromotionRules = 255;

[[noreturn]] void refuse(const std::string& what) {
    throw std::invalid_argument(what);
}

// The bytes of one origin square, in the layout of `shape`.
using Squares = std::vector<Square>;

void append(std::vector<std::uint8_t>& pool, const Squares& squares) {
    pool.push_back(static_cast<std::uint8_t>(squares.size()));
    pool.insert(pool.end(), squares.begin(), squares.end());
}

bool are_plain(const std::vector<MovePrimitive>& white, const std::vector<MovePrimitive>& black) {
    const auto plain = [](const MovePrimitive& m) {
        return m.range == 1 && m.quiet && m.capture && !m.from && m.via.empty();
    };
    const auto answered_by = [](const std::vector<MovePrimitive>& others) {
        return [&others](const MovePrimitive& m) {
            return std::any_of(others.begin(), others.end(), [&](const MovePrimitive& other) {
                return other.dx == -m.dx && other.dy == -m.dy;
            });
        };
    };
    return std::all_of(white.begin(), white.end(), plain) &&
           std::all_of(black.begin(), black.end(), plain) &&
           std::all_of(white.begin(), white.end(), answered_by(black)) &&
           std::all_of(black.begin(), black.end(), answered_by(white));
}

}  // namespace

Rules::Rules(RuleTables tables) : tables_(std::move(tables)) {
    check();
    for (int rank = 0; rank < tables_.ranks; ++rank)
        for (int file = 0; file < tables_.files; ++file)
            if (const Square s = square_at(file, rank); !tables_.holes.has(s)) board_.add(s);
    compile_moves();
    compile_attacks();
    compile_promotions();
    compile_keys();
    bound_moves();
    kings_are_plain_ =
        are_plain(tables_.sides[White].moves[royal()], tables_.sides[Black].moves[royal()]);
}

void Rules::check() const {
    const auto& t = tables_;
    if (t.files < 1 || t.files > kWidth || t.ranks < 1 || t.ranks > kWidth)
        refuse("board: 1 to 16 files and ranks");
    if (t.types.empty() || t.types.back() >= kTypes) refuse("types: 1 to 26 piece types");
    for (std::size_t i = 1; i < t.types.size(); ++i)
        if (t.types[i] <= t.types[i - 1]) refuse("types: ascending, each once");
    if (!has_type(t.royal)) refuse("royal: a piece type");
    if (t.repetition < 0 || t.n_move_plies < 0) refuse("repetition, n_move_plies: 0 or more");
    for (const auto type : t.n_move_reset_types)
        if (!has_type(type)) refuse("n_move_reset_types: piece types");
    for (const auto& side : t.sides) {
        for (const auto& m : side.moves[t.royal])
            if (m.leaves_en_passant) refuse("moves: nobody captures a king, in passing neither");
        for (const auto& primitives : side.moves) {
            if (primitives.size() > kMostPrimitives)
                refuse("moves: at most 255 primitives a piece");
            for (const auto& m : primitives) {
                if ((m.dx == 0 && m.dy == 0) || std::abs(m.dx) >= kWidth ||
                    std::abs(m.dy) >= kWidth)
                    refuse("moves: a step of 1 to 15 squares");
                if (m.range < 0 || m.range >= kWidth) refuse("moves: a range of 0 to 15");
                if (m.via.size() > kMostViaSquares) refuse("moves: at most 4 via squares");
                for (const auto& [vx, vy] : m.via)
                    if (std::abs(vx) >= kWidth || std::abs(vy) >= kWidth)
                        refuse("moves: a via square at most 15 squares away");
                if (!m.via.empty() && m.range != 1) refuse("moves: only a leap has via squares");
                if (m.en_passant && (m.range != 1 || !m.via.empty()))
                    refuse("moves: e.p. capture is one plain leap");
                if (m.leaves_en_passant && m.via.empty())
                    refuse("moves: e.p. needs squares passed over");
                if (!m.en_passant && !m.quiet && !m.capture)
                    refuse("moves: neither moves nor captures");
            }
        }
        for (const auto& rules : side.promotions) {
            if (rules.size() > kMostPromotionRules) refuse("promotions: at most 255 rules a piece");
            for (const auto& rule : rules)
                for (const auto type : rule.to)
                    if (!has_type(type) || type == t.royal)
                        refuse("promotions: to non-royal piece types");
        }
        if (side.castling.size() > 2) refuse("castling: at most two wings a side");
        for (const auto& c : side.castling)
            if (!has_type(c.rook) || c.rook == t.royal)
                refuse("castling: with a non-royal piece type");
    }
}

bool Rules::on_board(int file, int rank) const {
    return file >= 0 && file < tables_.files && rank >= 0 && rank < tables_.ranks &&
           board_.has(square_at(file, rank));
}

std::vector<Square> Rules::ray(Square from, int dx, int dy, int range) const {
    Squares squares;
    int file = file_of(from) + dx, rank = rank_of(from) + dy;
    for (int step = 0; (range == 0 || step < range) && on_board(file, rank);
         ++step, file += dx, rank += dy)
        squares.push_back(square_at(file, rank));
    return squares;
}

void Rules::compile_moves() {
    // Primitives that share shape, mode and origin squares become one group; equal groups of
    // different pieces share their tables, which keeps the working set in the first-level cache.
    // Groups and the directions in them are in an order of their own, not the rule set's.
    struct Spec {
        Shape shape;
        Mode mode;
        bool leaves_ep;
        std::vector<std::tuple<int, int, int, std::vector<std::pair<int, int>>>> steps;
        std::array<std::uint64_t, 4> from;
        auto operator<=>(const Spec&) const = default;
    };
    std::map<Spec, std::uint16_t> known;
    const auto index_of = [&](const Spec& spec) {
        const auto [entry, is_new] =
            known.try_emplace(spec, static_cast<std::uint16_t>(known.size()));
        if (!is_new) return entry->second;
        offsets_.resize(known.size() * kSquares, 0);
        const SquareSet from{spec.from};
        board_.for_each([&](Square s) {
            offsets_[std::size_t{entry->second} * kSquares + s] =
                static_cast<std::uint32_t>(pool_.size());
            if (!from.has(s)) {
                pool_.push_back(0);
                return;
            }
            const std::size_t head = pool_.size();
            pool_.push_back(0);
            for (const auto& [dx, dy, range, via] : spec.steps) {
                const Squares squares = ray(s, dx, dy, range);
                if (squares.empty()) continue;
                if (spec.shape == Shape::Slide) {
                    append(pool_, squares);
                } else if (spec.shape == Shape::Leap) {
                    pool_.push_back(squares.front());
                } else {
                    Squares between;
                    for (const auto& [vx, vy] : via)
                        if (on_board(file_of(s) + vx, rank_of(s) + vy))
                            between.push_back(square_at(file_of(s) + vx, rank_of(s) + vy));
                    if (between.size() != via.size()) continue;
                    pool_.push_back(squares.front());
                    append(pool_, between);
                }
                ++pool_[head];
            }
        });
        return entry->second;
    };

    for (const Colour side : {White, Black}) {
        for (const Type type : types()) {
            std::map<std::tuple<Shape, Mode, bool, std::array<std::uint64_t, 4>>, Spec> specs;
            bool advances = true;
            for (const auto& m : tables_.sides[side].moves[type]) {
                advances = advances && (side == White ? m.dy > 0 : m.dy < 0);
                const Mode mode = m.en_passant           ? Mode::EnPassant
                                  : m.quiet && m.capture ? Mode::Any
                                  : m.quiet              ? Mode::Quiet
                                                         : Mode::Capture;
                const Shape shape = !m.via.empty() ? Shape::Lame
                                    : m.range == 1 ? Shape::Leap
                                                   : Shape::Slide;
                const auto from = m.from ? m.from->word : board_.word;
                auto& spec = specs[{shape, mode, m.leaves_en_passant, from}];
                spec.shape = shape;
                spec.mode = mode;
                spec.leaves_ep = m.leaves_en_passant;
                spec.from = from;
                spec.steps.emplace_back(m.dx, m.dy, m.range, m.via);
            }
            const Piece piece = piece_of(side, type);
            only_advances_[piece] = advances;
            for (auto& [order, spec] : specs) {
                // In the mover's own directions, so that both sides' moves come in one order.
                const int forward = side == White ? 1 : -1;
                std::stable_sort(spec.steps.begin(), spec.steps.end(),
                                 [forward](const auto& x, const auto& y) {
                                     const auto own = [forward](const auto& step) {
                                         const auto& [dx, dy, range, via] = step;
                                         return std::tuple(dx, dy * forward, range, via.size());
                                     };
                                     return own(x) < own(y);
                                 });
                spec.steps.erase(std::unique(spec.steps.begin(), spec.steps.end()),
                                 spec.steps.end());
                groups_[piece].push_back({spec.shape, spec.mode, spec.leaves_ep, index_of(spec)});
            }
        }
    }
    for (const auto type : tables_.n_move_reset_types)
        for (const Colour side : {White, Black}) resets_clock_[piece_of(side, type)] = true;
}

void Rules::compile_attacks() {
    struct LameCapture {
        Square origin;
        Piece piece;
        Squares via;
    };
    std::uint32_t directions = 0;
    for (const Colour side : {White, Black}) {
        // Own direction -> piece -> steps; own directions for the same reason as above.
        std::map<std::pair<int, int>, std::map<Piece, int>> reach;
        const int forward = side == White ? 1 : -1;
        std::array<std::vector<LameCapture>, kSquares> lame;  // by the square they attack
        for (const Type type : types()) {
            for (const auto& m : tables_.sides[side].moves[type]) {
                if (!m.capture || m.en_passant) continue;
                const Piece piece = piece_of(side, type);
                if (!m.from && m.via.empty()) {
                    int& steps = reach[{m.dx, m.dy * forward}][piece];
                    steps = std::max(steps, m.range == 0 ? kWidth : m.range);
                    continue;
                }
                board_.for_each([&](Square origin) {
                    if (m.from && !m.from->has(origin)) return;
                    Squares via;
                    for (const auto& [vx, vy] : m.via) {
                        if (!on_board(file_of(origin) + vx, rank_of(origin) + vy)) return;
                        via.push_back(square_at(file_of(origin) + vx, rank_of(origin) + vy));
                    }
                    for (const Square to : ray(origin, m.dx, m.dy, m.range)) {
                        lame[to].push_back({origin, piece, via});
                        via.push_back(to);
                    }
                });
            }
        }
        struct Direction {
            int dx, dy, steps;
            std::uint8_t index;
        };
        std::vector<Direction> leaps, rays;
        for (const auto& [step, by_piece] : reach) {
            if (directions == 255) refuse("moves: at most 255 directions of capture");
            int most = 0;
            reach_.resize(std::size_t{directions + 1} * kPieces, 0);
            for (const auto& [piece, steps] : by_piece) {
                reach_[std::size_t{directions} * kPieces + piece] =
                    static_cast<std::uint8_t>(steps);
                most = std::max(most, steps);
            }
            (most == 1 ? leaps : rays)
                .push_back({step.first, step.second * forward, most,
                            static_cast<std::uint8_t>(directions)});
            ++directions;
        }
        board_.for_each([&](Square s) {
            attack_offsets_[side * kSquares + s] = static_cast<std::uint32_t>(pool_.size());
            std::size_t head = pool_.size();
            pool_.push_back(0);
            for (const auto& d : leaps)
                for (const Square origin : ray(s, -d.dx, -d.dy, 1)) {
                    pool_.push_back(origin);
                    pool_.push_back(d.index);
                    ++pool_[head];
                }
            head = pool_.size();
            pool_.push_back(0);
            for (const auto& d : rays) {
                const Squares squares = ray(s, -d.dx, -d.dy, d.steps);
                if (squares.empty()) continue;
                pool_.push_back(d.index);
                append(pool_, squares);
                ++pool_[head];
            }
            if (lame[s].size() > 255) refuse("moves: at most 255 lame captures of one square");
            pool_.push_back(static_cast<std::uint8_t>(lame[s].size()));
            for (const auto& l : lame[s]) {
                pool_.push_back(l.origin);
                pool_.push_back(l.piece);
                append(pool_, l.via);
            }
        });
    }
}

void Rules::compile_promotions() {
    for (const Colour side : {White, Black})
        for (const Type type : types()) {
            const auto& rules = tables_.sides[side].promotions[type];
            if (rules.empty()) continue;
            const Piece piece = piece_of(side, type);
            promotion_rules_[piece] = rules;
            for (auto& rule : promotion_rules_[piece]) std::sort(rule.to.begin(), rule.to.end());
            promotion_index_[piece].assign(kSquares, 0);
            for (std::size_t i = rules.size();
                 i-- > 0;)  // where two rules meet, the first one holds
                rules[i].squares.for_each([&](Square s) {
                    promotion_index_[piece][s] = static_cast<std::uint8_t>(i + 1);
                });
        }
}

void Rules::compile_keys() {
    keys_.resize(std::size_t{kPieces} * kSquares, 0);
    for (const Colour side : {White, Black})
        for (const Type type : types())
            for (unsigned s = 0; s < kSquares; ++s)
                keys_[std::size_t{piece_of(side, type)} * kSquares + s] =
                    mix((Key{type} * 2 + side) * kSquares + s);
}

Key Rules::side_key() {
    return mix(Key{1} << 32);
}
Key Rules::en_passant_key(Square s) {
    return mix((Key{2} << 32) + s);
}
Key Rules::castling_key(Colour c, Square rook) {
    return mix((Key{3} << 32) + c * Key{kSquares} + rook);
}

void Rules::bound_moves() {
    for (const Colour side : {White, Black}) {
        std::size_t total = 8;  // castling
        board_.for_each([&](Square s) {
            std::size_t most = 0;
            for (const Type type : types()) {
                const Piece piece = piece_of(side, type);
                std::size_t count = 0;
                std::size_t choices = 1;
                for (const auto& rule : promotion_rules_[piece])
                    choices = std::max(choices, rule.to.size() + 1);
                for (const auto& m : tables_.sides[side].moves[type])
                    count += (m.range == 1 ? 1 : ray(s, m.dx, m.dy, m.range).size()) * choices;
                most = std::max(most, count);
            }
            total += most;
        });
        move_bound_ = std::max(move_bound_, total);
    }
    constexpr std::size_t kMostMoves = 1 << 17;
    if (move_bound_ > kMostMoves) refuse("moves: a position could have more than 131072 moves");
}

bool Rules::reaches(const MovePrimitive& m, Square from, Square to) const {
    if (m.en_passant || (m.from && !m.from->has(from))) return false;
    const auto squares = ray(from, m.dx, m.dy, m.range);
    return std::find(squares.begin(), squares.end(), to) != squares.end();
}

bool Rules::has_plain_move(Piece p, Square from, Square to) const {
    const auto& moves = tables_.sides[colour_of(p)].moves[type_of(p)];
    return std::any_of(moves.begin(), moves.end(),
                       [&](const auto& m) { return reaches(m, from, to); });
}

bool Rules::has_quiet_move(Piece p, Square from, Square to) const {
    const auto& moves = tables_.sides[colour_of(p)].moves[type_of(p)];
    return std::any_of(moves.begin(), moves.end(),
                       [&](const auto& m) { return m.quiet && reaches(m, from, to); });
}

char Rules::letter(Piece p) const {
    const char upper = letter_of(type_of(p));
    return colour_of(p) == White ? upper : static_cast<char>(upper - 'A' + 'a');
}

Piece Rules::piece_from_letter(char letter) const {
    const bool black = letter >= 'a' && letter <= 'z';
    const int type = letter - (black ? 'a' : 'A');
    if (type < 0 || type >= kTypes || !has_type(static_cast<Type>(type))) return kEmpty;
    return piece_of(black ? Black : White, static_cast<Type>(type));
}

}  // namespace tabia
