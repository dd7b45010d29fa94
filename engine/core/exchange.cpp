#include "exchange.hpp"

#include <algorithm>

namespace tabia {

namespace {

struct Attacker {
    Square square = 0;
    int value = 0;  // 0 = none
};

// The cheapest man of `by` that could capture on `s` on this board.
Attacker cheapest_attacker(const Position& position, const Evaluator& evaluator, const Piece* board,
                           Square s, Colour by) {
    const Rules& rules = position.rules();
    Attacker best;
    const auto consider = [&](Square origin) {
        const int value = evaluator.value(board[origin]);
        if (best.value == 0 || value < best.value) best = {origin, std::max(value, 1)};
    };
    const std::uint8_t* p = rules.attackers(by, s);
    for (unsigned n = *p++; n; --n, p += 2)
        if (rules.reach(p[1], board[p[0]])) consider(p[0]);
    for (unsigned rays = *p++; rays; --rays) {
        const std::uint8_t direction = p[0];
        const unsigned length = p[1];
        p += 2;
        for (unsigned i = 0; i < length; ++i)
            if (board[p[i]] != kEmpty) {
                if (rules.reach(direction, board[p[i]]) > static_cast<int>(i)) consider(p[i]);
                break;
            }
        p += length;
    }
    if (rules.has_path_men())
        (position.path_men(by) & rules.path_origins(by, s)).for_each_from(by, [&](Square origin) {
            const Piece man = board[origin];
            if (man == kEmpty || colour_of(man) != by || !rules.is_path_man(man, origin)) return;
            const std::uint8_t* path = rules.paths(man, origin, s);
            if (!path) return;
            for (unsigned n = *path++; n; --n) {
                const PathState state = path_state(rules, board, position.unmoved(), origin, path);
                if (state.holds) {
                    consider(origin);
                    return;
                }
                path = state.next;
            }
        });
    return best;
}

}  // namespace

int exchange_value(const Position& position, const Evaluator& evaluator, Move m) {
    if (m.kind() == MoveKind::Castling) return 0;  // the king ends where nothing attacks it
    const Rules& rules = position.rules();
    std::array<Piece, kSquares> board;
    std::copy_n(position.board(), kSquares, board.begin());
    const Square target = m.to();
    constexpr std::size_t kLongest = 32;
    std::array<int, kLongest + 1> gain{};
    position.for_each_victim(m, [&](Square s) {
        const int value = evaluator.value(board[s]);
        gain[0] += colour_of(board[s]) == position.turn() ? -value : value;
        board[s] = kEmpty;
    });
    Piece standing = board[m.from()];
    if (m.promotes()) {
        const Piece promoted = piece_of(colour_of(standing), m.promotion());
        gain[0] += evaluator.value(promoted) - evaluator.value(standing);
        standing = promoted;
    }
    board[m.from()] = kEmpty;
    board[target] = standing;
    Colour side = opposite(position.turn());
    std::size_t depth = 0;
    while (depth + 1 < kLongest) {
        const Attacker attacker =
            cheapest_attacker(position, evaluator, board.data(), target, side);
        if (attacker.value == 0) break;
        const Piece capturer = board[attacker.square];
        ++depth;
        gain[depth] = evaluator.value(standing) - gain[depth - 1];
        board[attacker.square] = kEmpty;
        board[target] = capturer;
        if (rules.is_royal(capturer) && position.keeps_royal_men(side) &&
            attacked(rules, board.data(), position.path_men(opposite(side)), position.unmoved(),
                     target, opposite(side))) {
            --depth;  // the king may not capture what is guarded
            break;
        }
        if (std::max(-gain[depth - 1], gain[depth]) < 0) break;  // neither side would go on
        standing = capturer;
        side = opposite(side);
    }
    for (; depth > 0; --depth) gain[depth - 1] = -std::max(-gain[depth - 1], gain[depth]);
    return gain[0];
}

}  // namespace tabia
