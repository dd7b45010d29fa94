// Static exchange evaluation: what a series of captures on one square wins, on the board alone.
#pragma once

#include "evaluation.hpp"
#include "position.hpp"

namespace tabia {

// The values of the enemy men that the move captures, less those of its own men.
int won_by(const Position& position, const Evaluator& evaluator, Move m);

// Whether the mover gains at least so many centipawns if both sides go on capturing on the move's
// target square, cheapest man first, as long as it pays. Kings capture last and only what is no
// longer guarded.
bool exchange_reaches(const Position& position, const Evaluator& evaluator, Move m, int least);

}  // namespace tabia
