// The turns and reflections of the board under which nothing changes: found by trying, never
// assumed, since holes, pawns, promotion and one-sided moves all break some of them.
#pragma once

#include <array>
#include <vector>

#include "rules.hpp"
#include "types.hpp"

namespace tabia {

using BoardMap = std::array<Square, kSquares>;  // the image of each square

// A piece and the squares on which it may stand.
struct Standing {
    Piece piece;
    SquareSet squares;
};

// Every map of the board onto itself that takes each piece's squares, ways and promotions to the
// same piece's; the identity first.
std::vector<BoardMap> symmetries(const Rules& rules, const std::vector<Standing>& standings);

}  // namespace tabia
