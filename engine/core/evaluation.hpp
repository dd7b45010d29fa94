// What a position is worth, in integers: material and squares (kept up by make), blended between
// middle- and endgame by the material left, and the drive of a bare king to the edge.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "activity.hpp"
#include "rules.hpp"
#include "types.hpp"
#include "weights.hpp"

namespace tabia {

class Position;

inline constexpr Score kMostEvaluation = 30000;  // either way; mates are beyond it

// Weights laid out over one rule set's board.
class Evaluator {
  public:
    Evaluator(const Rules& rules, const Weights& weights);

    int ranks() const { return ranks_; }  // of the board
    const PieceSquare* table() const { return table_.data(); }
    int value(Piece p) const {
        return values_[p];
    }  // for exchanges: a king is worth more than all else
    Score evaluate(const Position& position) const;  // from the side to move
    // The same without what the men do: what `make` keeps up alone.
    Score coarse(const Position& position) const { return finished(position, {}); }

  private:
    std::vector<PieceSquare> table_;
    std::array<int, kPieces> values_{};
    Weighed kept_{};  // of royal men beside only kings, as White sees it
    int full_phase_ = 1;
    int tempo_ = 0;
    int files_, ranks_;
    Activity activity_;

    void leave_out_kept_men(const Rules& rules, const Weights& weights, Colour side);
    Score finished(const Position& position, const Activity::Worth& active) const;
    int bare_king_drive(const Position& position, Colour strong) const;
};

}  // namespace tabia
