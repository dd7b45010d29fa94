#include "activity.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "position.hpp"
#include "scores.hpp"

namespace tabia {

namespace {

// Centipawns, or parts of 64; fitted to the results of games under a dozen rule sets.
constexpr int kThreatMid = 44;
constexpr int kThreatEnd = 10;
constexpr int kThreatShareMid = 3;  // of the gain
constexpr int kThreatShareEnd = 3;
constexpr int kHangingMid = 24;
constexpr int kHangingEnd = 28;
constexpr int kHangingShare = 0;  // of the man's value
constexpr int kPressureBase = 5;
constexpr int kPressureShare = 10;  // of 1/16 of a man's value
constexpr int kMostPressure = 1000;
constexpr int kDangerMany = 34;
constexpr int kDangerOne = 16;
constexpr int kExposed = 9;      // for each square beside the king that only it guards
constexpr int kShelterMid = 11;  // for each own man beside the king
constexpr int kGuardMid = 2;     // for each man guarded
constexpr int kGuardEnd = 2;
constexpr int kIsolatedMid = 7;
constexpr int kIsolatedEnd = 12;
constexpr int kDoubledMid = 10;
constexpr int kDoubledEnd = 20;
constexpr int kPhalanxMid = 10;
constexpr int kPhalanxEnd = 4;
constexpr int kPassedMid = 105;  // of the worth of its advance
constexpr int kPassedEnd = 160;
constexpr int kPassedBaseEnd = 0;
constexpr int kBlockedShare = 24;
constexpr int kEscortEnd = 4;  // for each step that the other king is farther than its own
constexpr int kMostMobile = 30'000;
constexpr int kRoot = 64;  // of the fixed-point square roots below

// 64 times the square root, rounded down.
int root(int n) {
    int r = 0;
    while ((r + 1) * (r + 1) <= n * kRoot * kRoot) ++r;
    return r;
}

// Calls visit(to) for each square that the man could step to if all landings were allowed: the
// empty squares on its way and the first man met; `visit` says whether there is one.
template <class F>
inline void for_each_step(const MoveGroup& group, const std::uint8_t* p, const Piece* board,
                          Square from, F&& visit) {
    const auto ride = [&](const std::uint8_t* at) {
        const std::uint8_t* const end = at + 1 + *at;
        for (++at; at != end; ++at)
            if (visit(*at)) break;
        return end;
    };
    switch (group.shape) {
        case Shape::Leap:
            for (unsigned n = *p++; n; --n) visit(*p++);
            break;
        case Shape::Slide:
            for (unsigned rays = *p++; rays; --rays) p = ride(p);
            break;
        case Shape::Bent:
            for (unsigned rays = *p++; rays; --rays)
                p = board[*p] == kEmpty ? ride(p + 1) : p + 2 + p[1];
            break;
        case Shape::Lame:
            for (unsigned n = *p++; n; --n) {
                const Square to = *p++;
                bool free = false;
                for (unsigned alternatives = *p++; alternatives; --alternatives) {
                    bool holds = true;
                    for (unsigned k = *p++; k; --k) holds &= board[*p++] == kEmpty;
                    for (unsigned k = *p++; k; --k, ++p)
                        holds &=
                            board[*p] != kEmpty && !contains(group.not_over, type_of(board[*p]));
                    free = free || holds;
                }
                if (free) visit(to);
            }
            break;
        case Shape::Hop:
            for (unsigned rays = *p++; rays; --rays) {
                const std::uint8_t* const end = p + 1 + *p;
                ++p;
                while (p != end && board[*p] == kEmpty) ++p;
                if (p != end && !contains(group.not_over, type_of(board[*p])))
                    for (++p; p != end; ++p)
                        if (visit(*p) || group.hop == Hop::Behind) break;
                p = end;
            }
            break;
        case Shape::Through:  // where it may end; whom it captures on its way is not counted
            for (unsigned n = *p++; n; --n) {
                const Square to = *p;
                p += 2;
                bool holds = to != from;
                for (unsigned k = *p++; k; --k) holds &= board[*p++] == kEmpty;
                for (int men = 0; men < 3; ++men)
                    for (unsigned k = *p++; k; --k) holds &= board[*p++] != kEmpty;
                if (holds) visit(to);
            }
            break;
    }
}

// Where the side's king stands; of several royal men, the one nearest to its own edge.
Square king_of(const Position& position, Colour side) {
    if (position.rules().only_king(side)) return position.king(side);
    std::optional<Square> found;
    position.royal_men(side).for_each_from(side, [&found](Square s) { found = found.value_or(s); });
    return *found;
}

struct Threat {
    int by;
    Square on;
};

struct Pawn {
    Piece piece;
    int file, rank;  // from the side's own edge
};

}  // namespace

struct Activity::SideCount {
    Counts reach;  // what a man of this side counts
    std::array<std::uint8_t, kSquares> attacks{};
    std::array<Threat, 128> threats;
    std::array<Pawn, 64> pawns;
    // By file + 1: pawns, and the rank of the last in the side's own view.
    std::array<std::uint8_t, kWidth + 2> on_file{};
    std::array<std::int8_t, kWidth + 2> rearmost{};
    std::size_t threatened = 0, pawn_count = 0;
    int attackers = 0, pressure = 0, guarded = 0;
    int mid = 0, end = 0;
};

Activity::Activity(const Rules& rules, const Weights& weights)
    : men_(kPieces), around_king_(kSquares), supply_(weights.supply) {
    for (const Colour side : {White, Black})
        for (const Type type : rules.types()) {
            const Piece piece = piece_of(side, type);
            const auto& w = weights.letter[type];
            Man& man = men_[piece];
            man.pawn = rules.may_promote(piece);
            const bool kept =
                rules.is_royal(piece) && (rules.only_king(side) == piece ||
                                          rules.tables().sides[side].check == CheckRule::Every);
            man.value = kept ? kKingExchangeValue : (w.mid + w.end) / 2;
            if (kept) continue;
            if (w.pair_mid || w.pair_end) pairs_.push_back({piece, w.pair_mid, w.pair_end});
            man.pressure = kPressureBase * 16 + man.value * kPressureShare / 16;
            if (man.pawn)
                for (int rank = 0; rank < kWidth; ++rank) {
                    const auto at = [rank](const std::vector<int>& table) {
                        return table.empty()
                                   ? 0
                                   : table[std::min<std::size_t>(static_cast<std::size_t>(rank),
                                                                 table.size() - 1)];
                    };
                    man.passed_mid[rank] = at(w.advance_mid) * kPassedMid / 64;
                    man.passed_end[rank] = kPassedBaseEnd + at(w.advance_end) * kPassedEnd / 64;
                }
            for (int n = 0; n < kMostMobility; ++n) {
                const int more = root(n) - root(w.mobility);
                const auto worth = [more](int each) {
                    return static_cast<std::int16_t>(
                        std::clamp(each * more / kRoot, -kMostMobile, kMostMobile));
                };
                man.mid[n] = worth(w.mobility_mid);
                man.end[n] = worth(w.mobility_end);
            }
        }
    rules.board().for_each([&](Square king) {
        rules.board().for_each([&](Square s) {
            const int apart = std::max(std::abs(file_of(s) - file_of(king)),
                                       std::abs(rank_of(s) - rank_of(king)));
            const unsigned hits = apart <= 1 ? 2 : apart == 2 ? 1 : 0;
            around_king_[king][s] = static_cast<std::uint16_t>(1 + (hits << kHitShift));
        });
    });
}

void Activity::weigh_king(const Position& position, Colour us, SideCount& own,
                          const std::array<std::uint8_t, kSquares>& guarded) const {
    const Square king = king_of(position, opposite(us));
    const int rank = rank_of(king), file = file_of(king);
    int exposed = 0, shelter = 0;
    for (int r = std::max(rank - 1, 0); r <= std::min(rank + 1, kWidth - 1); ++r)
        for (int f = std::max(file - 1, 0); f <= std::min(file + 1, kWidth - 1); ++f) {
            const Square s = square_at(f, r);
            if (s == king) continue;
            const Piece man = position.at(s);
            shelter += man != kEmpty && colour_of(man) != us;
            exposed += own.attacks[s] && guarded[s] <= 1;
        }
    own.mid -= shelter * kShelterMid;
    const int pressure =
        std::clamp(own.pressure / 16 + exposed * exposed * kExposed, 0, kMostPressure);
    const int danger =
        pressure * pressure / 1024 * (own.attackers > 1 ? kDangerMany : kDangerOne) / 64;
    own.mid += std::min(danger, 500);
}

// How much of what such a man could become at best it may become now, in 64ths: promotion may be to
// captured men only.
int Activity::promise(const Position& position, Piece pawn) const {
    const Rules& rules = position.rules();
    int best = 0, now = 0;
    for (const PromotionRule& rule : rules.promotion_rules(pawn))
        for (const Type type : rule.to) {
            const Piece becomes = piece_of(colour_of(pawn), type);
            const int value = men_[becomes].value;
            best = std::max(best, value);
            if (rule.allows(type, position.count(becomes))) now = std::max(now, value);
        }
    const int worth = men_[pawn].value;
    return best <= worth ? 64 : 64 - supply_ + supply_ * std::max(now - worth, 0) / (best - worth);
}

void Activity::weigh_pawns(const Position& position, Colour us, SideCount& own,
                           const SideCount& other) const {
    const int ranks = position.rules().tables().ranks;
    for (std::size_t i = 0; i < own.pawn_count; ++i) {
        const Piece piece = own.pawns[i].piece;
        const int file = own.pawns[i].file, rank = own.pawns[i].rank;
        const auto at = static_cast<std::size_t>(file) + 1;
        if (!own.on_file[at - 1] && !own.on_file[at + 1]) {
            own.mid -= kIsolatedMid;
            own.end -= kIsolatedEnd;
        }
        if (own.rearmost[at] < rank) {
            own.mid -= kDoubledMid;
            own.end -= kDoubledEnd;
        }
        const auto board_rank = [&](int r) { return us == White ? r : ranks - 1 - r; };
        if (file > 0 && position.at(square_at(file - 1, board_rank(rank))) == piece) {
            own.mid += kPhalanxMid;
            own.end += kPhalanxEnd;
        }
        // Passed: no pawn of the other side ahead on its file or beside it.
        const auto clear = [&](std::size_t f) {
            return ranks - 1 - other.rearmost[f] <= rank || !other.on_file[f];
        };
        if (rank + 1 >= ranks || !clear(at - 1) || !clear(at) || !clear(at + 1)) continue;
        const Square stop = square_at(file, board_rank(rank + 1));
        const int share = (position.at(stop) == kEmpty ? 64 : kBlockedShare) *
                          (supply_ ? promise(position, piece) : 64) / 64;
        const Man& man = men_[piece];
        own.mid += man.passed_mid[static_cast<std::size_t>(rank)] * share / 64;
        own.end += man.passed_end[static_cast<std::size_t>(rank)] * share / 64;
        const auto apart = [&](Square king) {
            return std::min(
                std::max(std::abs(file_of(king) - file), std::abs(rank_of(king) - rank_of(stop))),
                6);
        };
        own.end +=
            kEscortEnd * (apart(king_of(position, opposite(us))) - apart(king_of(position, us)));
    }
}

void Activity::look(const Position& position, Colour us, Square from, SideCount& own,
                    SideCount& other) const {
    const Rules& rules = position.rules();
    const Piece* const board = position.board();
    const Man& man = men_[board[from]];
    std::uint8_t* const attacks = own.attacks.data();
    const std::uint16_t* const reach = own.reach.data();
    unsigned reached = 0, onto_men = 0;
    const auto meet = [&](Square to) {
        if (colour_of(board[to]) == us) {
            ++own.guarded;
            return;
        }
        ++onto_men;
        if (own.threatened < own.threats.size()) own.threats[own.threatened++] = {man.value, to};
    };
    for (const MoveGroup& group : rules.groups(board[from])) {
        if (group.unmoved && !position.unmoved().has(from)) continue;
        const std::uint8_t* const p = rules.destinations(group, from);
        if (man.pawn) {
            if (!group.landing.enemy) continue;
            for_each_step(group, p, board, from, [&](Square to) {
                ++attacks[to];
                other.reach[to] &= 0xff00;  // not free to go to
                if (board[to] == kEmpty) return false;
                meet(to);
                return true;
            });
        } else if (group.landing.enemy && group.landing.empty) {
            for_each_step(group, p, board, from, [&](Square to) {
                ++attacks[to];
                reached += reach[to];
                if (board[to] == kEmpty) return false;
                reached -= reach[to] & 0xff;
                meet(to);
                return true;
            });
        } else if (group.landing.enemy) {
            for_each_step(group, p, board, from, [&](Square to) {
                ++attacks[to];
                reached += reach[to] & 0xff00;
                if (board[to] == kEmpty) return false;
                meet(to);
                return true;
            });
        } else if (group.landing.empty) {
            for_each_step(group, p, board, from, [&](Square to) {
                if (board[to] != kEmpty) return true;
                reached += reach[to] & 0xff;
                return false;
            });
        }
    }
    if (!man.pressure) return;
    if (const unsigned hits = reached >> kHitShift; hits && !man.pawn) {
        ++own.attackers;
        own.pressure += static_cast<int>(hits) * man.pressure;
    }
    const unsigned mobility = std::min<unsigned>((reached & 0xff) + onto_men, kMostMobility - 1);
    own.mid += man.mid[mobility];
    own.end += man.end[mobility];
}

Activity::Worth Activity::worth(const Position& position) const {
    const Rules& rules = position.rules();
    const Piece* const board = position.board();
    std::array<SideCount, 2> count;
    for (const Colour us : {White, Black}) {
        count[us].rearmost.fill(kWidth);
        count[us].reach = around_king_[king_of(position, opposite(us))];
    }
    const int ranks = rules.tables().ranks;
    // Pawns first: where they attack, other men do not like to go.
    std::array<std::array<Square, kSquares>, 2> others;
    std::array<std::size_t, 2> other_count{};
    for (const Colour us : {White, Black})
        position.men(us).for_each_from(us, [&](Square from) {
            const Piece piece = board[from];
            if (!men_[piece].pawn) {
                others[us][other_count[us]++] = from;
                return;
            }
            SideCount& own = count[us];
            look(position, us, from, own, count[opposite(us)]);
            if (own.pawn_count == own.pawns.size()) return;
            const int rank = us == White ? rank_of(from) : ranks - 1 - rank_of(from);
            const auto file = static_cast<std::size_t>(file_of(from)) + 1;
            own.pawns[own.pawn_count++] = {piece, file_of(from), rank};
            ++own.on_file[file];
            own.rearmost[file] = std::min(own.rearmost[file], static_cast<std::int8_t>(rank));
        });
    for (const Colour us : {White, Black})
        for (std::size_t i = 0; i < other_count[us]; ++i)
            look(position, us, others[us][i], count[us], count[opposite(us)]);
    for (const Colour us : {White, Black}) {
        SideCount& own = count[us];
        const auto& guarded = count[opposite(us)].attacks;
        for (std::size_t i = 0; i < own.threatened; ++i) {
            const auto [by, on] = own.threats[i];
            const Piece target = board[on];
            if (men_[target].value == kKingExchangeValue) continue;
            const int value = men_[target].value;
            if (by + 60 < value) {
                const int gain = std::min(value - by, 800);
                own.mid += kThreatMid + gain * kThreatShareMid / 64;
                own.end += kThreatEnd + gain * kThreatShareEnd / 64;
            } else if (!guarded[on]) {
                own.mid += kHangingMid + value * kHangingShare / 64;
                own.end += kHangingEnd + value * kHangingShare / 64;
            }
        }
        own.mid += own.guarded * kGuardMid;
        own.end += own.guarded * kGuardEnd;
        weigh_king(position, us, own, guarded);
        weigh_pawns(position, us, own, count[opposite(us)]);
    }
    for (const Pair& pair : pairs_)
        if (position.count(pair.piece) >= 2) {
            count[colour_of(pair.piece)].mid += pair.mid;
            count[colour_of(pair.piece)].end += pair.end;
        }
    return {count[White].mid - count[Black].mid, count[White].end - count[Black].end};
}

}  // namespace tabia
