// Static exchange evaluation: what a series of captures on one square wins, on the board alone.
#pragma once

#include "evaluation.hpp"
#include "position.hpp"

namespace tabia {

// The mover's gain in centipawns if both sides go on capturing on the move's target square,
// cheapest man first, as long as it pays. Kings capture last and only what is no longer guarded.
int exchange_value(const Position& position, const Evaluator& evaluator, Move m);

}  // namespace tabia
