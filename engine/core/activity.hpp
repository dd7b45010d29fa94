// What the men on the board do: where they can go, what they attack, whom they threaten, how many
// of them bear on a king. Counted from the moves that the rules give them, so it is right for any
// man; the weights say what it is worth.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules.hpp"
#include "types.hpp"
#include "weights.hpp"

namespace tabia {

class Position;

// Laid out over one rule set's board.
class Activity {
  public:
    Activity(const Rules& rules, const Weights& weights);

    struct Worth {
        int mid = 0, end = 0;  // centipawns, White's minus Black's
    };
    Worth worth(const Position& position) const;

  private:
    static constexpr int kMostMobility = 64;
    struct Man {
        bool pawn = false;  // may promote
        int value = 0;      // centipawns; a king is worth more than all else
        int pressure = 0;   // on a king, for each square of its zone
        std::array<std::int16_t, kMostMobility> mid{}, end{};  // by squares it can go to
        std::array<int, kWidth> passed_mid{}, passed_end{};    // by rank from its own edge
    };
    struct SideCount;
    // By square, what reaching it counts for: 1 if it is free to go to, and kHit for each point of
    // a king's zone. Sums of many squares stay apart in one number.
    using Counts = std::array<std::uint16_t, kSquares>;
    static constexpr unsigned kHitShift = 8;
    void look(const Position& position, Colour us, Square from, SideCount& own,
              SideCount& other) const;
    int promise(const Position& position, Piece pawn) const;
    void weigh_king(const Position& position, Colour us, SideCount& own,
                    const std::array<std::uint8_t, kSquares>& guarded) const;
    void weigh_pawns(const Position& position, Colour us, SideCount& own,
                     const SideCount& other) const;

    struct Pair {
        Piece piece;
        int mid, end;
    };

    std::vector<Man> men_;  // by piece
    std::vector<Pair> pairs_;
    std::vector<Counts> around_king_;  // by the king's square, all squares free to go to
    int supply_;
};

}  // namespace tabia
