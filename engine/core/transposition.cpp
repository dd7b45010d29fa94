#include "transposition.hpp"

#include <algorithm>
#include <limits>

namespace tabia {

namespace {

// Of an entry's depth, for each search that it is old.
constexpr int kDepthsAnAge = 4;

std::uint32_t check_of(Key key) {
    return static_cast<std::uint32_t>(key >> 32);
}

// A mate is so many plies from the position, wherever in a search that stands.
Score to_table(Score s, int ply) {
    return s >= kMateInSight ? s + ply : s <= -kMateInSight ? s - ply : s;
}
Score from_table(Score s, int ply) {
    return s >= kMateInSight ? s - ply : s <= -kMateInSight ? s + ply : s;
}

}  // namespace

TranspositionTable::TranspositionTable(std::size_t entries)
    : buckets_(std::max<std::size_t>(std::bit_ceil(entries) / kBucket, 1)),
      mask_(buckets_.size() - 1) {}

void TranspositionTable::clear() {
    std::fill(buckets_.begin(), buckets_.end(), Bucket{});
    age_ = 0;
}

TranspositionTable::Found TranspositionTable::find(Key key, int ply) const {
    for (const Entry& e : buckets_[key & mask_].entries)
        if (e.bound != Bound::None && e.check == check_of(key))
            return {e.move, from_table(e.score, ply), e.eval, e.depth, e.bound};
    return {};
}

int TranspositionTable::worth(const Entry& e) const {
    if (e.bound == Bound::None) return std::numeric_limits<int>::min();
    return e.depth - kDepthsAnAge * static_cast<std::uint8_t>(age_ - e.age);
}

void TranspositionTable::store(Key key, Move m, Score score, Score eval, int depth, Bound bound,
                               int ply) {
    auto& entries = buckets_[key & mask_].entries;
    Entry* place = entries.data();
    bool same = false;
    for (Entry& e : entries) {
        if (e.bound != Bound::None && e.check == check_of(key)) {
            place = &e;
            same = true;
            break;
        }
        if (worth(e) < worth(*place)) place = &e;
    }
    // Of one position a much deeper entry of this search is kept.
    if (same && place->age == age_ && place->depth > depth + 3 && bound != Bound::Exact) return;
    place->check = check_of(key);
    place->move = m ? m : same ? place->move : Move{};
    place->score = static_cast<std::int16_t>(to_table(score, ply));
    place->eval = static_cast<std::int16_t>(eval);
    place->depth = static_cast<std::uint8_t>(std::max(depth, 0));
    place->bound = bound;
    place->age = age_;
}

}  // namespace tabia
