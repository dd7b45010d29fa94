// Legal moves. The order is that of squares, then of the piece's move groups: a function of the
// position alone.
#pragma once

#include <cstdint>
#include <vector>

#include "position.hpp"
#include "types.hpp"

namespace tabia {

// Noisy: captures of enemy men, and promotions. Quiet: the others.
enum class Wanted : std::uint8_t { All, Noisy, Quiet };

// Writes the legal moves at `out`, which has room for rules().move_bound() moves; returns the end.
Move* generate(Position& position, const CheckInfo& info, Wanted wanted, Move* out);

// Whether `m`, which may come from another position, is a legal move here. `scratch` has room as
// above.
bool is_legal(Position& position, const CheckInfo& info, Move m, Move* scratch);

std::vector<Move> legal_moves(Position& position);
bool has_legal_move(Position& position);
std::uint64_t perft(Position& position, int depth);

}  // namespace tabia
