// Whole games between two searches, from an opening to the end.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluation.hpp"
#include "outcome.hpp"
#include "rules.hpp"

namespace tabia {

// What a player who is no search of ours answers: a move in our notation, and what he thinks it
// worth, from his own side.
struct OutsideMove {
    std::string move;
    Score score = 0;
};
// Called with all moves made, those of the opening included. What it throws ends the game.
using OutsidePlayer = std::function<OutsideMove(const std::vector<std::string>& moves)>;

struct GameSetup {
    std::shared_ptr<const Rules> rules;
    std::string fen;                                             // where the game begins
    std::array<std::shared_ptr<const Evaluator>, 2> evaluators;  // White's, Black's
    std::array<std::uint64_t, 2> nodes{};                        // a move
    std::vector<std::string> opening;                            // moves from there
    int max_plies = 400;                                         // opening included
    // For play against a clock, 0 = no limit; such a game cannot be played again.
    std::array<double, 2> seconds{};
    std::array<OutsidePlayer, 2> outside{};  // who plays instead of our search, if anybody
};

// Plies are numbered from 1, those of the opening included. Pairs are White's and Black's.
struct GameRecord {
    std::vector<std::string> moves;  // opening included
    Outcome outcome;
    std::uint64_t nodes = 0;

    // Of all plies, by the side that moved.
    std::array<std::array<int, kTypes>, 2> promotions{};  // to what
    std::array<int, 2> declined{};  // moves that could have promoted and did not
    std::array<int, 2> castlings{}, en_passant{}, own_captures{};
    std::array<int, 2> citadel_exits{};  // moves by a man that stood in a citadel
    std::optional<int> first_promotion;  // the ply

    // Of the plies that a search chose.
    std::uint64_t offered = 0;  // legal moves, of all those plies together
    int forced = 0;             // plies with one legal move
    std::vector<Score> scores;  // what the search said of the move made, from White's side

    // Men that stood there when the game began, were never captured and never promoted.
    std::array<std::array<int, kTypes>, 2> survivors{};
};

// Every game starts with fresh hash tables and histories. FenError if the FEN is none;
// std::invalid_argument if the opening is not legal or ends the game; MoveError if an outside
// player answers what is no legal move.
GameRecord play_game(const GameSetup& setup);

}  // namespace tabia
