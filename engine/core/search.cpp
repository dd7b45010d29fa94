#include "search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "exchange.hpp"
#include "move_generation.hpp"
#include "outcome.hpp"

namespace tabia {

namespace {

constexpr std::size_t kContinuationBits = 16;
constexpr int kHistoryLimit = 16384;
constexpr int kHashMoveOrder = 1 << 30;
constexpr int kGoodCaptureOrder = 1 << 26;
constexpr int kKillerOrder = 1 << 24;
constexpr int kBadCaptureOrder = -(1 << 26);
// A node is a move made, but under a stranger's rules a position may have a hundred thousand moves
// to be listed before one is made. A search that has listed so many a node ends as if out of
// nodes; games that people play stay far below.
constexpr std::uint64_t kMostListedANode = 1024;
// Most nodes are done after a few moves: so many are picked one by one, then the rest is sorted.
constexpr std::size_t kPickedSingly = 12;

constexpr Score kMateInSight = kMate - kMaxPly;
static_assert(kMostEvaluation < kMateInSight);

Score to_table(Score s, int ply) {
    return s >= kMateInSight ? s + ply : s <= -kMateInSight ? s - ply : s;
}
Score from_table(Score s, int ply) {
    return s >= kMateInSight ? s - ply : s <= -kMateInSight ? s + ply : s;
}

// Gravity: the nearer an entry is to its limit, the less it moves.
void nudge(std::int16_t& entry, int bonus) {
    entry = static_cast<std::int16_t>(entry + bonus - entry * std::abs(bonus) / kHistoryLimit);
}

// Whole logarithms, so that no libm decides a move.
unsigned log2_floor(unsigned x) {
    return static_cast<unsigned>(std::bit_width(x)) - 1;
}

}  // namespace

std::size_t hash_entries_for(std::uint64_t nodes) {
    constexpr std::uint64_t kLeast = 1 << 14, kMost = 1 << 22;
    return static_cast<std::size_t>(std::bit_ceil(std::clamp(nodes * 16, kLeast, kMost)));
}

Search::Search(const Evaluator& evaluator, std::size_t hash_entries)
    : evaluator_(evaluator), table_(std::bit_ceil(hash_entries)) {
    for (unsigned depth = 1; depth < reductions_.size(); ++depth)
        for (unsigned move = 1; move < reductions_[depth].size(); ++move)
            reductions_[depth][move] = static_cast<std::uint8_t>(
                log2_floor(depth) * log2_floor(move) / 5 + (move > 6 && depth > 2));
    new_game();
}

void Search::new_game() {
    std::fill(table_.begin(), table_.end(), Entry{});
    history_.assign(std::size_t{kPieces} * kSquares, 0);
    continuation_.assign(std::size_t{1} << kContinuationBits, 0);
    replies_.assign(std::size_t{kPieces} * kSquares, Move{});
    age_ = 0;
}

SearchResult Search::run(Position& position, const SearchLimits& limits,
                         const std::function<void(const SearchResult&)>& report) {
    position_ = &position;
    nodes_ = listed_ = 0;
    node_limit_ = limits.nodes;
    stop_ = limits.stop;
    deadline_.reset();
    if (limits.seconds > 0)
        deadline_ = std::chrono::steady_clock::now() +
                    std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                        std::chrono::duration<double>(limits.seconds));
    stopped_ = false;
    arena_top_ = 0;
    frames_.fill({});
    ++age_;

