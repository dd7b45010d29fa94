// The moves of one node, the most promising first, each generated as late as may be.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "direct_checks.hpp"
#include "evaluation.hpp"
#include "histories.hpp"
#include "move_generation.hpp"
#include "position.hpp"
#include "types.hpp"

namespace tabia {

inline bool is_noisy(const Position& position, Move m) {
    return position.is_capture(m) || m.promotes();
}

// The moves listed at all nodes from the root to the present one, one node's after the other's.
class MoveStack {
  public:
    struct Scored {
        Move move;
        int order = 0;
    };

    void clear(const Rules& rules) {
        generated_.resize(rules.move_bound());
        top_ = 0, listed_ = 0;
    }
    std::uint64_t listed() const { return listed_; }

  private:
    friend class MovePicker;
    std::vector<Move> generated_;
    std::vector<Scored> scored_;
    std::size_t top_ = 0;
    std::uint64_t listed_ = 0;  // moves generated since `clear`
};

// Quiet moves to try before all others of that kind.
struct Refutations {
    std::array<Move, 2> killers;
    Move reply;
};

class MovePicker {
  public:
    enum class Kind : std::uint8_t { Hash, GoodCapture, Refutation, Quiet, BadCapture };
    struct Picked {
        Move move;  // none: there are no more
        Kind kind = Kind::Hash;
        int history = 0;  // of a quiet move
    };
    struct Knowledge {
        const Evaluator& evaluator;
        const Histories& histories;
        Histories::Trail trail;
    };

    // All moves; `hash_move` may come from another position.
    MovePicker(Position& position, const CheckInfo& info, const Knowledge& known, MoveStack& stack,
               Move hash_move, const Refutations& refutations);
    // Captures and promotions that lose no material.
    MovePicker(Position& position, const CheckInfo& info, const Knowledge& known, MoveStack& stack,
               Move hash_move);
    MovePicker(const MovePicker&) = delete;
    MovePicker& operator=(const MovePicker&) = delete;
    ~MovePicker() { stack_.top_ = base_; }

    Picked next();
    // From now on only those quiet moves that give check.
    void skip_quiets();

  private:
    enum class Stage : std::uint8_t {
        Hash,
        ListCaptures,
        Captures,
        Refutations,
        Quiets,
        BadCaptures,
        Done
    };

    Position& position_;
    const CheckInfo& info_;
    Knowledge known_;
    MoveStack& stack_;
    Move hash_move_;
    std::array<Move, 3> refutations_{};
    const bool noisy_only_;
    bool skips_quiets_ = false;
    Stage stage_ = Stage::Hash;
    // On the stack: captures that lose material, then those still to be picked; then quiet moves.
    std::size_t base_, bad_, next_, end_;
    std::size_t refutation_ = 0;

    bool is_legal_here(Move m);
    bool is_refutation(Move m) const;
    void list(Wanted wanted);
    void keep_checks(std::size_t first);
    MoveStack::Scored& pick();
    int capture_order(Move m) const;
    int quiet_order(Move m) const;
};

}  // namespace tabia
