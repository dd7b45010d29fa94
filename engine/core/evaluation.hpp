// What a position is worth, in integers: material and squares (kept up by make), blended between
// middle- and endgame by the material left, and the drive of a bare king to the edge.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rules.hpp"
#include "types.hpp"

namespace tabia {

class Position;

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

inline constexpr Score kMostEvaluation = 30000;  // either way; mates are beyond it

// [piece * 256 + square]; Black's mid and end terms are negative, its phase is not.
using PieceSquare = Weighed;

// The weights of one letter. They say nothing about a rule set: the same weights serve both arms of
// an experiment.
struct LetterWeights {
    int mid = 0, end = 0;                // centipawns
    int centre_mid = 0, centre_end = 0;  // from the rim (-x/2) to the centre (+x/2)
    int phase = 0;
    std::vector<int> advance_mid, advance_end;  // by rank from the side's own edge; may be empty
};

struct Weights {
    std::array<LetterWeights, kTypes> letter;  // 'A' first
    int tempo = 10;
};

// Weights laid out over one rule set's board.
class Evaluator {
  public:
    Evaluator(const Rules& rules, const Weights& weights);

    const PieceSquare* table() const { return table_.data(); }
    int value(Piece p) const {
        return values_[p];
    }  // for exchanges: a king is worth more than all else
    Score evaluate(const Position& position) const;  // from the side to move

  private:
    std::vector<PieceSquare> table_;
    std::array<int, kPieces> values_{};
    Weighed kept_{};  // of royal men beside only kings, as White sees it
    int full_phase_ = 1;
    int tempo_ = 0;
    int files_, ranks_;

    void leave_out_kept_men(const Rules& rules, const Weights& weights, Colour side);
    int bare_king_drive(const Position& position, Colour strong) const;
};

}  // namespace tabia
