// Alpha-beta search of one position: iterative deepening, principal variation search, transposition
// table. Integers only, no clock and no threads: the same position, history and limits give the
// same move on every machine.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "evaluation.hpp"
#include "position.hpp"

namespace tabia {

inline constexpr Score kMate = 32000;  // all scores fit the table's 16 bits
inline constexpr Score kInfinite = 32500;
inline constexpr int kMaxPly = 128;

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
        return std::bit_floor((megabytes << 20) / sizeof(Entry));
    }
    void new_game();  // forgets everything
    // `report`, if any, is called after each finished iteration with what is known then.
    SearchResult run(Position& position, const SearchLimits& limits,
                     const std::function<void(const SearchResult&)>& report = {});

  private:
    enum class Bound : std::uint8_t { None, Upper, Lower, Exact };
    struct Entry {
        std::uint32_t check = 0;
        Move move;
        std::int16_t score = 0, eval = 0;
        std::uint8_t depth = 0;
        Bound bound = Bound::None;
        std::uint8_t age = 0;
    };
    struct Scored {
        Move move;
        int order = 0;
    };
    struct Frame {
        std::array<Move, 2> killers;
        Score eval = 0;
        Piece moved = kEmpty;  // the move that led on from here, for the continuation history
        Square to = 0;
    };

    const Evaluator& evaluator_;
    std::vector<Entry> table_;
    std::vector<std::int16_t> history_;  // [piece][to]
    std::vector<std::int16_t>
        continuation_;           // [piece][to] after the other side's [piece][to], hashed
    std::vector<Move> replies_;  // [piece][to] of the move before
    std::array<Frame, kMaxPly + 4> frames_{};
    std::array<std::array<Move, kMaxPly + 1>, kMaxPly + 1> lines_{};
    std::array<int, kMaxPly + 1> line_length_{};
    std::vector<Move> generated_;
    std::vector<Scored> arena_;
    std::size_t arena_top_ = 0;
    std::array<std::array<std::uint8_t, 64>, 64> reductions_{};
    std::uint64_t nodes_ = 0, listed_ = 0, node_limit_ = 0;
    std::uint8_t age_ = 0;
    const std::atomic<bool>* stop_ = nullptr;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
    bool stopped_ = false;
    Position* position_ = nullptr;

    Score search(Score alpha, Score beta, int depth, int ply, bool may_null);
    Score quiesce(Score alpha, Score beta, int ply);
    // Legal moves with their order, on top of the arena; the caller drops them again, and calls
    // `pick` for them from the first one on.
    std::size_t list_moves(const CheckInfo& info, bool noisy, Move hash_move, int ply);
    Move pick(std::size_t base, std::size_t count, std::size_t from);
    int order_of(Move m, Move hash_move, int ply) const;
    void make(Move m, int ply);
    void reward(Move best, std::span<const Move> tried, int depth, int ply);
    int won_by(Move m) const;
    int quiet_history(Move m, int ply) const;
    std::size_t continuation_index(int ply, Piece piece, Square to) const;
    Entry& slot(Key key) { return table_[key & (table_.size() - 1)]; }
    void store(Key key, Move m, Score score, Score eval, int depth, Bound bound, int ply);
    void take_line(Move m, int ply);
    Score no_moves(bool check, int ply) const;
    // The score of a game that is over here by rule, mates and stalemates apart.
    std::optional<Score> ended(int ply);
    bool out_of_nodes();
};

}  // namespace tabia
