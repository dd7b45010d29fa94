// Which moves give check by the man that moves, by plain leaps and rides.
#pragma once

#include <array>
#include <cstdint>

#include "position.hpp"
#include "types.hpp"

namespace tabia {

// From where the side to move would attack the other king, or one of several who must be safe.
class DirectChecks {
  public:
    explicit DirectChecks(const Position& position);
    bool given_by(Move m) const;

  private:
    void draw_lines_to(Square king);

    struct Line {
        std::uint8_t direction = 0, steps = 0;
    };
    const Position& position_;
    std::array<std::array<Line, 2>, kSquares> lines_{};  // by square: one leap, one ride
};

}  // namespace tabia
