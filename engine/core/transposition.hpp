// What is known of positions searched before, by their key: buckets of entries, of which the least
// worth gives way.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scores.hpp"
#include "types.hpp"

namespace tabia {

enum class Bound : std::uint8_t { None, Upper, Lower, Exact };

class TranspositionTable {
  public:
    // A position found; scores as seen from `ply`.
    struct Found {
        Move move;
        Score score = 0;
        Score eval = -kInfinite;  // static; -kInfinite: not known
        int depth = -1;
        Bound bound = Bound::None;  // None: not found

        explicit operator bool() const { return bound != Bound::None; }
        // The score answers the question whether it is below, inside or above the window.
        bool settles(Score alpha, Score beta) const {
            return bound == Bound::Exact || (bound == Bound::Lower && score >= beta) ||
                   (bound == Bound::Upper && score <= alpha);
        }
    };

    explicit TranspositionTable(std::size_t entries);

    static std::size_t entries_in(std::size_t megabytes) {
        return std::bit_floor((megabytes << 20) / sizeof(Entry));
    }
    void clear();
    void next_search() { ++age_; }  // what was stored before is worth less from now on
    Found find(Key key, int ply) const;
    void store(Key key, Move m, Score score, Score eval, int depth, Bound bound, int ply);
    void prefetch(Key key) const { __builtin_prefetch(&buckets_[key & mask_]); }

  private:
    struct Entry {
        std::uint32_t check = 0;
        Move move;
        std::int16_t score = 0, eval = 0;
        std::uint8_t depth = 0;
        Bound bound = Bound::None;
        std::uint8_t age = 0;
    };
    static constexpr std::size_t kBucket = 4;
    struct alignas(64) Bucket {
        std::array<Entry, kBucket> entries;
    };

    std::vector<Bucket> buckets_;
    std::size_t mask_;
    std::uint8_t age_ = 0;

    int worth(const Entry& e) const;
};

}  // namespace tabia
