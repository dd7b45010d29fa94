// How a game stands: still going, or over and why.
#pragma once

#include <cstdint>
#include <optional>

#include "position.hpp"

namespace tabia {

enum class Reason : std::uint8_t {
    Checkmate,
    Stalemate,
    BareKing,
    DeadPosition,
    NMoveRule,
    Repetition,
    PlyCap
};

struct Outcome {
    // 1 = White has won, 0 = drawn, -1 = Black has won.
    int white = 0;
    Reason reason = Reason::Checkmate;
};

const char* reason_text(Reason reason);
std::optional<Outcome> outcome(Position& position);
// The bare king rule alone.
std::optional<Outcome> bare_outcome(Position& position);
// What the side to move gets when the position has occurred often enough.
GameResult repetition_for_mover(const RuleTables& tables);

// No sequence of legal moves can end in anything but a draw. Sound, not complete: it speaks only of
// positions with plain kings and at most one man beside them, or with men that are all bound to one
// colour.
bool is_dead(const Position& position);

}  // namespace tabia
