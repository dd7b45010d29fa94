// How moves fared elsewhere in the search: what orders the moves of a node.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.hpp"

namespace tabia {

class Histories {
  public:
    static constexpr int kLimit = 16384;

    // A move on the way to a node. moved: kEmpty for a null move, and where there was none.
    struct Step {
        Piece moved = kEmpty;
        Square to = 0;
        std::array<std::uint32_t, 2> row{};  // of the continuations, for a White and a Black answer
    };
    // The last moves on the way: the other side's, then one's own.
    using Trail = std::array<const Step*, 2>;

    explicit Histories(int ranks);  // of the board

    void clear();
    Step step(Piece moved, Square to) const;
    // Quiet moves, from three times -kLimit to three times kLimit.
    int quiet(Piece mover, Square to, const Trail& trail) const;
    void learn_quiet(Piece mover, Square to, const Trail& trail, int amount);
    // Captures, from -kLimit to kLimit.
    int capture(Piece mover, Square to, Piece victim) const {
        return captures_[at(mover, to) * kTypes + type_of(victim)];
    }
    void learn_capture(Piece mover, Square to, Piece victim, int amount);
    // The quiet move that last refuted this one.
    Move reply(const Step& step) const {
        return step.moved == kEmpty ? Move{} : replies_[at(step.moved, step.to)];
    }
    void learn_reply(const Step& step, Move reply) {
        if (step.moved != kEmpty) replies_[at(step.moved, step.to)] = reply;
    }

  private:
    int ranks_;
    std::vector<std::int16_t> quiets_;         // [piece][to]
    std::vector<std::int16_t> captures_;       // [piece][to][victim's type]
    std::vector<std::int16_t> continuations_;  // [piece][to] after a [piece][to], hashed
    std::vector<std::uint32_t> scatter_;       // [piece][to] -> where in a row of continuations_
    std::vector<Move> replies_;                // [piece][to]

    static std::size_t at(Piece piece, Square to) { return piece * std::size_t{kSquares} + to; }
    std::uint32_t own_view(Square s, Colour side) const;
    std::size_t continuation(const Step& step, Piece piece, Square to) const {
        return step.row[colour_of(piece)] ^ scatter_[at(piece, to)];
    }
};

}  // namespace tabia