    SearchResult result;
    Score score = 0;
    const int deepest = std::min(limits.depth, kMaxPly - 1);
    for (int depth = 1; depth <= deepest && !stopped_; ++depth) {
        // 1. Aspiration: a narrow window around the last score, widened where it fails.
        int width = depth >= 5 ? 25 : 2 * kInfinite;
        Score alpha = std::max(score - width, -kInfinite),
              beta = std::min(score + width, kInfinite);
        while (true) {
            const Score found = search(alpha, beta, depth, 0, false);
            if (stopped_ && line_length_[0] == 0) break;
            if (!stopped_ &&
                ((found <= alpha && alpha > -kInfinite) || (found >= beta && beta < kInfinite))) {
                width *= 4;
                if (found <= alpha)
                    alpha = std::max(found - width, -kInfinite);
                else
                    beta = std::min(found + width, kInfinite);
                continue;
            }
            // A cut-short iteration counts once its first move, the old best one, is searched; with
            // a bound for a score it says less than the iteration before, but more than nothing.
            if (!stopped_ || depth == 1 || found > alpha) score = result.score = found;
            if (!stopped_) result.depth = depth;
            result.line.assign(lines_[0].begin(), lines_[0].begin() + line_length_[0]);
            break;
        }
        if (result.line.empty()) break;
        result.nodes = nodes_;
        if (report && !stopped_) report(result);
        if (node_limit_ == 0 && std::abs(score) >= kMateInSight &&
            depth >= 2 * (kMate - std::abs(score)))
            break;
    }
    result.nodes = nodes_;
    if (!result.line.empty()) {
        result.best = result.line.front();
    } else if (const auto moves = legal_moves(position); !moves.empty()) {
        result.best = moves.front();  // not even one move could be searched within the limit
        result.line = {result.best};
    }
    return result;
}

bool Search::out_of_nodes() {
    if (node_limit_ && (nodes_ >= node_limit_ || listed_ / kMostListedANode >= node_limit_))
        stopped_ = true;
    constexpr std::uint64_t kLookEvery = 1024;
    if (nodes_ % kLookEvery == 0) {
        if (stop_ && stop_->load(std::memory_order_relaxed)) stopped_ = true;
        if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) stopped_ = true;
    }
    return stopped_;
}

Score Search::no_moves(bool check, int ply) const {
    if (check) return -kMate + ply;
    switch (position_->rules().tables().sides[position_->turn()].stalemate) {
        case GameResult::Loss:
            return -kMate + ply;
        case GameResult::Win:
            return kMate - ply;
        case GameResult::Draw:
            break;
    }
    return 0;
}

std::optional<Score> Search::ended(int ply) {
    const auto& tables = position_->rules().tables();
    if (tables.bare != Bare::None && (position_->is_bare(White) || position_->is_bare(Black)) &&
        (!position_->in_check() || has_legal_move(*position_)))  // mate comes first
        if (const auto bare = bare_outcome(*position_)) {
            const int mine = position_->turn() == White ? bare->white : -bare->white;
            return mine * (kMate - ply);
        }
    if (tables.repetition) {
        const GameResult result = repetition_for_mover(tables);
        // A draw is as good as sure the second time; a win or a loss has to come true.
        if (result == GameResult::Draw) {
            if (position_->repeats()) return 0;
        } else if (position_->occurrences(tables.repetition) >= tables.repetition) {
            return (result == GameResult::Win ? 1 : -1) * (kMate - ply);
        }
    }
    if (tables.n_move_plies && position_->clock() >= tables.n_move_plies &&
        has_legal_move(*position_))  // mate and stalemate come first
        return 0;
    constexpr int kMostMen = 4;
    if (position_->man_count(White) + position_->man_count(Black) <= kMostMen &&
        is_dead(*position_))
        return 0;
    return std::nullopt;
}

void Search::make(Move m, int ply) {
    auto& frame = frames_[static_cast<std::size_t>(ply)];
    frame.moved = position_->at(m.from());
    frame.to = m.to();
    position_->make(m);
    ++nodes_;
}

void Search::take_line(Move m, int ply) {
    const auto at = static_cast<std::size_t>(ply);
    auto& line = lines_[at];
    line[0] = m;
    const int tail = line_length_[at + 1];
    std::copy_n(lines_[at + 1].begin(), tail, line.begin() + 1);
    line_length_[at] = tail + 1;
}

