#include "evaluation.hpp"

#include <algorithm>
#include <cstdlib>

#include "position.hpp"
#include "scores.hpp"

namespace tabia {

namespace {

// 0 on the rim to 256 on the middle of the board; the mean of file and rank.
int centrality(const RuleTables& tables, Square s) {
    const auto along = [](int at, int length) {
        const int most = (length - 1) / 2;
        return most == 0 ? 256 : std::min(at, length - 1 - at) * 256 / most;
    };
    return (along(file_of(s), tables.files) + along(rank_of(s), tables.ranks)) / 2;
}

int by_rank(const std::vector<int>& table, int rank) {
    return table.empty() ? 0 : table[std::min(static_cast<std::size_t>(rank), table.size() - 1)];
}

}  // namespace

Evaluator::Evaluator(const Rules& rules, const Weights& weights)
    : table_(std::size_t{kPieces} * kSquares),
      tempo_(weights.tempo),
      files_(rules.tables().files),
      ranks_(rules.tables().ranks),
      activity_(rules, weights) {
    for (const Colour side : {White, Black})
        for (const Type type : rules.types()) {
            const Piece piece = piece_of(side, type);
            const auto& w = weights.letter[type];
            // The only king is always there: he weighs nothing. One of several who may be lost is
            // worth what he is as a piece.
            const bool only = rules.only_king(side) == piece;
            const bool kept = only || (rules.is_royal(piece) &&
                                       rules.tables().sides[side].check == CheckRule::Every);
            const int mid = only ? 0 : w.mid, end = only ? 0 : w.end;
            values_[piece] = kept ? kKingExchangeValue : (w.mid + w.end) / 2;
            const int sign = side == White ? 1 : -1;
            const auto weigh = [&](Square s, Square stands) {
                const int centre = centrality(rules.tables(), stands) - 128;
                const int rank = side == White ? rank_of(stands) : ranks_ - 1 - rank_of(stands);
                auto& entry = table_[std::size_t{piece} * kSquares + s];
                entry.mid =
                    sign * (mid + w.centre_mid * centre / 256 + by_rank(w.advance_mid, rank));
                entry.end =
                    sign * (end + w.centre_end * centre / 256 + by_rank(w.advance_end, rank));
                entry.phase = w.phase;
            };
            rules.board().for_each([&](Square s) { weigh(s, s); });
            for (const auto& c : rules.tables().citadels) weigh(c.square, c.moves_as);
        }
    // The middlegame lasts until a quarter of the array's material has gone.
    int phase = 0;
    for (const char c : rules.tables().start_fen) {
        if (c == ' ') break;
        if (const Piece p = rules.piece_from_letter(c); p != kEmpty)
            phase += weights.letter[type_of(p)].phase;
    }
    full_phase_ = std::max(1, phase * 3 / 4);
    for (const Colour side : {White, Black})
        if (!rules.only_king(side)) leave_out_kept_men(rules, weights, side);
}

// Of several royal men, those that a side can never lose weigh nothing either, so that the sides of
// an array are compared by what they could lose or win.
void Evaluator::leave_out_kept_men(const Rules& rules, const Weights& weights, Colour side) {
    const int sign = side == White ? 1 : -1;
    const bool all = rules.tables().sides[side].check == CheckRule::Every;
    Weighed least;
    bool found = false;
    rules.board().for_each([&](Square s) {
        const Piece piece = rules.array_man(s);
        if (piece == kEmpty || colour_of(piece) != side || !rules.is_royal(piece)) return;
        const auto& w = weights.letter[type_of(piece)];
        const Weighed own{sign * w.mid, sign * w.end, 0};
        if (all)
            kept_ += own;
        else if (!found || std::abs(own.mid) < std::abs(least.mid))
            least = own;
        found = true;
    });
    kept_ += least;
}

Score Evaluator::evaluate(const Position& position) const {
    // Against a bare king only the drive counts.
    const bool bare = position.man_count(White) == 1 || position.man_count(Black) == 1;
    return finished(position, bare ? Activity::Worth{} : activity_.worth(position));
}

Score Evaluator::finished(const Position& position, const Activity::Worth& active) const {
    Weighed w = position.weighed();
    w -= kept_;
    const int phase = std::min(w.phase, full_phase_);
    // 64 bits, and a bound in the end: a board full of queens against few men is worth more than
    // a score can say, and no evaluation may look like a mate.
    std::int64_t score = ((std::int64_t{w.mid} + active.mid) * phase +
                          (std::int64_t{w.end} + active.end) * (full_phase_ - phase)) /
                         full_phase_;
    if (position.man_count(Black) == 1) score += bare_king_drive(position, White);
    if (position.man_count(White) == 1) score -= bare_king_drive(position, Black);
    if (const int limit = position.rules().tables().n_move_plies;
        limit && position.clock() > limit / 4)
        score =
            score * (2 * limit - position.clock()) / (2 * limit);  // make progress while it counts
    score = (position.turn() == White ? score : -score) + tempo_;
    return static_cast<Score>(std::clamp<std::int64_t>(score, -kMostEvaluation, kMostEvaluation));
}

// Mate needs the bare king on the rim and the other king near it.
int Evaluator::bare_king_drive(const Position& position, Colour strong) const {
    Square bare = 0;
    position.royal_men(opposite(strong)).for_each([&](Square s) { bare = s; });
    const int to_rim = std::min(std::min(file_of(bare), files_ - 1 - file_of(bare)), 15) +
                       std::min(std::min(rank_of(bare), ranks_ - 1 - rank_of(bare)), 15);
    int apart = 2 * kWidth;
    position.royal_men(strong).for_each([&](Square king) {
        apart = std::min(apart, std::abs(file_of(bare) - file_of(king)) +
                                    std::abs(rank_of(bare) - rank_of(king)));
    });
    return 400 - 20 * to_rim - 8 * apart;
}

}  // namespace tabia
