#include "samples.hpp"

#include <stdexcept>

#include "notation.hpp"
#include "position.hpp"

namespace tabia {

namespace {

std::vector<Move> read_moves(Position position, const std::vector<std::string>& texts) {
    std::vector<Move> moves;
    for (const auto& text : texts) {
        moves.push_back(move_from_text(position, text));
        position.make(moves.back());
    }
    return moves;
}

// Calls `visit` with the position before each of the plies.
template <class F>
void at_plies(Position position, const std::vector<Move>& moves, const std::vector<int>& plies,
              F&& visit) {
    for (const int ply : plies) {
        if (ply < position.ply() || ply > static_cast<int>(moves.size()))
            throw std::invalid_argument("plies: rising, none beyond the last move");
        while (position.ply() < ply) position.make(moves[static_cast<std::size_t>(position.ply())]);
        visit(position);
    }
}

}  // namespace

std::vector<int> quiet_plies(const std::shared_ptr<const Rules>& rules,
                             const std::vector<std::string>& moves) {
    Position position(rules, rules->tables().start_fen);
    std::vector<int> quiet;
    bool calm = true;  // the move before
    for (std::size_t ply = 0; ply < moves.size(); ++ply) {
        const Move m = move_from_text(position, moves[ply]);
        const bool was_calm = calm;
        calm = position.at(m.to()) == kEmpty && m.kind() != MoveKind::EnPassant && !m.promotes();
        if (calm && was_calm && !position.in_check()) quiet.push_back(static_cast<int>(ply));
        position.make(m);
    }
    return quiet;
}

std::vector<int> men_counts(const std::shared_ptr<const Rules>& rules,
                            const std::vector<std::string>& texts, const std::vector<int>& plies) {
    const Position array(rules, rules->tables().start_fen);
    std::vector<int> counts;
    at_plies(array, read_moves(array, texts), plies, [&](const Position& position) {
        counts.push_back(position.man_count(White) + position.man_count(Black));
    });
    return counts;
}

std::vector<Score> evaluations(const std::shared_ptr<const Rules>& rules,
                               const std::vector<std::string>& texts, const std::vector<int>& plies,
                               const std::vector<std::shared_ptr<const Evaluator>>& evaluators) {
    const std::string& array = rules->tables().start_fen;
    const std::vector<Move> moves = read_moves(Position(rules, array), texts);
    std::vector<Score> found;
    found.reserve(plies.size() * evaluators.size());
    for (const auto& evaluator : evaluators) {
        at_plies(Position(rules, array, evaluator->table()), moves, plies,
                 [&](const Position& position) {
                     const Score score = evaluator->evaluate(position);
                     found.push_back(position.turn() == White ? score : -score);
                 });
    }
    return found;
}

}  // namespace tabia