Score Search::search(Score alpha, Score beta, int depth, int ply, bool may_null) {
    const bool pv = beta - alpha > 1;
    const bool root = ply == 0;
    line_length_[static_cast<std::size_t>(ply)] = 0;

    // 1. The horizon.
    const CheckInfo info = position_->check_info();
    const bool check = info.checkers > 0;
    if (check && ply < kMaxPly / 2) ++depth;  // look one ply deeper at the answer to a check
    if (depth <= 0) return quiesce(alpha, beta, ply);
    if (out_of_nodes()) return 0;

    if (!root) {
        // 2. Draws by rule, and mates that cannot beat one already found.
        if (const auto over = ended(ply)) return *over;
        if (ply >= kMaxPly) return evaluator_.evaluate(*position_);
        alpha = std::max(alpha, -kMate + ply);
        beta = std::min(beta, kMate - ply - 1);
        if (alpha >= beta) return alpha;
    }

    // 3. Transposition table.
    const Key key = position_->key();
    const Entry entry = slot(key);
    const bool hit =
        entry.bound != Bound::None && entry.check == static_cast<std::uint32_t>(key >> 32);
    Move hash_move = hit ? entry.move : Move{};
    if (hit && !pv && entry.depth >= depth) {
        const Score s = from_table(entry.score, ply);
        if (entry.bound == Bound::Exact || (entry.bound == Bound::Lower && s >= beta) ||
            (entry.bound == Bound::Upper && s <= alpha))
            return s;
    }

    // 4. Static evaluation.
    auto& frame = frames_[static_cast<std::size_t>(ply)];
    const Score eval = check                            ? -kInfinite
                       : hit && entry.eval > -kInfinite ? entry.eval
                                                        : evaluator_.evaluate(*position_);
    frame.eval = eval;
    const bool improving =
        !check && ply >= 2 && eval > frames_[static_cast<std::size_t>(ply) - 2].eval;

    if (!pv && !check && std::abs(beta) < kMateInSight) {
        // 5. Reverse futility: far above beta near the horizon.
        if (depth <= 6 && eval - 85 * (depth - improving) >= beta) return eval;
        // 6. Razoring: far below alpha near the horizon.
        if (depth <= 2 && eval + 300 * depth <= alpha)
            if (const Score s = quiesce(alpha, alpha + 1, ply); s <= alpha || stopped_) return s;
        // 7. Null move, where the side has more than kings and pawns; verified when deep.
        if (may_null && depth >= 3 && eval >= beta) {
            bool has_piece = false;
            for (const Type type : position_->rules().types()) {
                const Piece p = piece_of(position_->turn(), type);
                has_piece = has_piece || (position_->count(p) && !position_->rules().is_royal(p) &&
                                          !position_->rules().may_promote(p));
            }
            if (has_piece) {
                const int reduction = 3 + depth / 4 + std::min(2, (eval - beta) / 200);
                frame.moved = kEmpty;
                position_->make_null();
                Score s = -search(-beta, -beta + 1, depth - 1 - reduction, ply + 1, false);
                position_->unmake_null();
                if (stopped_) return 0;
                if (s >= beta) {
                    if (s >= kMateInSight) s = beta;
                    if (depth < 10 ||
                        search(beta - 1, beta, depth - 1 - reduction, ply, false) >= beta)
                        return s;
                }
            }
        }
    }

    // 8. Without a hash move the ordering is poor: search less deep, the move will be there next
    // time.
    if (!hash_move && depth >= 5) --depth;

    // 9. Moves.
    const std::size_t base = arena_top_;
    const std::size_t count = list_moves(info, false, hash_move, ply);
    if (count == 0) return no_moves(check, ply);
    frames_[static_cast<std::size_t>(ply) + 1].killers = {};

    Score best = -kInfinite;
    const Score first_alpha = alpha;
    Move best_move;
    std::array<Move, 64> quiets_tried;
    std::size_t quiets = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Move m = pick(base, count, i);
        const bool noisy = position_->is_capture(m) || m.promotes();
        const int order = arena_[base + i].order;

        // 10. Shallow pruning of moves that hardly ever matter.
        if (!root && best > -kMateInSight && !check) {
            if (!noisy) {
                if (depth <= 8 && static_cast<int>(i) >= (4 + depth * depth) / (improving ? 1 : 2))
                    continue;
                if (depth <= 7 && eval + 120 + 90 * depth <= alpha) continue;
                if (depth <= 4 && quiet_history(m, ply) < -2500 * depth) continue;
                if (depth <= 6 && exchange_value(*position_, evaluator_, m) < -40 * depth) continue;
            } else if (depth <= 5 && order < 0 &&
                       exchange_value(*position_, evaluator_, m) < -90 * depth) {
                continue;
            }
        }

        const int history = noisy ? 0 : quiet_history(m, ply);
        make(m, ply);
        Score s;
        if (i == 0) {
            s = -search(-beta, -alpha, depth - 1, ply + 1, true);
        } else {
            // 11. Late move reductions, then principal variation search.
            int reduction = 0;
            if (depth >= 3 && i >= 2 && !(noisy && order > 0)) {
                reduction = reductions_[static_cast<std::size_t>(std::min(depth, 63))]
                                       [std::min<std::size_t>(i, 63)];
                reduction += !pv;
                reduction -= improving;
                reduction -= history / 5000;
                if (check) --reduction;
                reduction = std::clamp(reduction, 0, depth - 2);
            }
            s = -search(-alpha - 1, -alpha, depth - 1 - reduction, ply + 1, true);
            if (s > alpha && reduction > 0)
                s = -search(-alpha - 1, -alpha, depth - 1, ply + 1, true);
            if (s > alpha && s < beta) s = -search(-beta, -alpha, depth - 1, ply + 1, true);
        }
        position_->unmake();
        if (stopped_) break;

        // 12. A new best move; a cutoff teaches the ordering.
        if (s > best) {
            best = s;
            if (s > alpha) {
                best_move = m;
                alpha = s;
                if (pv) take_line(m, ply);
                if (s >= beta) {
                    if (!noisy) reward(m, {quiets_tried.data(), quiets}, depth, ply);
                    break;
                }
            } else if (root && i == 0) {
                take_line(m, ply);
            }
        }
        if (!noisy && quiets < quiets_tried.size()) quiets_tried[quiets++] = m;
    }
    arena_top_ = base;
    if (stopped_) return best == -kInfinite ? 0 : best;

    // 13. Remember.
    const Bound bound = best >= beta          ? Bound::Lower
                        : alpha > first_alpha ? Bound::Exact
                                              : Bound::Upper;
    store(key, best_move ? best_move : hash_move, best, eval, depth, bound, ply);
    return best;
}

