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

// What the first move of an exchange wins, and who then stands on the square.
struct Opening {
    int won;
    Piece standing;
};

Opening opening_of(const Position& position, const Evaluator& evaluator, Move m) {
    Opening opening{won_by(position, evaluator, m), position.at(m.from())};
    if (m.promotes()) {
        const Piece promoted = piece_of(position.turn(), m.promotion());
        opening.won += evaluator.value(promoted) - evaluator.value(opening.standing);
        opening.standing = promoted;
    }
    return opening;
}

}  // namespace

int won_by(const Position& position, const Evaluator& evaluator, Move m) {
    int won = 0;
    position.for_each_victim(m, [&](Square s) {
        const Piece man = position.at(s);
        won += colour_of(man) == position.turn() ? -evaluator.value(man) : evaluator.value(man);
    });
    return won;
}

bool exchange_reaches(const Position& position, const Evaluator& evaluator, Move m, int least) {
    if (m.kind() == MoveKind::Castling) return 0 >= least;  // nothing attacks where the king ends
    const Opening opening = opening_of(position, evaluator, m);
    // The mover wins what it takes at most, and at least that less the man that took it.
    if (opening.won < least) return false;
    // What the side to capture has lost of the bet that `least` is reached or not, as it stands.
    int lost = evaluator.value(opening.standing) - (opening.won - least);
    if (lost <= 0) return true;
    std::array<Piece, kSquares> board;
    std::copy_n(position.board(), kSquares, board.begin());
    const Square target = m.to();
    position.for_each_victim(m, [&](Square s) { board[s] = kEmpty; });
    board[m.from()] = kEmpty;
    board[target] = opening.standing;
    Colour side = position.turn();
    bool reached = true;
    while (true) {
        side = opposite(side);
        const Attacker attacker =
            cheapest_attacker(position, evaluator, board.data(), target, side);
        if (attacker.value == 0) return reached;
        const Piece capturer = board[attacker.square];
        board[attacker.square] = kEmpty;
        board[target] = capturer;
        // A king comes last, and may not capture what is guarded.
        if (position.rules().is_royal(capturer) && position.keeps_royal_men(side)) {
            const Colour other = opposite(side);
            return attacked(position.rules(), board.data(), position.path_men(other),
                            position.unmoved(), target, other)
                       ? reached
                       : !reached;
        }
        reached = !reached;
        lost = evaluator.value(capturer) - lost;
        if (lost < (reached ? 1 : 0)) return reached;  // even if this man is lost as well
    }
}

}  // namespace tabia
