// Squares and moves as text: UCI, with ranks of one or two digits.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "position.hpp"
#include "types.hpp"

namespace tabia {

struct MoveError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Text from outside as a message may show it: short, in one line, printable whatever it was.
std::string quoted(std::string_view text);

std::string square_text(Square s);
std::optional<Square> square_from_text(std::string_view text);

// The legal move that `text` names; MoveError if there is none.
Move move_from_text(Position& position, std::string_view text);

}  // namespace tabia