Score Search::quiesce(Score alpha, Score beta, int ply) {
    line_length_[static_cast<std::size_t>(ply)] = 0;
    if (out_of_nodes()) return 0;
    const CheckInfo info = position_->check_info();
    const bool check = info.checkers > 0;
    if (const auto over = ended(ply)) return *over;
    if (ply >= kMaxPly) return evaluator_.evaluate(*position_);

    const Key key = position_->key();
    const Entry entry = slot(key);
    const bool hit =
        entry.bound != Bound::None && entry.check == static_cast<std::uint32_t>(key >> 32);
    if (hit && beta - alpha == 1) {
        const Score s = from_table(entry.score, ply);
        if (entry.bound == Bound::Exact || (entry.bound == Bound::Lower && s >= beta) ||
            (entry.bound == Bound::Upper && s <= alpha))
            return s;
    }

    // Standing pat: some quiet move is assumed to be at least as good as doing nothing.
    Score best = -kInfinite;
    Score eval = -kInfinite;
    if (!check) {
        best = eval = hit && entry.eval > -kInfinite ? entry.eval : evaluator_.evaluate(*position_);
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
    }
    const std::size_t base = arena_top_;
    const std::size_t count = list_moves(info, !check, hit ? entry.move : Move{}, ply);
    if (check && count == 0) return no_moves(true, ply);

    Move best_move;
    const Score first_alpha = alpha;
    for (std::size_t i = 0; i < count; ++i) {
        const Move m = pick(base, count, i);
        if (!check) {
            if (arena_[base + i].order < 0) break;  // captures that lose material
            const int gain =
                (position_->is_capture(m) ? won_by(m) : 0) +
                (m.promotes() ? evaluator_.value(piece_of(position_->turn(), m.promotion())) : 0);
            if (eval + gain + 150 <= alpha) {
                best = std::max(best, eval + gain + 150);
                continue;
            }
        }
        make(m, ply);
        const Score s = -quiesce(-beta, -alpha, ply + 1);
        position_->unmake();
        if (stopped_) break;
        if (s > best) {
            best = s;
            if (s > alpha) {
                alpha = s;
                best_move = m;
                if (s >= beta) break;
            }
        }
    }
    arena_top_ = base;
    if (stopped_) return best;
    store(key, best_move, best, eval, 0,
          best >= beta          ? Bound::Lower
          : alpha > first_alpha ? Bound::Exact
                                : Bound::Upper,
          ply);
    return best;
}

