// Which men are on the board, and what becomes of them: captures and promotions lead from one
// material to others, never back.
#pragma once

#include <vector>

#include "rules.hpp"
#include "types.hpp"

namespace tabia {

// White's royal man, Black's, then the others by piece code.
struct Material {
    std::vector<Piece> men;

    auto operator<=>(const Material&) const = default;
    int count(Piece p) const;
};

Material material_of(std::vector<Piece> men);

// A move that changes the material; men by their places in it.
struct Conversion {
    int mover = 0;
    int captured = -1;       // -1: nobody
    Piece becomes = kEmpty;  // kEmpty: what it is

    auto operator<=>(const Conversion&) const = default;
};

// Every change of material that some position might allow; perhaps some that none does.
std::vector<Conversion> conversions(const Rules& rules, const Material& material);

struct Converted {
    Material material;
    std::vector<int> sources;  // where each of its men stood in the old one
};
Converted convert(const Material& material, const Conversion& conversion);

// To what a man of this material may promote on that square.
std::vector<Piece> promotions_at(const Rules& rules, const Material& material, Piece piece,
                                 Square s);
// A move to that square cannot leave the man what it is.
bool must_change_at(const Rules& rules, const Material& material, Piece piece, Square s);

// The squares on which a piece may stand: those to which its own moves lead, whatever is in their
// way, from where the array has such a man or another may become one. A piece that is neither in
// the array nor promoted to may stand anywhere.
SquareSet standing_squares(const Rules& rules, Piece piece);

}  // namespace tabia
