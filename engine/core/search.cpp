#include "search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "direct_checks.hpp"
#include "exchange.hpp"
#include "move_generation.hpp"
#include "outcome.hpp"

namespace tabia {

namespace {

// A node is a move made, but under a stranger's rules a position may have a hundred thousand moves
// to be listed before one is made. A search that has listed so many a node ends as if out of
// nodes; games that people play stay far below.
constexpr std::uint64_t kMostListedANode = 512;
// To evaluate is to walk all moves of both sides: of the most there could be, that much.
constexpr std::uint64_t kEvaluationShare = 32;
// Beyond this the men's activity seldom differs from what it was before the last moves.
constexpr Score kMostChange = 100;
// A node so near to the horizon ends at once where its evaluation is that far above the window, and
// tries no quiet moves where it is that far below.
constexpr int kMostFutileDepth = 6;
constexpr Score futility_above(int depth) {
    return 85 * depth;
}
constexpr Score futility_below(int depth) {
    return 120 + 90 * depth;
}

// 16 times the binary logarithm, rounded down: in whole numbers, so that no libm decides a move.
unsigned log2_sixteenths(unsigned x) {
    // Squaring doubles the logarithm: four squarings give four binary digits more.
    const unsigned whole = static_cast<unsigned>(std::bit_width(x)) - 1;
    std::uint64_t mantissa = (std::uint64_t{x} << 31) >> whole;  // 1 to 2, with 31 binary places
    unsigned result = whole;
    for (int i = 0; i < 4; ++i) {
        mantissa = (mantissa * mantissa) >> 31;
        result *= 2;
        if (mantissa >> 32) {
            mantissa >>= 1;
            ++result;
        }
    }
    return result;
}

// From so many moves on, quiet ones are too late to matter. As other engines have it, such a bound
// is half as high: with a hundred moves a position that costs much in searches of some thousand
// nodes, and nothing that could be measured in longer ones (docs/engine-notes.md).
constexpr int late(int depth, bool improving) {
    return (8 + 2 * depth * depth) / (improving ? 1 : 2);
}

}  // namespace

std::size_t hash_entries_for(std::uint64_t nodes) {
    // A table that outgrows the processor's caches costs more than it saves.
    constexpr std::uint64_t kLeast = 1 << 14, kMost = 1 << 22;
    return static_cast<std::size_t>(std::bit_floor(std::clamp(nodes * 4, kLeast, kMost)));
}

Search::Search(const Evaluator& evaluator, std::size_t hash_entries)
    : evaluator_(evaluator), table_(hash_entries), histories_(evaluator.ranks()) {
    for (unsigned depth = 1; depth < reductions_.size(); ++depth)
        for (unsigned move = 1; move < reductions_[depth].size(); ++move)
            reductions_[depth][move] = static_cast<std::uint8_t>(
                (log2_sixteenths(depth) * log2_sixteenths(move) / 4 + 128) / 256);
}

void Search::new_game() {
    table_.clear();
    histories_.clear();
}

SearchResult Search::run(Position& position, const SearchLimits& limits,
                         const std::function<void(const SearchResult&)>& report) {
    position_ = &position;
    nodes_ = evaluations_listed_ = 0;
    node_limit_ = limits.nodes;
    stop_ = limits.stop;
    deadline_.reset();
    if (limits.seconds > 0)
        deadline_ = std::chrono::steady_clock::now() +
                    std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                        std::chrono::duration<double>(limits.seconds));
    stopped_ = false;
    stack_.clear(position.rules());
    frames_.fill({});
    table_.next_search();

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
    const std::uint64_t listed = stack_.listed() + evaluations_listed_;
    if (node_limit_ && (nodes_ >= node_limit_ || listed / kMostListedANode >= node_limit_))
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

Search::Judged Search::evaluate(Score alpha, Score beta, int ply) {
    Frame& here = frame(ply);
    const Score sign = position_->turn() == White ? 1 : -1;
    const Score coarse = evaluator_.coarse(*position_);
    if (ply > 0) here.activity = frame(ply - 1).activity;
    if (here.activity) {
        const Score guess =
            std::clamp(coarse + sign * *here.activity, -kMostEvaluation, kMostEvaluation);
        if (guess + kMostChange <= alpha || guess - kMostChange >= beta) return {guess, true};
    }
    evaluations_listed_ += position_->rules().move_bound() / kEvaluationShare;
    const Score exact = evaluator_.evaluate(*position_);
    here.activity = sign * (exact - coarse);
    return {exact, false};
}

Search::Judged Search::static_evaluation(const Found& found, Score alpha, Score beta, int ply) {
    if (found.eval == -kInfinite) return evaluate(alpha, beta, ply);
    const Score sign = position_->turn() == White ? 1 : -1;
    frame(ply).activity = sign * (found.eval - evaluator_.coarse(*position_));
    return {found.eval, false};
}

Histories::Trail Search::trail(int ply) const {
    static constexpr Histories::Step kNone{};
    const auto back = [&](int plies) {
        return ply >= plies ? &frames_[static_cast<std::size_t>(ply - plies)].step : &kNone;
    };
    return {back(1), back(2)};
}

void Search::make(Move m, int ply) {
    frame(ply).step = histories_.step(position_->at(m.from()), m.to());
    position_->make(m);
    table_.prefetch(position_->key());
    ++nodes_;
}

// The mover's men that neither are royal nor promote: with few of them, to have to move may be a
// loss, which a null move does not see.
int Search::free_men() const {
    const Rules& rules = position_->rules();
    int men = 0;
    for (const Type type : rules.types()) {
        const Piece p = piece_of(position_->turn(), type);
        if (!rules.is_royal(p) && !rules.may_promote(p)) men += position_->count(p);
    }
    return men;
}

void Search::take_line(Move m, int ply) {
    const auto at = static_cast<std::size_t>(ply);
    auto& line = lines_[at];
    line[0] = m;
    const int tail = line_length_[at + 1];
    std::copy_n(lines_[at + 1].begin(), tail, line.begin() + 1);
    line_length_[at] = tail + 1;
}

Score Search::search(Score alpha, Score beta, int depth, int ply, bool may_null, Move left_out) {
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
        if (ply >= kMaxPly) return evaluate(ply);
        alpha = std::max(alpha, -kMate + ply);
        beta = std::min(beta, kMate - ply - 1);
        if (alpha >= beta) return alpha;
    }

