// What a man is worth: the numbers that an evaluation is made of.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "types.hpp"

namespace tabia {

struct Weighed {
    std::int32_t mid = 0, end = 0;  // centipawns
    std::int32_t phase = 0;         // material on the board, in the units of LetterWeights::phase

    constexpr Weighed& operator+=(const Weighed& o) {
        mid += o.mid, end += o.end, phase += o.phase;
        return *this;
    }
    constexpr Weighed& operator-=(const Weighed& o) {
        mid -= o.mid, end -= o.end, phase -= o.phase;
        return *this;
    }
};

// [piece * 256 + square]; Black's mid and end terms are negative, its phase is not.
using PieceSquare = Weighed;

// The weights of one letter. They say nothing about a rule set: the same weights serve both arms of
// an experiment.
struct LetterWeights {
    int mid = 0, end = 0;                // centipawns
    int centre_mid = 0, centre_end = 0;  // from the rim (-x/2) to the centre (+x/2)
    int phase = 0;
    int mobility = 0;                           // squares it can usually go to
    int mobility_mid = 0, mobility_end = 0;     // times the root of the squares more than usual
    int pair_mid = 0, pair_end = 0;             // for two of them
    std::vector<int> advance_mid, advance_end;  // by rank from the side's own edge; may be empty
};

struct Weights {
    std::array<LetterWeights, kTypes> letter;  // 'A' first
    int tempo = 10;
    // 64ths of what a passed man is worth that are withheld while it could promote to nothing.
    int supply = 0;
};

}  // namespace tabia