std::size_t Search::list_moves(const CheckInfo& info, bool noisy, Move hash_move, int ply) {
    const std::size_t bound = position_->rules().move_bound();
    if (generated_.size() < bound) generated_.resize(bound);
    Move* const end =
        generate(*position_, info, noisy ? Wanted::Noisy : Wanted::All, generated_.data());
    const auto count = static_cast<std::size_t>(end - generated_.data());
    if (arena_.size() < arena_top_ + count) arena_.resize(2 * (arena_top_ + count));
    for (std::size_t i = 0; i < count; ++i)
        arena_[arena_top_ + i] = {generated_[i], order_of(generated_[i], hash_move, ply)};
    arena_top_ += count;
    listed_ += count;
    return count;
}

Move Search::pick(std::size_t base, std::size_t count, std::size_t from) {
    const auto first = arena_.begin() + static_cast<std::ptrdiff_t>(base + from),
               end = arena_.begin() + static_cast<std::ptrdiff_t>(base + count);
    const auto before = [](const Scored& x, const Scored& y) { return x.order > y.order; };
    // Either way moves of equal order stay in the order of generation.
    if (from < kPickedSingly) {
        const auto best = std::min_element(first, end, before);
        std::rotate(first, best, best + 1);
    } else if (from == kPickedSingly) {
        std::stable_sort(first, end, before);
    }
    return first->move;
}

int Search::order_of(Move m, Move hash_move, int ply) const {
    if (m == hash_move) return kHashMoveOrder;
    const auto& frame = frames_[static_cast<std::size_t>(ply)];
    const Piece mover = position_->at(m.from());
    if (position_->is_capture(m) || m.promotes()) {
        const int won = position_->is_capture(m) ? won_by(m) : 0;
        const int promoted =
            m.promotes() ? evaluator_.value(piece_of(position_->turn(), m.promotion())) : 0;
        const int order = (won + promoted) * 16 - evaluator_.value(mover) / 16;
        const bool loses = (m.promotes() || won < evaluator_.value(mover)) &&
                           exchange_value(*position_, evaluator_, m) < 0;
        return (loses ? kBadCaptureOrder : kGoodCaptureOrder) + order;
    }
    bool captures_own = false;
    position_->for_each_victim(m, [&captures_own](Square) { captures_own = true; });
    if (captures_own) return 16 * won_by(m);
    if (m == frame.killers[0]) return kKillerOrder + 2;
    if (m == frame.killers[1]) return kKillerOrder + 1;
    if (ply > 0) {
        const auto& before = frames_[static_cast<std::size_t>(ply) - 1];
        if (before.moved != kEmpty &&
            m == replies_[before.moved * std::size_t{kSquares} + before.to])
            return kKillerOrder;
    }
    return quiet_history(m, ply);
}

