// What a game that was played has to teach: its quiet positions, and what evaluators say of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluation.hpp"
#include "rules.hpp"

namespace tabia {

// The plies (0: before the first move) at which nothing hangs in the air as far as the game shows:
// the side to move is not in check, and neither the move made before nor the one made then captures
// or promotes. The moves are UCI, from the array; MoveError if one of them is not legal.
std::vector<int> quiet_plies(const std::shared_ptr<const Rules>& rules,
                             const std::vector<std::string>& moves);

// How many men stood on the board before each of these plies, which must rise.
std::vector<int> men_counts(const std::shared_ptr<const Rules>& rules,
                            const std::vector<std::string>& moves, const std::vector<int>& plies);

// What each evaluator says, in centipawns from White's side, of the positions before these plies:
// evaluator by evaluator, the plies in the given order, which must rise.
std::vector<Score> evaluations(const std::shared_ptr<const Rules>& rules,
                               const std::vector<std::string>& moves, const std::vector<int>& plies,
                               const std::vector<std::shared_ptr<const Evaluator>>& evaluators);

}  // namespace tabia
