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

constexpr std::size_t kMostConditions = 16;
constexpr std::size_t kMostPassed = 4;  // as many as a position keeps
constexpr std::size_t kMostPrimitives = 255;
constexpr std::size_t kMostTakenSets = 256 - static_cast<std::size_t>(MoveKind::Through);
// Of a royal man that the search for dead positions deals with: it tries every placement of two.
constexpr std::size_t kMostRoyalSteps = 16;
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

Shape shape_of(const MovePrimitive& m) {
    if (m.goes_through()) return Shape::Through;
    if (m.first) return Shape::Bent;
    if (m.hop != Hop::None) return Shape::Hop;
    if (!m.via.empty() || !m.over.empty()) return Shape::Lame;
    return m.range == 1 && m.start == 1 ? Shape::Leap : Shape::Slide;
}

// A primitive that plain leaps and rides to the target, walked backwards, describe in full.
bool is_plain(const MovePrimitive& m) {
    const Shape shape = shape_of(m);
    return (shape == Shape::Leap || shape == Shape::Slide) && m.start == 1 && !m.from &&
           !m.unmoved && !m.wrap;
}

bool are_plain(const std::vector<MovePrimitive>& white, const std::vector<MovePrimitive>& black) {
    const auto plain = [](const MovePrimitive& m) {
        return is_plain(m) && m.range == 1 && m.landing.empty && m.landing.enemy && !m.not_onto;
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
    for (const auto& c : tables_.citadels) {
        board_.remove(c.square);
        citadels_.add(c.square);
    }
    compile_promotions();
    bound_moves();  // before anything grows with the number of moves
    read_array();
    find_kings();
    compile_moves();
    compile_attacks();
    compile_paths();
    find_repeats();
    compile_keys();
}

void Rules::check() const {
    const auto& t = tables_;
    if (t.files < 1 || t.files > kWidth || t.ranks < 1 || t.ranks > kWidth)
        refuse("board: 1 to 16 files and ranks");
    if (t.types.empty() || t.types.back() >= kTypes) refuse("types: 1 to 26 piece types");
    for (std::size_t i = 1; i < t.types.size(); ++i)
        if (t.types[i] <= t.types[i - 1]) refuse("types: ascending, each once");
    if (t.repetition < 0 || t.n_move_plies < 0) refuse("repetition, n_move_plies: 0 or more");
    for (const auto type : t.n_move_reset_types)
        if (!has_type(type)) refuse("n_move_reset_types: piece types");
    check_citadels();
    for (const Colour colour : {White, Black}) {
        const auto& side = t.sides[colour];
        check_royals(colour);
        for (const auto& primitives : side.moves) {
            if (primitives.size() > kMostPrimitives)
                refuse("moves: at most 255 primitives a piece");
            for (const auto& m : primitives) check(m);
        }
        for (const auto& rules : side.promotions) {
            if (rules.size() > kMostPromotionRules) refuse("promotions: at most 255 rules a piece");
            for (const auto& rule : rules)
                for (const auto type : rule.to)
                    if (!has_type(type)) refuse("promotions: to piece types");
        }
        check_castling(side);
    }
}

void Rules::check_royals(Colour colour) const {
    const auto& side = tables_.sides[colour];
    if (!side.royal) refuse("royal: one piece type of each side at least");
    for (Type type = 0; type < kTypes; ++type) {
        if (!contains(side.royal, type)) continue;
        if (!has_type(type)) refuse("royal: piece types");
        if (!side.promotions[type].empty()) refuse("promotions: of non-royal piece types");
        for (const auto& m : side.moves[type])
            if (m.leaves_en_passant) refuse("moves: nobody captures a king, in passing neither");
    }
    for (const Type type : types())
        for (const auto& m : tables_.sides[opposite(colour)].moves[type]) {
            if (m.captures() && (m.not_onto & side.royal) && (side.royal & ~m.not_onto))
                refuse("moves: capture all royal types of the enemy, or none");
            if (side.check != CheckRule::Every && m.takes.size() + m.landing.enemy > 1)
                refuse("moves: one man at a time, of a side that may lose royal men");
        }
}

void Rules::check_castling(const SideTables& side) const {
    if (side.castling.size() > 2) refuse("castling: at most two wings a side");
    SquareSet targets;
    for (const auto& c : side.castling) {
        if (!has_type(c.rook) || contains(side.royal, c.rook))
            refuse("castling: with a non-royal piece type");
        if (c.targets.empty() || c.targets.size() > kWidth)
            refuse("castling: 1 to 16 targets a wing");
        for (const auto& target : c.targets) {
            for (const Square s : {c.rook_from, target.king, target.rook})
                if (rank_of(s) != rank_of(c.king_from)) refuse("castling: along one rank");
            if (target.king == target.rook) refuse("castling: of two men to two squares");
            if (targets.has(target.king)) refuse("castling: the king's squares, each once");
            targets.add(target.king);
        }
    }
}

void Rules::check_citadels() const {
    const auto inside = [&](Square s) {
        return file_of(s) < tables_.files && rank_of(s) < tables_.ranks && !tables_.holes.has(s);
    };
    for (const auto& c : tables_.citadels) {
        const bool leads_out =
            std::none_of(tables_.citadels.begin(), tables_.citadels.end(),
                         [&](const Citadel& other) { return other.square == c.moves_as; });
        if (!inside(c.square) || !inside(c.moves_as) || !leads_out)
            refuse("citadels: squares of the board, left as if from a square that can be entered");
    }
}

void Rules::check(const MovePrimitive& m) const {
    if (std::abs(m.dx) >= kWidth || std::abs(m.dy) >= kWidth)
        refuse("moves: a step of 1 to 15 squares");
    if (m.goes_through()) check_through(m);
    if (m.range < 0 || m.range >= kWidth) refuse("moves: a range of 0 to 15");
    if (m.start < 1 || m.start >= kWidth || (m.range && m.start > m.range))
        refuse("moves: a start of 1 to 15, within the range");
    if (m.via.size() > kMostConditions || m.over.size() > kMostConditions)
        refuse("moves: at most 16 via squares");
    const bool conditions = !m.via.empty() || !m.over.empty();
    if (conditions && (m.range != 1 || m.first || m.hop != Hop::None || m.start != 1))
        refuse("moves: only a leap has squares that must be empty or occupied");
    if (m.first && (m.hop != Hop::None || m.start != 1))
        refuse("moves: a bent ride neither hops nor skips");
    if (m.hop != Hop::None && m.start != 1) refuse("moves: a hop does not skip");
    const auto& l = m.landing;
    if (l.en_passant && (m.range != 1 || conditions || m.first || m.hop != Hop::None))
        refuse("moves: e.p. capture is one plain leap");
    if (l.en_passant && (l.empty || l.enemy || l.own))
        refuse("moves: e.p. capture is nothing else");
    if (m.leaves_en_passant && (m.via.empty() || m.via.size() > kMostPassed))
        refuse("moves: e.p. needs 1 to 4 squares passed over");
    if (m.leaves_en_passant && (!l.empty || l.enemy || l.own))
        refuse("moves: e.p. is left open by a move without capture");
    if (m.not_over && m.hop == Hop::None && m.over.empty())
        refuse("moves: only hops and jumps have hurdles");
    if (!l.en_passant && !l.empty && !l.enemy && !l.own)
        refuse("moves: neither moves nor captures");
}

void Rules::check_through(const MovePrimitive& m) const {
    if (m.range != 1 || m.start != 1 || m.first || m.hop != Hop::None || m.wrap)
        refuse("moves: only a leap captures on the way, or comes back");
    if (m.leaves_en_passant || m.landing.en_passant)
        refuse("moves: a capture on the way neither is nor allows one en passant");
    if (m.dx == 0 && m.dy == 0 && (!m.landing.empty || m.landing.enemy || m.landing.own))
        refuse("moves: the square that a man left is empty");
    if (!tables_.citadels.empty())
        refuse("moves: none capture on the way, or come back, where there are citadels");
    std::vector<Offset> squares = {{0, 0}, {m.dx, m.dy}};
    if (m.dx == 0 && m.dy == 0) squares.pop_back();
    for (const auto& list : {m.takes, m.takes_own, m.via, m.over})
        squares.insert(squares.end(), list.begin(), list.end());
    std::sort(squares.begin(), squares.end());
    if (std::adjacent_find(squares.begin(), squares.end()) != squares.end())
        refuse("moves: the squares of a way, each once");
    if (m.takes.size() + m.takes_own.size() > kMostTaken)
        refuse("moves: at most 4 men are captured on the way");
}

bool Rules::on_board(int file, int rank) const {
    return file >= 0 && file < tables_.files && rank >= 0 && rank < tables_.ranks &&
           board_.has(square_at(file, rank));
}

Square Rules::origin_of(Square s) const {
    for (const auto& c : tables_.citadels)
        if (c.square == s) return c.moves_as;
    return s;
}

std::optional<Square> Rules::step(Square from, int dx, int dy, bool wrap) const {
    int file = file_of(from) + dx;
    const int rank = rank_of(from) + dy;
    if (wrap) file = (file % tables_.files + tables_.files) % tables_.files;
    if (file < 0 || file >= tables_.files || rank < 0 || rank >= tables_.ranks) return std::nullopt;
    const Square s = square_at(file, rank);
    return board_.has(s) ? std::optional(s) : std::nullopt;
}

Squares Rules::ray(Square from, int dx, int dy, int range, bool wrap) const {
    Squares squares;
    auto next = step(from, dx, dy, wrap);
    for (int n = 0; next && *next != from && (range == 0 || n < range) && n < kSquares; ++n) {
        squares.push_back(*next);
        next = step(*next, dx, dy, wrap);
    }
    return squares;
}

std::optional<Square> Rules::base_of(const MovePrimitive& m, Square origin) const {
    return m.first ? step(origin, m.first->first, m.first->second, m.wrap) : origin;
}

Squares Rules::way(const MovePrimitive& m, Square origin) const {
    const auto base = base_of(m, origin);
    if (!base || (m.first && *base == origin)) return {};
    Squares squares = ray(*base, m.dx, m.dy, m.range, m.wrap);
    // Bent round a cylinder, a ride may come back to where it began: there it ends.
    squares.erase(std::find(squares.begin(), squares.end(), origin), squares.end());
    return squares;
}

std::optional<Squares> Rules::squares_at(Square from, const std::vector<Offset>& offsets,
                                         bool wrap) const {
    Squares squares;
    for (const auto& [dx, dy] : offsets) {
        const auto s = step(from, dx, dy, wrap);
        if (!s) return std::nullopt;
        squares.push_back(*s);
    }
    return squares;
}

namespace {

// What primitives must share to be one group.
auto group_kind(const MovePrimitive& m) {
    return std::tuple(shape_of(m), m.landing, m.hop, m.leaves_en_passant, m.unmoved, m.victims,
                      m.not_over, m.not_onto, m.from ? std::optional(m.from->word) : std::nullopt);
}

// A primitive as one side sees it: equal for White's and Black's when they mirror each other.
struct OwnView {
    Offset first, step;
    int range, start;
    bool wrap;
    std::vector<Offset> via, over, takes, takes_own;

    auto operator<=>(const OwnView&) const = default;
};

OwnView own_view(const MovePrimitive& m, int forward) {
    const auto turned = [forward](const Offset& o) { return Offset{o.first, o.second * forward}; };
    OwnView view{turned(m.first.value_or(Offset{})),
                 turned({m.dx, m.dy}),
                 m.range,
                 m.start,
                 m.wrap,
                 {},
                 {},
                 {},
                 {}};
    for (const auto& o : m.via) view.via.push_back(turned(o));
    for (const auto& o : m.over) view.over.push_back(turned(o));
    for (const auto& o : m.takes) view.takes.push_back(turned(o));
    for (const auto& o : m.takes_own) view.takes_own.push_back(turned(o));
    return view;
}

struct GroupSpec {
    Shape shape;
    int forward;
    std::array<std::uint64_t, 4> from;
    std::vector<OwnView> steps;
    auto operator<=>(const GroupSpec&) const = default;
};

}  // namespace

void Rules::compile_moves() {
    // Primitives that share shape, landing and origin squares become one group; equal groups of
    // different pieces share their tables, which keeps the working set in the first-level cache.
    // Groups and the directions in them are in an order of their own, not the rule set's, and as
    // the mover sees them, so that both sides' moves come in one order.
    using Kind = decltype(group_kind(MovePrimitive{}));
    // With the side's direction: mirrored primitives of the two sides are equal as each sees them.
    std::map<GroupSpec, std::uint16_t> known;
    for (const Colour side : {White, Black}) {
        const int forward = side == White ? 1 : -1;
        for (const Type type : types()) {
            std::map<Kind, std::vector<MovePrimitive>> kinds;
            bool advances = true;
            for (const auto& m : tables_.sides[side].moves[type]) {
                const int rise = m.dy * forward + (m.first ? m.first->second * forward : 0);
                advances = advances && rise > 0 && m.dy * forward >= 0;
                uses_unmoved_by_[piece_of(side, type)] |= m.unmoved;
                uses_unmoved_ |= m.unmoved;
                kinds[group_kind(m)].push_back(m);
            }
            const Piece piece = piece_of(side, type);
            only_advances_[piece] = advances;
            for (auto& [kind, primitives] : kinds) {
                const auto& [shape, landing, hop, leaves_ep, unmoved, victims, not_over, not_onto,
                             from] = kind;
                const auto less = [forward](const auto& x, const auto& y) {
                    return own_view(x, forward) < own_view(y, forward);
                };
                const auto same = [forward](const auto& x, const auto& y) {
                    return own_view(x, forward) == own_view(y, forward);
                };
                std::sort(primitives.begin(), primitives.end(), less);
                primitives.erase(std::unique(primitives.begin(), primitives.end(), same),
                                 primitives.end());
                const auto squares = from.value_or(board_.word);
                GroupSpec spec{shape, forward, squares, {}};
                for (const auto& m : primitives) spec.steps.push_back(own_view(m, forward));
                const auto [entry, is_new] =
                    known.try_emplace(spec, static_cast<std::uint16_t>(known.size()));
                if (is_new) append_group(shape, SquareSet{squares}, primitives);
                groups_[piece].push_back({shape, landing, hop, leaves_ep, unmoved, victims,
                                          not_over, not_onto, entry->second});
            }
        }
    }
    for (const auto type : tables_.n_move_reset_types)
        for (const Colour side : {White, Black}) resets_clock_[piece_of(side, type)] = true;
}

void Rules::append_group(Shape shape, const SquareSet& from,
                         const std::vector<MovePrimitive>& primitives) {
    const std::size_t base = offsets_.size();
    offsets_.resize(base + kSquares, 0);
    std::vector<std::uint8_t> taken;
    if (shape == Shape::Through)
        for (const auto& m : primitives) taken.push_back(taken_set(m));
    const auto list_of = [&](Square s) {
        const Square origin = origin_of(s);
        std::vector<std::uint8_t> body;
        unsigned count = 0;
        const auto add_squares = [&body](const Squares& squares) { append(body, squares); };
        // For lame leaps: destination -> its alternatives.
        std::vector<std::pair<Square, std::vector<std::pair<Squares, Squares>>>> lame;
        if (from.has(s) || (citadels_.has(s) && from.has(origin)))
            for (const auto& m : primitives) {
                if (shape == Shape::Through) {
                    const auto number = static_cast<std::size_t>(&m - primitives.data());
                    if (const auto bytes = through_bytes(m, origin, taken[number])) {
                        body.insert(body.end(), bytes->begin(), bytes->end());
                        ++count;
                    }
                    continue;
                }
                Squares squares = way(m, origin);
                if (squares.size() < static_cast<std::size_t>(m.start)) continue;
                squares.erase(squares.begin(), squares.begin() + (m.start - 1));
                if (m.first) body.push_back(*base_of(m, origin));
                if (shape == Shape::Leap) {
                    body.push_back(squares.front());
                } else if (shape == Shape::Lame) {
                    const auto empty = squares_at(origin, m.via, m.wrap),
                               occupied = squares_at(origin, m.over, m.wrap);
                    if (!empty || !occupied) continue;
                    auto entry = std::find_if(lame.begin(), lame.end(), [&](const auto& e) {
                        return e.first == squares.front();
                    });
                    if (entry == lame.end()) entry = lame.insert(lame.end(), {squares.front(), {}});
                    entry->second.emplace_back(*empty, *occupied);
                    continue;
                } else {
                    add_squares(squares);
                }
                ++count;
            }
        for (const auto& [to, alternatives] : lame) {
            body.push_back(to);
            body.push_back(static_cast<std::uint8_t>(alternatives.size()));
            for (const auto& [empty, occupied] : alternatives) {
                add_squares(empty);
                add_squares(occupied);
            }
            ++count;
        }
        offsets_[base + s] = static_cast<std::uint32_t>(pool_.size());
        pool_.push_back(static_cast<std::uint8_t>(count));
        pool_.insert(pool_.end(), body.begin(), body.end());
    };
    board_.for_each(list_of);
    citadels_.for_each(list_of);
}

std::optional<std::vector<std::uint8_t>> Rules::through_bytes(const MovePrimitive& m, Square origin,
                                                              std::uint8_t taken) const {
    const auto to = step(origin, m.dx, m.dy, false);
    if (!to) return std::nullopt;
    std::vector<std::uint8_t> bytes = {*to, taken};
    for (const auto* offsets : {&m.via, &m.over, &m.takes, &m.takes_own}) {
        const auto squares = squares_at(origin, *offsets, false);
        if (!squares) return std::nullopt;
        append(bytes, *squares);
    }
    return bytes;
}

// The number of what it captures on the way. In the order in which a move's text names the squares:
// the nearest first, and then as a reader goes through a board.
std::uint8_t Rules::taken_set(const MovePrimitive& m) {
    std::vector<Offset> taken = m.takes;
    taken.insert(taken.end(), m.takes_own.begin(), m.takes_own.end());
    std::sort(taken.begin(), taken.end(), [](const Offset& x, const Offset& y) {
        const auto key = [](const Offset& o) {
            return std::tuple(std::max(std::abs(o.first), std::abs(o.second)), o.second, o.first);
        };
        return key(x) < key(y);
    });
    auto known = std::find(taken_.begin(), taken_.end(), taken);
    if (known == taken_.end()) {
        if (taken_.size() == kMostTakenSets)
            refuse("moves: at most " + std::to_string(kMostTakenSets) +
                   " different sets of squares captured on by the way");
        known = taken_.insert(known, taken);
    }
    return static_cast<std::uint8_t>(known - taken_.begin());
}

std::uint8_t Rules::capturable_set(const Capturable& who) {
    auto known = std::find(capturable_.begin(), capturable_.end(), who);
    if (known == capturable_.end()) {
        if (capturable_.size() == 256)
            refuse("moves: at most 256 different sets of men that can be captured on the way");
        known = capturable_.insert(known, who);
    }
    return static_cast<std::uint8_t>(known - capturable_.begin());
}

void Rules::compile_attacks() {
    std::uint32_t directions = 0;
    for (const Colour side : {White, Black}) {
        // Own direction -> piece -> steps: in the mover's order, as above.
        std::map<std::pair<int, int>, std::map<Piece, int>> reach;
        const int forward = side == White ? 1 : -1;
        for (const Type type : types())
            for (const auto& m : tables_.sides[side].moves[type]) {
                if (!threatens(m, side) || !is_plain(m)) continue;
                int& steps = reach[{m.dx, m.dy * forward}][piece_of(side, type)];
                steps = std::max(steps, m.range == 0 ? kWidth : m.range);
            }
        struct Direction {
            int dx, dy, steps;
            std::uint8_t index;
        };
        std::vector<Direction> leaps, rays;
        for (const auto& [own_step, by_piece] : reach) {
            if (directions == 255) refuse("moves: at most 255 directions of capture");
            int most = 0;
            reach_.resize(std::size_t{directions + 1} * kPieces, 0);
            for (const auto& [piece, steps] : by_piece) {
                reach_[std::size_t{directions} * kPieces + piece] =
                    static_cast<std::uint8_t>(steps);
                most = std::max(most, steps);
            }
            (most == 1 ? leaps : rays)
                .push_back({own_step.first, own_step.second * forward, most,
                            static_cast<std::uint8_t>(directions)});
            ++directions;
        }
        board_.for_each([&](Square s) {
            attack_offsets_[side * kSquares + s] = static_cast<std::uint32_t>(pool_.size());
            std::size_t head = pool_.size();
            pool_.push_back(0);
            for (const auto& d : leaps)
                if (const auto origin = step(s, -d.dx, -d.dy, false)) {
                    pool_.push_back(*origin);
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
        });
    }
}

std::uint8_t Rules::hurdle_set(TypeSet not_over) {
    auto known = std::find(not_over_.begin(), not_over_.end(), not_over);
    if (known == not_over_.end()) {
        if (not_over_.size() == PathFlags::kMostHurdleSets)
            refuse("moves: at most 64 different sets of types that cannot be hopped over");
        known = not_over_.insert(known, not_over);
    }
    return static_cast<std::uint8_t>((known - not_over_.begin()) << PathFlags::kHurdleShift);
}

void Rules::compile_paths() {
    struct Path {
        Squares empty, occupied, one_of;
        std::uint8_t flags;
        std::vector<std::uint8_t> through = {};  // what follows the flags of such a move
    };
    path_table_.fill(kNoTable);
    path_origins_.resize(std::size_t{2} * kSquares);
    not_over_ = {TypeSet{0}};
    std::uint8_t tables = 0;
    // A move through others captures on each square of its way, and perhaps where it ends.
    const auto add_through = [this](const MovePrimitive& m, Square origin,
                                    std::map<Square, std::vector<Path>>& by_target) {
        if (m.from && !m.from->has(origin)) return;
        const auto via = squares_at(origin, m.via, false), over = squares_at(origin, m.over, false),
                   takes = squares_at(origin, m.takes, false),
                   takes_own = squares_at(origin, m.takes_own, false);
        const auto to = step(origin, m.dx, m.dy, false);
        if (!via || !over || !takes || !takes_own || !to) return;
        const auto landing =
            static_cast<std::uint8_t>((m.landing.empty ? PathFlags::kEmptyThere : 0) |
                                      (m.landing.enemy ? PathFlags::kEnemyThere : 0) |
                                      (m.landing.own ? PathFlags::kOwnThere : 0));
        std::vector<std::pair<Square, std::uint8_t>> asked;
        for (const Square s : *takes) asked.emplace_back(s, PathFlags::kEnemyThere);
        for (const Square s : *takes_own) asked.emplace_back(s, PathFlags::kOwnThere);
        if (*to != origin) asked.emplace_back(*to, landing);
        const auto flags = static_cast<std::uint8_t>((m.unmoved ? PathFlags::kUnmoved : 0) |
                                                     PathFlags::kThrough | hurdle_set(m.not_over));
        const std::uint8_t who = capturable_set({m.victims, m.not_onto});
        for (const auto& [target, holds] : asked) {
            if (!(holds & PathFlags::kEnemyThere)) continue;
            Path path{*via, *over, {}, flags, {who, static_cast<std::uint8_t>(asked.size() - 1)}};
            for (const auto& [s, there] : asked)
                if (s != target) path.through.insert(path.through.end(), {s, there});
            by_target[target].push_back(std::move(path));
        }
    };
    for (const Colour side : {White, Black})
        for (const Type type : types()) {
            const Piece piece = piece_of(side, type);
            const auto& moves = tables_.sides[side].moves[type];
            takes_paths_[piece] = std::any_of(moves.begin(), moves.end(), [&](const auto& m) {
                return threatens(m, side) && !is_plain(m);
            });
            // Those who only pass over other men are tested like the others.
            has_path_men_ = has_path_men_ || has_through_moves();
            if (!takes_paths_[piece] && citadels_.empty()) continue;
            has_path_men_ = true;
            path_table_[piece] = tables++;
            path_offsets_.resize(std::size_t{tables} * kSquares * kSquares, 0);
            const auto from_square = [&](Square s) {
                const Square origin = origin_of(s);
                std::map<Square, std::vector<Path>> by_target;
                for (const auto& m : moves) {
                    if (!threatens(m, side)) continue;
                    if (m.goes_through()) {
                        add_through(m, origin, by_target);
                        continue;
                    }
                    if (!m.landing.enemy) continue;
                    if (is_plain(m) && !citadels_.has(s)) continue;
                    if (m.from && !m.from->has(origin)) continue;
                    const Squares ahead = way(m, origin);
                    if (ahead.empty()) continue;
                    Squares empty;
                    if (m.first) empty.push_back(*base_of(m, origin));
                    const auto via = squares_at(origin, m.via, m.wrap),
                               over = squares_at(origin, m.over, m.wrap);
                    if (!via || !over) continue;
                    empty.insert(empty.end(), via->begin(), via->end());
                    Squares passed;
                    int n = 0;
                    const auto flags = static_cast<std::uint8_t>(
                        (m.unmoved ? PathFlags::kUnmoved : 0) | hurdle_set(m.not_over));
                    for (const Square to : ahead) {
                        if (++n < m.start) continue;
                        Path path{empty, *over, {}, flags};
                        if (m.hop == Hop::Over) {
                            path.one_of = passed;
                        } else if (m.hop == Hop::Behind) {
                            if (!passed.empty()) {
                                path.occupied.push_back(passed.back());
                                path.empty.insert(path.empty.end(), passed.begin(),
                                                  passed.end() - 1);
                            }
                        } else {
                            path.empty.insert(path.empty.end(), passed.begin(), passed.end());
                        }
                        if (m.hop == Hop::None || !passed.empty()) by_target[to].push_back(path);
                        passed.push_back(to);
                    }
                }
                for (const auto& [to, paths] : by_target) {
                    path_offsets_[(std::size_t{path_table_[piece]} * kSquares + to) * kSquares +
                                  s] = static_cast<std::uint32_t>(pool_.size());
                    path_origins_[side * std::size_t{kSquares} + to].add(s);
                    // One at most for each primitive, and of those there are no more than 255.
                    pool_.push_back(static_cast<std::uint8_t>(paths.size()));
                    for (const auto& path : paths) {
                        append(pool_, path.empty);
                        append(pool_, path.occupied);
                        append(pool_, path.one_of);
                        pool_.push_back(path.flags);
                        pool_.insert(pool_.end(), path.through.begin(), path.through.end());
                    }
                }
            };
            board_.for_each(from_square);
            citadels_.for_each(from_square);
        }
}

void Rules::find_repeats() {
    // Does any square see two steps of one piece to one destination with a landing in common?
    struct Seen {
        const MovePrimitive* move;
        int before;  // the one seen before it to the same destination; -1 = none
    };
    std::vector<Seen> seen;
    std::array<int, kSquares> last;  // by destination
    for (const Colour side : {White, Black})
        for (const Type type : types()) {
            const auto& moves = tables_.sides[side].moves[type];
            // Of moves through others the generator lists all, the merging drops some.
            bool repeats = std::any_of(moves.begin(), moves.end(),
                                       [](const auto& m) { return m.goes_through(); });
            const auto overlap = [](const MovePrimitive& x, const MovePrimitive& y) {
                const bool one_group = shape_of(x) == Shape::Lame && group_kind(x) == group_kind(y);
                return !one_group &&
                       ((x.landing.empty && y.landing.empty) ||
                        (x.landing.enemy && y.landing.enemy) || (x.landing.own && y.landing.own) ||
                        (x.landing.en_passant && y.landing.en_passant));
            };
            // Such two ways would be two moves with one name.
            const auto differ_in_passing = [&](Square s, const auto& x, const auto& y) {
                return x.landing.empty && y.landing.empty &&
                       (x.leaves_en_passant || y.leaves_en_passant) &&
                       (x.leaves_en_passant != y.leaves_en_passant ||
                        squares_at(s, x.via, x.wrap) != squares_at(s, y.via, y.wrap));
            };
            board_.for_each([&](Square s) {
                seen.clear();
                last.fill(-1);
                for (const auto& m : moves) {
                    if (m.goes_through() || (m.from && !m.from->has(s))) continue;
                    int n = 0;
                    for (const Square to : way(m, s)) {
                        if (++n < m.start) continue;
                        for (int i = last[to]; i >= 0;
                             i = seen[static_cast<std::size_t>(i)].before) {
                            const auto& other = *seen[static_cast<std::size_t>(i)].move;
                            repeats = repeats || overlap(other, m);
                            if (differ_in_passing(s, other, m))
                                refuse(
                                    "moves: two ways to one empty square leave the same squares "
                                    "open to e.p., or none");
                        }
                        seen.push_back({&m, last[to]});
                        last[to] = static_cast<int>(seen.size()) - 1;
                    }
                }
            });
            may_repeat_[piece_of(side, type)] = repeats;
        }
}

void Rules::read_array() {
    int file = 0, rank = tables_.ranks - 1, blank = 0;
    for (const char c : tables_.start_fen) {
        if (c == ' ') break;
        if (c >= '0' && c <= '9') {
            blank = std::min(blank * 10 + (c - '0'), kSquares);
            continue;
        }
        file += blank;
        blank = 0;
        if (c == '/') {
            file = 0;
            --rank;
        } else if (file < kWidth && rank >= 0) {
            array_[square_at(file++, rank)] = piece_from_letter(c);
        }
    }
}

void Rules::find_kings() {
    for (const Colour side : {White, Black}) {
        const TypeSet royal = royal_types(side);
        std::size_t men = 0;
        bool may_get_more = false;
        for (const Type type : types()) {
            const Piece piece = piece_of(side, type);
            is_royal_[piece] = contains(royal, type);
            if (is_royal_[piece])
                men += static_cast<std::size_t>(std::count(array_.begin(), array_.end(), piece));
            for (const auto& rule : promotion_rules_[piece])
                for (const Type to : rule.to) may_get_more |= contains(royal, to);
        }
        if (men == 1 && !may_get_more && std::has_single_bit(royal))
            only_kings_[side] = piece_of(side, royal_type(side));
    }
    const auto steps = [&](Colour side) -> const auto& {
        return tables_.sides[side].moves[royal_type(side)];
    };
    kings_are_plain_ =
        std::has_single_bit(royal_types(White)) && std::has_single_bit(royal_types(Black)) &&
        steps(White).size() <= kMostRoyalSteps && steps(Black).size() <= kMostRoyalSteps &&
        are_plain(steps(White), steps(Black));
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
            const auto look_from = [&](Square s) {
                for (const auto& m : tables_.sides[side].moves[type]) {
                    if (m.dx == 0 && m.dy == 0 && promotion_index_[piece][s])
                        promotes_from_[piece].add(s);  // comes back to where it stands
                    for (const Square to : way(m, origin_of(s)))
                        if (promotion_index_[piece][to]) promotes_from_[piece].add(s);
                }
            };
            board_.for_each(look_from);
            citadels_.for_each(look_from);
        }
}

bool Rules::must_have_promoted(Piece p, Square s) const {
    const auto* zone = may_promote(p) ? promotion(p, s) : nullptr;
    if (!zone || !zone->compulsory || zone->stays) return false;
    const Colour side = colour_of(p);
    return std::none_of(types().begin(), types().end(), [&](Type other) {
        const Piece from = piece_of(side, other);
        const auto* rule = may_promote(from) ? promotion(from, s) : nullptr;
        return rule && std::find(rule->to.begin(), rule->to.end(), type_of(p)) != rule->to.end();
    });
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
Key Rules::unmoved_key(Square s) {
    return mix((Key{4} << 32) + s);
}
Key Rules::castling_key(Colour c, Square rook) {
    return mix((Key{3} << 32) + c * Key{kSquares} + rook);
}

void Rules::bound_moves() {
    for (const Colour side : {White, Black}) {
        std::size_t total = 2 * kWidth;  // castling
        const auto add_most = [&](Square s) {
            std::size_t most = 0;
            for (const Type type : types()) {
                const Piece piece = piece_of(side, type);
                std::size_t count = 0;
                std::size_t choices = 1;
                for (const auto& rule : promotion_rules_[piece])
                    choices = std::max(choices, rule.to.size() + 1);
                for (const auto& m : tables_.sides[side].moves[type])
                    count += (m.range == 1 ? 1 : way(m, origin_of(s)).size()) * choices;
                most = std::max(most, count);
            }
            total += most;
        };
        board_.for_each(add_most);
        citadels_.for_each(add_most);
        move_bound_ = std::max(move_bound_, total);
    }
    constexpr std::size_t kMostMoves = 1 << 17;
    if (move_bound_ > kMostMoves) refuse("moves: a position could have more than 131072 moves");
}

bool Rules::reaches(const MovePrimitive& m, Square from, Square to) const {
    const Square origin = origin_of(from);
    if (m.landing.en_passant || (m.from && !m.from->has(origin))) return false;
    if (!m.takes.empty() || !m.takes_own.empty()) return false;  // its text says more
    if (!squares_at(origin, m.via, m.wrap) || !squares_at(origin, m.over, m.wrap)) return false;
    if (m.goes_through()) return to == from;
    const auto squares = way(m, origin);
    const auto skipped = std::min<std::size_t>(
        squares.size(), m.hop == Hop::None ? static_cast<std::size_t>(m.start) - 1 : 1);
    return std::find(squares.begin() + static_cast<std::ptrdiff_t>(skipped), squares.end(), to) !=
           squares.end();
}

bool Rules::steps_plainly(Type t) const {
    return std::all_of(tables_.sides.begin(), tables_.sides.end(), [t](const SideTables& side) {
        return std::all_of(side.moves[t].begin(), side.moves[t].end(), [](const MovePrimitive& m) {
            return !m.first && m.hop == Hop::None && m.start == 1 && m.over.empty() && !m.wrap &&
                   !m.unmoved && !m.not_onto && !m.goes_through();
        });
    });
}

bool Rules::has_plain_move(Piece p, Square from, Square to) const {
    const auto& moves = tables_.sides[colour_of(p)].moves[type_of(p)];
    return std::any_of(moves.begin(), moves.end(),
                       [&](const auto& m) { return reaches(m, from, to); });
}

bool Rules::has_quiet_move(Piece p, Square from, Square to) const {
    const auto& moves = tables_.sides[colour_of(p)].moves[type_of(p)];
    return std::any_of(moves.begin(), moves.end(),
                       [&](const auto& m) { return m.landing.empty && reaches(m, from, to); });
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
