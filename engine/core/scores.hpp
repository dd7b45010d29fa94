// Scores with a meaning: mates, and what lies beyond every score.
#pragma once

#include "evaluation.hpp"
#include "types.hpp"

namespace tabia {

inline constexpr Score kMate = 32000;  // all scores fit the table's 16 bits
inline constexpr Score kInfinite = 32500;
inline constexpr int kMaxPly = 128;
inline constexpr Score kMateInSight = kMate - kMaxPly;
// Of a king in exchanges and threats: more than all else.
inline constexpr int kKingExchangeValue = 20000;
static_assert(kMostEvaluation < kMateInSight);

}  // namespace tabia
