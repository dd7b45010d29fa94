#include "outcome.hpp"

#include <algorithm>

#include "move_generation.hpp"

namespace tabia {

const char* reason_text(Reason reason) {
    switch (reason) {
        case Reason::Checkmate:
            return "checkmate";
        case Reason::Stalemate:
            return "stalemate";
        case Reason::DeadPosition:
            return "dead position";
        case Reason::NMoveRule:
            return "n-move rule";
        case Reason::Repetition:
            return "repetition";
        case Reason::BareKing:
            return "bare king";
        case Reason::PlyCap:
            return "ply cap";
    }
    return "";
}

GameResult repetition_for_mover(const RuleTables& tables) {
    // The rule names what the side gets that made the repeating move: that was the other one.
    switch (tables.repetition_result) {
        case GameResult::Win:
            return GameResult::Loss;
        case GameResult::Loss:
            return GameResult::Win;
        case GameResult::Draw:
            break;
    }
    return GameResult::Draw;
}

std::optional<Outcome> bare_outcome(Position& position) {
    const auto& tables = position.rules().tables();
    if (tables.bare == Bare::None) return std::nullopt;
    const Colour us = position.turn(), them = opposite(us);
    const bool we = position.is_bare(us), they = position.is_bare(them);
    if (!we && !they) return std::nullopt;
    if (tables.bare == Bare::Draw || (we && they)) return Outcome{0, Reason::BareKing};
    const int last = position.fighting_men(them);
    const int most = position.rules().has_through_moves() ? static_cast<int>(kMostTaken) + 1 : 1;
    if (we && tables.bare_answer && last <= most) {
        // The last enemy men may fall to the answer; spare kings do not count.
        for (const Move m : legal_moves(position)) {
            int taken = 0;
            position.for_each_victim(m, [&](Square s) {
                const Piece man = position.at(s);
                taken += colour_of(man) == them && !position.rules().is_royal(man);
            });
            if (taken == last) return std::nullopt;
        }
    }
    const Colour loser = we ? us : them;
    return Outcome{loser == White ? -1 : 1, Reason::BareKing};
}

std::optional<Outcome> outcome(Position& position) {
    const auto& tables = position.rules().tables();
    const int mover = position.turn() == White ? 1 : -1;
    const bool stuck = !has_legal_move(position);
    if (stuck && position.in_check()) return Outcome{-mover, Reason::Checkmate};
    // Taking the last man ends the game, whether or not it leaves the king a move.
    if (const auto ended = bare_outcome(position)) return ended;
    if (stuck) {
        switch (tables.sides[position.turn()].stalemate) {
            case GameResult::Loss:
                return Outcome{-mover, Reason::Stalemate};
            case GameResult::Draw:
                return Outcome{0, Reason::Stalemate};
            case GameResult::Win:
                return Outcome{mover, Reason::Stalemate};
        }
    }
    if (is_dead(position)) return Outcome{0, Reason::DeadPosition};
    if (tables.n_move_plies && position.clock() >= tables.n_move_plies)
        return Outcome{0, Reason::NMoveRule};
    if (tables.repetition && position.occurrences(tables.repetition) >= tables.repetition)
        return Outcome{repetition_for_mover(tables) == GameResult::Draw  ? 0
                       : repetition_for_mover(tables) == GameResult::Win ? mover
                                                                         : -mover,
                       Reason::Repetition};
    return std::nullopt;
}

namespace {

using Board = std::array<Piece, kSquares>;

// Calls visit(to) for every move of the man on `from`, own king safe or not, until it returns true.
template <class Visit>
bool any_destination(const Rules& rules, const Board& board, Square from, Visit&& visit) {
    const Piece piece = board[from];
    for (const auto& m : rules.tables().sides[colour_of(piece)].moves[type_of(piece)]) {
        if (m.landing.en_passant || (m.from && !m.from->has(from))) continue;
        const auto square = [&](int dx, int dy) -> std::optional<Square> {
            const int file = file_of(from) + dx, rank = rank_of(from) + dy;
            if (file < 0 || file >= kWidth || rank < 0 || rank >= kWidth) return std::nullopt;
            const Square s = square_at(file, rank);
            return rules.board().has(s) ? std::optional(s) : std::nullopt;
        };
        const bool free = std::all_of(m.via.begin(), m.via.end(), [&](const auto& v) {
            const auto s = square(v.first, v.second);
            return s && board[*s] == kEmpty;
        });
        for (int step = 1; free && (m.range == 0 || step <= m.range); ++step) {
            const auto to = square(m.dx * step, m.dy * step);
            if (!to) break;
            const bool empty = board[*to] == kEmpty;
            if ((empty && m.landing.empty) ||
                (!empty && m.landing.enemy && colour_of(board[*to]) != colour_of(piece)))
                if (visit(*to)) return true;
            if (!empty) break;
        }
    }
    return false;
}

Piece king_of(const Rules& rules, Colour side) {
    return piece_of(side, rules.royal_type(side));
}

bool attacked(const Rules& rules, const Board& board, Square s, Colour by) {
    return attacked(rules, board.data(), rules.path_origins(by, s), {}, s, by);
}

bool can_move(const Rules& rules, Board& board, Square from, Square king) {
    const Piece piece = board[from];
    return any_destination(rules, board, from, [&](Square to) {
        const Piece captured = board[to];
        board[from] = kEmpty;
        board[to] = piece;
        const bool safe =
            !attacked(rules, board, from == king ? to : king, opposite(colour_of(piece)));
        board[to] = captured;
        board[from] = piece;
        return safe;
    });
}

// Whether `side` to move, its king on `king`, has just lost (or won) the game on this board.
bool is_decided(const Rules& rules, Board& board, Colour side, Square king, Square other_king,
                Square man) {
    if (attacked(rules, board, other_king, side)) return false;  // no legal position
    const bool check = attacked(rules, board, king, opposite(side));
    if (!check && rules.tables().sides[side].stalemate == GameResult::Draw) return false;
    if (can_move(rules, board, king, king)) return false;
    return board[man] == kEmpty || colour_of(board[man]) != side ||
           !can_move(rules, board, man, king);
}

// Whether two plain kings and one man (or none: kEmpty) can stand so that the side to move has lost
// or won. The man and one king are tried everywhere; the other king only where it can matter, next
// to an escape square that nothing else guards.
bool some_placement_decides(const Rules& rules, Piece man) {
    const auto& squares = rules.board();
    bool found = false;
    for (const Colour side : {White, Black}) {
        const Piece own = king_of(rules, side), other = king_of(rules, opposite(side));
        const auto try_other_king = [&](Board& board, Square king, Square at, Square man_at) {
            if (found || board[at] != kEmpty) return;
            board[at] = other;
            found = is_decided(rules, board, side, king, at, man_at);
            board[at] = kEmpty;
        };
        squares.for_each([&](Square king) {
            squares.for_each([&](Square man_at) {
                if (found || (man != kEmpty && man_at == king)) return;
                Board board{};
                if (man != kEmpty) board[man_at] = man;
                board[king] = own;
                std::optional<Square> unguarded;
                any_destination(rules, board, king, [&](Square to) {
                    const Piece captured = board[to];
                    board[king] = kEmpty;
                    board[to] = own;
                    if (!attacked(rules, board, to, opposite(side))) unguarded = to;
                    board[to] = captured;
                    board[king] = own;
                    return unguarded.has_value();
                });
                if (!unguarded) {
                    squares.for_each([&](Square at) { try_other_king(board, king, at, man_at); });
                } else {  // squares from which the other king guards it
                    for (const auto& m : rules.tables().sides[opposite(side)].moves[type_of(other)])
                        for (int step = 1; step < kWidth && (m.range == 0 || step <= m.range);
                             ++step) {
                            const int file = file_of(*unguarded) - m.dx * step,
                                      rank = rank_of(*unguarded) - m.dy * step;
                            if (file < 0 || file >= kWidth || rank < 0 || rank >= kWidth) break;
                            if (squares.has(square_at(file, rank)))
                                try_other_king(board, king, square_at(file, rank), man_at);
                        }
                }
            });
        });
    }
    return found;
}

bool is_colour_bound(const Rules& rules, Type type) {
    for (const auto& side : rules.tables().sides)
        for (const auto& m : side.moves[type])
            if ((m.dx + m.dy) % 2 != 0) return false;
    return true;
}

constexpr int parity_of(Square s) {
    return (file_of(s) + rank_of(s)) & 1;
}

// Men that all live on squares of one parity leave the other squares to the kings. For such men to
// mate or stalemate a king, the enemy king alone must guard every square of the other parity that
// it could step to; and only on their own parity can they give it check. Is there such a place?
bool one_colour_may_decide(const Rules& rules) {
    const auto& squares = rules.board();
    bool found = false;
    const auto decides = [&](const Board& board, Square king, Colour side, int men_parity) {
        const bool by_stalemate = rules.tables().sides[side].stalemate != GameResult::Draw;
        if (!by_stalemate && parity_of(king) != men_parity) return false;
        return !any_destination(rules, board, king, [&](Square to) {
            return parity_of(to) != men_parity && !attacked(rules, board, to, opposite(side));
        });
    };
    for (const Colour side : {White, Black})
        squares.for_each([&](Square king) {
            squares.for_each([&](Square other) {
                if (found || king == other) return;
                Board board{};
                board[other] = king_of(rules, opposite(side));
                board[king] = king_of(rules, side);
                if (attacked(rules, board, king, opposite(side))) return;
                found = decides(board, king, side, 0) || decides(board, king, side, 1);
            });
        });
    return found;
}

}  // namespace

bool Rules::may_decide(Piece man) const {
    return decides_.ask(man, [&] { return some_placement_decides(*this, man); });
}

bool Rules::one_colour_may_decide() const {
    return one_colour_decides_.ask(0, [&] { return tabia::one_colour_may_decide(*this); });
}

bool is_dead(const Position& position) {
    const Rules& rules = position.rules();
    // Other kings may check or stand in each other's way: too many cases to be sure of.
    const auto& tables = rules.tables();
    if (!tables.dead_position || tables.bare != Bare::None || !rules.kings_are_plain())
        return false;
    if (tables.repetition && tables.repetition_result != GameResult::Draw) return false;
    constexpr int kMostMen = 8;
    if (position.man_count(White) + position.man_count(Black) > kMostMen) return false;
    for (unsigned right = 0; right < position.right_count(); ++right)
        if (position.has_right(right)) return false;
    int kings = 0, men = 0, parities = 0;
    bool bound = true, plain = true;
    Piece man = kEmpty;
    for (const Colour side : {White, Black})
        position.men(side).for_each([&](Square s) {
            const Piece p = position.at(s);
            plain = plain && rules.steps_plainly(type_of(p)) && !rules.citadels().has(s);
            if (rules.is_royal(p)) {
                ++kings;
                return;
            }
            ++men;
            man = p;
            bound = bound && !rules.may_promote(p) && is_colour_bound(rules, type_of(p));
            parities |= 1 << parity_of(s);
        });
    if (!plain || kings != 2) return false;  // spare kings: nobody has counted those endings
    if (men <= 1)  // the one man may be captured: then the kings are alone
        return !rules.may_decide(kEmpty) &&
               (man == kEmpty || (!rules.may_promote(man) && !rules.may_decide(man)));
    return bound && parities != 3 && !rules.one_colour_may_decide();
}

}  // namespace tabia