// The values of the enemy men that a move captures, less those of its own men.
int Search::won_by(Move m) const {
    int won = 0;
    position_->for_each_victim(m, [&](Square s) {
        const Piece man = position_->at(s);
        won += colour_of(man) == position_->turn() ? -evaluator_.value(man) : evaluator_.value(man);
    });
    return won;
}

int Search::quiet_history(Move m, int ply) const {
    const Piece mover = position_->at(m.from());
    int h = history_[mover * std::size_t{kSquares} + m.to()];
    for (const int back : {1, 2})
        if (ply >= back && frames_[static_cast<std::size_t>(ply - back)].moved != kEmpty)
            h += continuation_[continuation_index(ply - back, mover, m.to())];
    return h;
}

std::size_t Search::continuation_index(int ply, Piece piece, Square to) const {
    const auto& before = frames_[static_cast<std::size_t>(ply)];
    // Hashed as the mover sees it, White and Black apart: chance collisions favour neither.
    const Colour mover = colour_of(piece);
    const int flip = mover == White ? 0 : kWidth * (position_->rules().tables().ranks - 1);
    const auto own = [flip](Square s) {
        return static_cast<std::uint32_t>(flip ? flip - (s & 0xf0) + (s & 15) : s);
    };
    const auto other = static_cast<std::uint32_t>(colour_of(before.moved) != mover);
    const std::uint32_t word =
        (((other * kTypes + type_of(before.moved)) * kSquares + own(before.to)) * kTypes +
         type_of(piece)) *
            kSquares +
        own(to);
    return std::size_t{mover} << (kContinuationBits - 1) |
           (word * 0x9e3779b1u) >> (33 - kContinuationBits);
}

void Search::reward(Move best, std::span<const Move> tried, int depth, int ply) {
    auto& frame = frames_[static_cast<std::size_t>(ply)];
    if (frame.killers[0] != best) {
        frame.killers[1] = frame.killers[0];
        frame.killers[0] = best;
    }
    const int bonus = std::min(1600, 16 * depth * depth + 32 * depth);
    const auto learn = [&](Move m, int amount) {
        const Piece mover = position_->at(m.from());
        nudge(history_[mover * std::size_t{kSquares} + m.to()], amount);
        for (const int back : {1, 2})
            if (ply >= back && frames_[static_cast<std::size_t>(ply - back)].moved != kEmpty)
                nudge(continuation_[continuation_index(ply - back, mover, m.to())], amount);
    };
    learn(best, bonus);
    for (const Move m : tried) learn(m, -bonus);
    if (ply > 0)
        if (const auto& before = frames_[static_cast<std::size_t>(ply) - 1]; before.moved != kEmpty)
            replies_[before.moved * std::size_t{kSquares} + before.to] = best;
}

void Search::store(Key key, Move m, Score score, Score eval, int depth, Bound bound, int ply) {
    Entry& entry = slot(key);
    const auto check = static_cast<std::uint32_t>(key >> 32);
    const bool same = entry.bound != Bound::None && entry.check == check;
    // Keep a deeper entry of this move's search; let everything older go.
    if (entry.bound != Bound::None && entry.age == age_ && entry.depth > depth + (same ? 3 : 0) &&
        bound != Bound::Exact)
        return;
    entry.check = check;
    entry.move = m ? m : same ? entry.move : Move{};
    entry.score = static_cast<std::int16_t>(to_table(score, ply));
    entry.eval = static_cast<std::int16_t>(eval);
    entry.depth = static_cast<std::uint8_t>(std::max(depth, 0));
    entry.bound = bound;
    entry.age = age_;
}

}  // namespace tabia