    // 3. Transposition table.
    const Key key = position_->key();
    const Found found = table_.find(key, ply);
    if (!pv && !left_out && found.depth >= depth && found.settles(alpha, beta)) return found.score;

    // 4. Static evaluation.
    Frame& here = frame(ply);
    Judged judged{-kInfinite, false};
    if (check) {
        here.activity = ply > 0 ? frame(ply - 1).activity : std::nullopt;
    } else {
        // Far outside the window the node is cut, whatever the men do.
        const bool shallow = !pv && !left_out && depth <= kMostFutileDepth;
        judged = shallow ? static_evaluation(found, alpha - futility_below(depth),
                                             beta + futility_above(depth), ply)
                         : static_evaluation(found, -kInfinite, kInfinite, ply);
    }
    const Score eval = here.eval = judged.score;
    const bool improving = !check && ply >= 2 && eval > frame(ply - 2).eval;

    if (!pv && !check && !left_out && std::abs(beta) < kMateInSight) {
        // 5. Reverse futility: far above beta near the horizon.
        if (depth <= kMostFutileDepth && eval - futility_above(depth - improving) >= beta)
            return eval;
        // 6. Razoring: far below alpha near the horizon.
        if (depth <= 2 && eval + 300 * depth <= alpha)
            if (const Score s = quiesce(alpha, alpha + 1, ply); s <= alpha || stopped_) return s;
        // 7. Null move; verified when deep.
        if (may_null && depth >= 3 && eval >= beta && free_men() > 1) {
            const int reduction = 3 + depth / 4 + std::min(2, (eval - beta) / 200);
            here.step = {};
            position_->make_null();
            Score s = -search(-beta, -beta + 1, depth - 1 - reduction, ply + 1, false);
            position_->unmake_null();
            if (stopped_) return 0;
            if (s >= beta) {
                if (s >= kMateInSight) s = beta;
                if (depth < 10 || search(beta - 1, beta, depth - 1 - reduction, ply, false) >= beta)
                    return s;
            }
        }
    }

