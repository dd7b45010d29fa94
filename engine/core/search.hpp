// Alpha-beta search of one position: iterative deepening, principal variation search, transposition
// table. Integers only, no clock and no threads: the same position, history and limits give the
// same move on every machine.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "evaluation.hpp"
#include "histories.hpp"
#include "move_picker.hpp"
#include "position.hpp"
#include "scores.hpp"
#include "transposition.hpp"

namespace tabia {

struct SearchLimits {
    std::uint64_t nodes = 0;  // moves made; 0 = no limit
    int depth = kMaxPly - 1;
    // For play against a clock, never for batches: what they stop depends on the machine.
    double seconds = 0;                       // 0 = no limit
    const std::atomic<bool>* stop = nullptr;  // set by another thread
};

struct SearchResult {
    Move best;  // none when there is no legal move
    Score score = 0;
    int depth = 0;  // of the last iteration that finished
    std::uint64_t nodes = 0;
    std::vector<Move> line;
};

// Entries that serve a search of so many nodes a move; a power of two.
std::size_t hash_entries_for(std::uint64_t nodes);

class Search {
  public:
    Search(const Evaluator& evaluator, std::size_t hash_entries);

    static std::size_t entries_in(std::size_t megabytes) {
        return TranspositionTable::entries_in(megabytes);
    }
    void new_game();  // forgets everything
    // `report`, if any, is called after each finished iteration with what is known then.
    SearchResult run(Position& position, const SearchLimits& limits,
                     const std::function<void(const SearchResult&)>& report = {});

  private:
    using Found = TranspositionTable::Found;
    struct Frame {
        std::array<Move, 2> killers;
        Score eval = 0;
        // What the men's activity was worth to White when it was last counted on the way here.
        std::optional<Score> activity;
        Histories::Step step;  // the move that led on from here
    };

    const Evaluator& evaluator_;
    TranspositionTable table_;
    Histories histories_;
    MoveStack stack_;
    std::array<Frame, kMaxPly + 4> frames_{};
    std::array<std::array<Move, kMaxPly + 1>, kMaxPly + 1> lines_{};
    std::array<int, kMaxPly + 1> line_length_{};
    std::array<std::array<std::uint8_t, 64>, 64> reductions_{};
    std::uint64_t nodes_ = 0, evaluations_listed_ = 0, node_limit_ = 0;
    const std::atomic<bool>* stop_ = nullptr;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
    bool stopped_ = false;
    Position* position_ = nullptr;

    Score search(Score alpha, Score beta, int depth, int ply, bool may_null, Move left_out = {});
    Score quiesce(Score alpha, Score beta, int ply);
    Frame& frame(int ply) { return frames_[static_cast<std::size_t>(ply)]; }
    Histories::Trail trail(int ply) const;
    // What a position is worth by itself. Far outside the window asked for it may be a guess: good
    // enough there, and never to be remembered.
    struct Judged {
        Score score;
        bool guessed;

        Score known() const { return guessed ? -kInfinite : score; }
    };
    Judged evaluate(Score alpha, Score beta, int ply);
    Score evaluate(int ply) { return evaluate(-kInfinite, kInfinite, ply).score; }
    Judged static_evaluation(const Found& found, Score alpha, Score beta, int ply);
    int free_men() const;
    void make(Move m, int ply);
    void reward(Move best, std::span<const Move> tried, int depth, int ply);
    void take_line(Move m, int ply);
    Score no_moves(bool check, int ply) const;
    // The score of a game that is over here by rule, mates and stalemates apart.
    std::optional<Score> ended(int ply);
    bool out_of_nodes();
};

}  // namespace tabia
