#include "move_picker.hpp"

#include <algorithm>

#include "exchange.hpp"

namespace tabia {

MovePicker::MovePicker(Position& position, const CheckInfo& info, const Knowledge& known,
                       MoveStack& stack, Move hash_move, const Refutations& refutations)
    : position_(position),
      info_(info),
      known_(known),
      stack_(stack),
      hash_move_(hash_move),
      refutations_{refutations.killers[0], refutations.killers[1], refutations.reply},
      noisy_only_(false),
      base_(stack.top_),
      bad_(base_),
      next_(base_),
      end_(base_) {
    if (hash_move_ && !is_legal_here(hash_move_)) hash_move_ = Move{};
}

MovePicker::MovePicker(Position& position, const CheckInfo& info, const Knowledge& known,
                       MoveStack& stack, Move hash_move)
    : position_(position),
      info_(info),
      known_(known),
      stack_(stack),
      hash_move_(hash_move),
      noisy_only_(true),
      base_(stack.top_),
      bad_(base_),
      next_(base_),
      end_(base_) {
    if (hash_move_ && (!is_noisy(position, hash_move_) || !is_legal_here(hash_move_)))
        hash_move_ = Move{};
}

bool MovePicker::is_legal_here(Move m) {
    return is_legal(position_, info_, m, stack_.generated_.data());
}

bool MovePicker::is_refutation(Move m) const {
    return std::find(refutations_.begin(), refutations_.end(), m) != refutations_.end();
}

MovePicker::Picked MovePicker::next() {
    switch (stage_) {
        case Stage::Hash:
            stage_ = Stage::ListCaptures;
            if (hash_move_) return {hash_move_, Kind::Hash};
            [[fallthrough]];
        case Stage::ListCaptures:
            list(Wanted::Noisy);
            stage_ = Stage::Captures;
            [[fallthrough]];
        case Stage::Captures:
            while (next_ != end_) {
                const MoveStack::Scored listed = pick();
                if (exchange_reaches(position_, known_.evaluator, listed.move, 0))
                    return {listed.move, Kind::GoodCapture};
                if (!noisy_only_) stack_.scored_[bad_++] = listed;
            }
            if (noisy_only_) {
                stage_ = Stage::Done;
                return {};
            }
            stage_ = Stage::Refutations;
            [[fallthrough]];
        case Stage::Refutations:
            while (!skips_quiets_ && refutation_ != refutations_.size()) {
                Move& m = refutations_[refutation_++];
                const auto earlier =
                    refutations_.begin() + static_cast<std::ptrdiff_t>(refutation_ - 1);
                if (m && m != hash_move_ &&
                    std::find(refutations_.begin(), earlier, m) == earlier &&
                    !is_noisy(position_, m) && is_legal_here(m))
                    return {m, Kind::Refutation, quiet_order(m)};
                m = Move{};
            }
            stage_ = Stage::Quiets;
            list(Wanted::Quiet);
            [[fallthrough]];
        case Stage::Quiets:
            if (next_ != end_) {
                const MoveStack::Scored listed = pick();
                return {listed.move, Kind::Quiet, listed.order};
            }
            stage_ = Stage::BadCaptures;
            next_ = base_;
            [[fallthrough]];
        case Stage::BadCaptures:
            if (next_ != bad_) return {stack_.scored_[next_++].move, Kind::BadCapture};
            stage_ = Stage::Done;
            [[fallthrough]];
        case Stage::Done:
            break;
    }
    return {};
}

void MovePicker::list(Wanted wanted) {
    const Move* const end = generate(position_, info_, wanted, stack_.generated_.data());
    const auto count = static_cast<std::size_t>(end - stack_.generated_.data());
    stack_.listed_ += count;
    next_ = end_ = bad_;
    if (stack_.scored_.size() < end_ + count) stack_.scored_.resize(2 * (end_ + count));
    for (const Move* m = stack_.generated_.data(); m != end; ++m) {
        if (*m == hash_move_ || (wanted == Wanted::Quiet && is_refutation(*m))) continue;
        stack_.scored_[end_++] = {*m,
                                  wanted == Wanted::Quiet ? quiet_order(*m) : capture_order(*m)};
    }
    stack_.top_ = end_;
    if (wanted == Wanted::Quiet && skips_quiets_) keep_checks(next_);
}

void MovePicker::skip_quiets() {
    skips_quiets_ = true;
    if (stage_ == Stage::Quiets) keep_checks(next_);
}

void MovePicker::keep_checks(std::size_t first) {
    const DirectChecks checks(position_);
    const auto begin = stack_.scored_.begin();
    const auto kept = std::remove_if(
        begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end_),
        [&](const MoveStack::Scored& listed) { return !checks.given_by(listed.move); });
    end_ = static_cast<std::size_t>(kept - begin);
}

// Most nodes are done after a few moves: to sort them all would be dearer.
MoveStack::Scored& MovePicker::pick() {
    MoveStack::Scored* const first = stack_.scored_.data() + next_++;
    MoveStack::Scored* best = first;
    for (MoveStack::Scored* each = first + 1; each != stack_.scored_.data() + end_; ++each)
        if (each->order > best->order) best = each;
    std::swap(*first, *best);
    return *first;
}

int MovePicker::capture_order(Move m) const {
    const Evaluator& evaluator = known_.evaluator;
    const int promoted =
        m.promotes() ? evaluator.value(piece_of(position_.turn(), m.promotion())) : 0;
    if (!position_.is_capture(m)) return promoted * 16;
    return (won_by(position_, evaluator, m) + promoted) * 16 -
           evaluator.value(position_.at(m.from())) / 16;
}

int MovePicker::quiet_order(Move m) const {
    bool captures_own = false;
    position_.for_each_victim(m, [&captures_own](Square) { captures_own = true; });
    if (captures_own) return 16 * won_by(position_, known_.evaluator, m);
    return known_.histories.quiet(position_.at(m.from()), m.to(), known_.trail);
}

}  // namespace tabia