    // 8. Without a hash move the ordering is poor: search less deep, the move will be there next
    // time.
    if (!found.move && depth >= 5) --depth;

    // 9. Moves.
    frame(ply + 1).killers = {};
    const Histories::Trail before = trail(ply);
    MovePicker moves(*position_, info, {evaluator_, histories_, before}, stack_, found.move,
                     {here.killers, histories_.reply(*before[0])});
    using Kind = MovePicker::Kind;

    Score best = -kInfinite;
    const Score first_alpha = alpha;
    Move best_move;
    std::array<Move, 64> quiets_tried;
    std::size_t quiets = 0;
    std::size_t i = 0;
    bool skips_quiets = false;
    for (MovePicker::Picked picked = moves.next(); picked.move; picked = moves.next(), ++i) {
        const Move m = picked.move;
        if (m == left_out) continue;
        const bool noisy = is_noisy(*position_, m);

        // 10. Shallow pruning of moves that hardly ever matter.
        if (!root && best > -kMateInSight && !check) {
            if (!noisy) {
                // Where one quiet move is too late or too little, all that follow are.
                if (!skips_quiets &&
                    ((depth <= 8 && static_cast<int>(i) >= late(depth, improving)) ||
                     (depth <= 7 && eval + futility_below(depth) <= alpha))) {
                    skips_quiets = true;  // but for those that give check
                    moves.skip_quiets();
                    if (!DirectChecks(*position_).given_by(m)) continue;
                }
                if (depth <= 4 && picked.history < -2500 * depth) continue;
                if (depth <= 6 && !exchange_reaches(*position_, evaluator_, m, -40 * depth))
                    continue;
            } else if (depth <= 5 && picked.kind == Kind::BadCapture &&
                       !exchange_reaches(*position_, evaluator_, m, -90 * depth)) {
                continue;
            }
        }

        // 11. Singular extension: when all other moves fall far short of the hash move, look one
        // ply deeper behind it.
        int extension = 0;
        if (!root && depth >= 7 && m == found.move && !left_out && found.depth + 3 >= depth &&
            found.bound != Bound::Upper && ply < kMaxPly / 2 &&
            std::abs(found.score) < kMateInSight) {
            const Score target = found.score - 2 * depth;
            const Score others = search(target - 1, target, (depth - 1) / 2, ply, false, m);
            if (stopped_) break;
            if (others < target)
                extension = 1;
            else if (others >= beta && !pv)
                return others;  // several moves are good enough
        }

        make(m, ply);
        Score s;
        if (i == 0) {
            s = -search(-beta, -alpha, depth - 1 + extension, ply + 1, true);
        } else {
            // 12. Late move reductions, then principal variation search.
            int reduction = 0;
            if (depth >= 3 && i >= 2 && picked.kind != Kind::GoodCapture) {
                reduction = reductions_[static_cast<std::size_t>(std::min(depth, 63))]
                                       [std::min<std::size_t>(i, 63)];
                reduction += !pv;
                reduction -= improving;
                reduction -= picked.history / 5000;
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

        // 13. A new best move; a cutoff teaches the ordering.
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
    if (stopped_) return best == -kInfinite ? 0 : best;
    if (best == -kInfinite) return left_out ? alpha : no_moves(check, ply);
    if (left_out) return best;

    // 14. Remember.
    const Bound bound = best >= beta          ? Bound::Lower
                        : alpha > first_alpha ? Bound::Exact
                                              : Bound::Upper;
    table_.store(key, best_move ? best_move : found.move, best, judged.known(), depth, bound, ply);
    return best;
}

Score Search::quiesce(Score alpha, Score beta, int ply) {
    line_length_[static_cast<std::size_t>(ply)] = 0;
    if (out_of_nodes()) return 0;
    const CheckInfo info = position_->check_info();
    const bool check = info.checkers > 0;
    if (const auto over = ended(ply)) return *over;
    if (ply >= kMaxPly) return evaluate(ply);

    const Key key = position_->key();
    const Found found = table_.find(key, ply);
    if (found && beta - alpha == 1 && found.settles(alpha, beta)) return found.score;

    // Standing pat: some quiet move is assumed to be at least as good as doing nothing.
    Score best = -kInfinite;
    Judged judged{-kInfinite, false};
    if (check) {
        frame(ply).activity = ply > 0 ? frame(ply - 1).activity : std::nullopt;
    } else {
        judged = static_evaluation(found, alpha, beta, ply);
        best = judged.score;
        // A search of this position, if it says where the truth is, judges better.
        if (found && std::abs(found.score) < kMateInSight &&
            (found.bound == Bound::Exact ||
             found.bound == (found.score > best ? Bound::Lower : Bound::Upper)))
            best = found.score;
        if (best >= beta) {
            if (!found) table_.store(key, Move{}, best, judged.known(), 0, Bound::Lower, ply);
            return best;
        }
        alpha = std::max(alpha, best);
    }
    const MovePicker::Knowledge known{evaluator_, histories_, trail(ply)};
    Move best_move;
    const Score first_alpha = alpha;
    bool any = false;
    // Tries a move; true if nothing more need be tried.
    const auto settles = [&](Move m) {
        any = true;
        if (!check) {
            const int gain =
                (position_->is_capture(m) ? won_by(*position_, evaluator_, m) : 0) +
                (m.promotes() ? evaluator_.value(piece_of(position_->turn(), m.promotion())) : 0);
            if (judged.score + gain + 150 <= alpha) {
                best = std::max(best, judged.score + gain + 150);
                return false;
            }
        }
        make(m, ply);
        const Score s = -quiesce(-beta, -alpha, ply + 1);
        position_->unmake();
        if (stopped_) return true;
        if (s > best) {
            best = s;
            if (s > alpha) {
                alpha = s;
                best_move = m;
            }
        }
        return best >= beta;
    };
    const auto try_all = [&](MovePicker&& moves) {
        for (Move m = moves.next().move; m && !settles(m);) m = moves.next().move;
    };
    if (check)
        try_all(MovePicker(*position_, info, known, stack_, found.move, {}));
    else
        try_all(MovePicker(*position_, info, known, stack_, found.move));
    if (stopped_) return best;
    if (check && !any) return no_moves(true, ply);
    table_.store(key, best_move, best, judged.known(), 0,
                 best >= beta          ? Bound::Lower
                 : alpha > first_alpha ? Bound::Exact
                                       : Bound::Upper,
                 ply);
    return best;
}

void Search::reward(Move best, std::span<const Move> tried, int depth, int ply) {
    Frame& here = frame(ply);
    if (here.killers[0] != best) {
        here.killers[1] = here.killers[0];
        here.killers[0] = best;
    }
    const int bonus = std::min(1600, 16 * depth * depth + 32 * depth);
    const Histories::Trail before = trail(ply);
    const auto learn = [&](Move m, int amount) {
        histories_.learn_quiet(position_->at(m.from()), m.to(), before, amount);
    };
    learn(best, bonus);
    for (const Move m : tried) learn(m, -bonus);
    histories_.learn_reply(*before[0], best);
}

}  // namespace tabia
