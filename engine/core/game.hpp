// Whole games between two searches, from an opening to the end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "evaluation.hpp"
#include "outcome.hpp"
#include "rules.hpp"

namespace tabia {

struct GameSetup {
    std::shared_ptr<const Rules> rules;
    std::array<std::shared_ptr<const Evaluator>, 2> evaluators;  // White's, Black's
    std::array<std::uint64_t, 2> nodes{};                        // a move
    std::vector<std::string> opening;                            // moves from the array
    int max_plies = 400;                                         // opening included
};

struct GameRecord {
    std::vector<std::string> moves;  // opening included
    Outcome outcome;
    std::uint64_t nodes = 0;
    std::array<std::array<int, kTypes>, 2> promotions{};  // by side, to what
    std::array<int, 2> declined{};  // moves that could have promoted and did not, by side
};

// Every game starts with fresh hash tables and histories. std::invalid_argument if the opening is
// not legal or ends the game.
GameRecord play_game(const GameSetup& setup);

}  // namespace tabia
