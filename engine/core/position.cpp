#include "position.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tabia {

namespace {

constexpr std::uint16_t kMostPlies = std::numeric_limits<std::uint16_t>::max();

}  // namespace

Position Position::replayed(const PieceSquare* weights) const {
    Position copy(rules_, first_fen_, weights);
    for (std::size_t i = 1; i <= top_; ++i) copy.make(states_[i].move);
    return copy;
}

Position::State& Position::push_state() {
    if (top_ + 1 == states_.size()) states_.resize(states_.size() * 2);
    states_[top_ + 1] = states_[top_];
    return states_[++top_];
}

void Position::put(Square s, Piece p, State& st) {
    board_[s] = p;
    men_[colour_of(p)].add(s);
    ++man_counts_[colour_of(p)];
    ++counts_[p];
    st.key ^= rules_->key(p, s);
    if (weights_) st.weighed += weights_[p * kSquares + s];
}

void Position::take(Square s, State& st) {
    const Piece p = board_[s];
    board_[s] = kEmpty;
    men_[colour_of(p)].remove(s);
    --man_counts_[colour_of(p)];
    --counts_[p];
    st.key ^= rules_->key(p, s);
    if (weights_) st.weighed -= weights_[p * kSquares + s];
}

void Position::make(Move m) {
    State& st = push_state();
    const Square from = m.from(), to = m.to();
    const Piece moved = board_[from];
    const Colour us = turn_;

    for (unsigned i = 0; i < st.ep_count; ++i) st.key ^= Rules::en_passant_key(st.ep[i]);
    const Square ep_victim = st.ep_victim;
    st.ep_count = 0;
    st.move = m;
    st.moved = moved;
    st.captured = kEmpty;
    // Without an n-move rule a game may outlast the counters: they stop at their limit.
    if (st.clock < kMostPlies) ++st.clock;
    if (st.reversible < kMostPlies) ++st.reversible;

    if (m.kind() == MoveKind::Castling) {
        const CastlingRight& c = castling_[m.castling_right()];
        const Piece rook = board_[c.rook_from];
        take(c.king_from, st);
        take(c.rook_from, st);
        put(c.king_to, moved, st);
        put(c.rook_to, rook, st);
        kings_[us] = c.king_to;
    } else {
        const Square victim = m.kind() == MoveKind::EnPassant ? ep_victim : to;
        if (board_[victim] != kEmpty) {
            st.captured = board_[victim];
            take(victim, st);
            st.reversible = 0;
            if (rules_->tables().n_move_reset_capture) st.clock = 0;
        }
        take(from, st);
        put(to, m.promotes() ? piece_of(us, m.promotion()) : moved, st);
        if (type_of(moved) == rules_->royal()) kings_[us] = to;
        if (m.promotes() || rules_->only_advances(moved)) st.reversible = 0;
        if (rules_->resets_clock(moved)) st.clock = 0;
    }

    const auto kept =
        static_cast<std::uint8_t>(st.rights & keeps_rights_[from] & keeps_rights_[to]);
    if (kept != st.rights) {
        for (unsigned i = 0; i < right_count_; ++i)
            if ((st.rights ^ kept) >> i & 1)
                st.key ^= Rules::castling_key(castling_[i].side, castling_[i].rook_from);
        st.rights = kept;
        st.reversible = 0;
    }

    st.key ^= Rules::side_key();
    turn_ = opposite(us);
    if (m.kind() == MoveKind::Step) open_en_passant(m, st);
}

void Position::unmake() {
    State& st = states_[top_];
    const Move m = st.move;
    const Colour us = opposite(turn_);
    turn_ = us;
    State scratch;  // key and weights need no undoing: the state below still has them
    const auto move_back = [&](Square now, Square before, Piece p) {
        const Piece here = board_[now];
        board_[now] = kEmpty;
        men_[us].remove(now);
        --counts_[here];
        board_[before] = p;
        men_[us].add(before);
        ++counts_[p];
    };
    if (m.kind() == MoveKind::Castling) {
        const CastlingRight& c = castling_[m.castling_right()];
        const Piece rook = board_[c.rook_to];
        take(c.king_to, scratch);
        take(c.rook_to, scratch);
        put(c.king_from, st.moved, scratch);
        put(c.rook_from, rook, scratch);
        kings_[us] = c.king_from;
    } else {
        move_back(m.to(), m.from(), st.moved);
        if (type_of(st.moved) == rules_->royal()) kings_[us] = m.from();
        if (st.captured != kEmpty) {
            const Square victim =
                m.kind() == MoveKind::EnPassant ? states_[top_ - 1].ep_victim : m.to();
            board_[victim] = st.captured;
            men_[colour_of(st.captured)].add(victim);
            ++man_counts_[colour_of(st.captured)];
            ++counts_[st.captured];
        }
    }
    --top_;
}

void Position::make_null() {
    State& st = push_state();
    for (unsigned i = 0; i < st.ep_count; ++i) st.key ^= Rules::en_passant_key(st.ep[i]);
    st.ep_count = 0;
    st.move = Move{};
    st.captured = kEmpty;
    st.reversible = 0;  // a null move is no move: nothing before it counts as repeated
    st.key ^= Rules::side_key();
    turn_ = opposite(turn_);
}

void Position::unmake_null() {
    --top_;
    turn_ = opposite(turn_);
}

bool attacked(const Rules& rules, const Piece* board, Square s, Colour by) {
    const std::uint8_t* p = rules.attackers(by, s);
    for (unsigned n = *p++; n; --n, p += 2)
        if (rules.reach(p[1], board[p[0]])) return true;
    for (unsigned rays = *p++; rays; --rays) {
        const std::uint8_t direction = p[0];
        const unsigned length = p[1];
        p += 2;
        for (unsigned i = 0; i < length; ++i)
            if (const Piece found = board[p[i]]; found != kEmpty) {
                if (rules.reach(direction, found) > static_cast<int>(i)) return true;
                break;
            }
        p += length;
    }
    for (unsigned n = *p++; n; --n) {
        bool reaches = board[p[0]] == p[1];
        const unsigned via = p[2];
        for (unsigned i = 0; reaches && i < via; ++i) reaches = board[p[3 + i]] == kEmpty;
        if (reaches) return true;
        p += 3 + via;
    }
    return false;
}

CheckInfo Position::check_info() const {
    CheckInfo info;
    const Colour them = opposite(turn_);
    const std::uint8_t* p = rules_->attackers(them, kings_[turn_]);
    for (unsigned n = *p++; n; --n, p += 2)
        if (rules_->reach(p[1], board_[p[0]])) {
            SquareSet answers;
            answers.add(p[0]);
            info.add_checker(answers);
        }
    for (unsigned rays = *p++; rays; --rays) {
        const std::uint8_t direction = p[0];
        const unsigned length = p[1];
        p += 2;
        unsigned i = 0;
        while (i < length && board_[p[i]] == kEmpty) ++i;
        if (i < length) {
            const Piece first = board_[p[i]];
            if (rules_->reach(direction, first) > static_cast<int>(i)) {
                SquareSet answers;
                for (unsigned k = 0; k <= i; ++k) answers.add(p[k]);
                info.add_checker(answers);
            } else if (colour_of(first) == turn_) {
                unsigned k = i + 1;
                while (k < length && board_[p[k]] == kEmpty) ++k;
                if (k < length && rules_->reach(direction, board_[p[k]]) > static_cast<int>(k))
                    info.pinned.add(p[i]);
            }
        }
        p += length;
    }
    for (unsigned n = *p++; n; --n) {
        const unsigned via = p[2];
        if (board_[p[0]] == p[1]) {
            unsigned blockers = 0;
            Square blocker = 0;
            for (unsigned i = 0; i < via; ++i)
                if (board_[p[3 + i]] != kEmpty) {
                    ++blockers;
                    blocker = p[3 + i];
                }
            if (blockers == 0) {
                SquareSet answers;
                answers.add(p[0]);
                for (unsigned i = 0; i < via; ++i) answers.add(p[3 + i]);
                info.add_checker(answers);
            } else if (blockers == 1 && colour_of(board_[blocker]) == turn_) {
                info.pinned.add(blocker);
            }
        }
        p += 3 + via;
    }
    return info;
}

bool Position::leaves_king_safe(Move m) {
    const Square from = m.from(), to = m.to();
    const Piece moved = board_[from];
    const Colour us = colour_of(moved);
    const Square victim = m.kind() == MoveKind::EnPassant ? state().ep_victim : to;
    const Piece captured = board_[victim];
    board_[victim] = kEmpty;
    board_[from] = kEmpty;
    board_[to] = moved;
    const bool safe = !attacked(type_of(moved) == rules_->royal() ? to : kings_[us], opposite(us));
    board_[to] = kEmpty;
    board_[from] = moved;
    board_[victim] = captured;
    return safe;
}

// With nothing left to promote to, a move to where promotion is compulsory does not exist.
bool Position::may_arrive(Piece p, Square to) const {
    const PromotionRule* rule = rules_->may_promote(p) ? rules_->promotion(p, to) : nullptr;
    return !rule || !rule->compulsory || std::any_of(rule->to.begin(), rule->to.end(), [&](Type t) {
        return rule->allows(t, count(piece_of(colour_of(p), t)));
    });
}

bool Position::castling_is_legal(unsigned right) {
    const CastlingRight& c = castling_[right];
    const Colour them = opposite(c.side);
    const Piece king = board_[c.king_from], rook = board_[c.rook_from];
    // The squares that the two cross and reach must be there, and empty but for the two.
    const std::array<std::pair<Square, Square>, 2> ways = {
        {{c.king_from, c.king_to}, {c.rook_from, c.rook_to}}};
    for (const auto& [from, to] : ways)
        for (int s = std::min(from, to); s <= std::max(from, to); ++s) {
            const auto square = static_cast<Square>(s);
            if (!rules_->board().has(square)) return false;
            if (square != c.king_from && square != c.rook_from && board_[square] != kEmpty)
                return false;
        }
    board_[c.king_from] = kEmpty;
    bool legal = true;
    const int step = c.king_to < c.king_from ? -1 : 1;
    for (int s = c.king_from; legal && s != c.king_to; s += step)
        legal = !attacked(static_cast<Square>(s), them);
    if (legal) {  // the rook may have been a shield: ask again as things stand afterwards
        board_[c.rook_from] = kEmpty;
        board_[c.king_to] = king;
        board_[c.rook_to] = rook;
        legal = !attacked(c.king_to, them);
        board_[c.king_to] = kEmpty;
        board_[c.rook_to] = kEmpty;
    }
    board_[c.rook_from] = rook;
    board_[c.king_from] = king;
    return legal;
}

void Position::open_en_passant(Move step, State& st) {
    // The squares stay open only if somebody may really capture there: so positions that differ in
    // nothing but a dead e.p. square are the same position for the repetition rule (FIDE 9.2.3).
    const Piece mover = board_[step.to()];
    for (const auto& group : rules_->groups(mover)) {
        if (!group.leaves_en_passant) continue;
        const std::uint8_t* p = rules_->destinations(group, step.from());
        for (unsigned n = *p++; n; --n) {
            const unsigned via = p[1];
            if (p[0] == step.to()) {
                for (unsigned i = 0; i < via; ++i) {
                    st.ep_victim = step.to();
                    if (some_en_passant_is_legal(p[2 + i], step.to(), turn_)) {
                        st.ep[st.ep_count++] = p[2 + i];
                        st.key ^= Rules::en_passant_key(p[2 + i]);
                    }
                }
                return;
            }
            p += 2 + via;
        }
    }
}

bool Position::some_en_passant_is_legal(Square target, Square victim, Colour by) {
    state().ep_victim = victim;
    for (const Type type : rules_->types()) {
        const Piece piece = piece_of(by, type);
        if (counts_[piece] == 0) continue;
        for (const auto& m : rules_->tables().sides[by].moves[type]) {
            if (!m.en_passant) continue;
            const int file = file_of(target) - m.dx, rank = rank_of(target) - m.dy;
            if (file < 0 || file >= kWidth || rank < 0 || rank >= kWidth) continue;
            const Square from = square_at(file, rank);
            if (board_[from] != piece || (m.from && !m.from->has(from))) continue;
            if (!may_arrive(piece, target)) continue;
            if (leaves_king_safe(Move(from, target, MoveKind::EnPassant))) return true;
        }
    }
    return false;
}

int Position::occurrences(int enough) const {
    int seen = 1;
    const std::size_t reach = std::min<std::size_t>(state().reversible, top_);
    for (std::size_t back = 2; back <= reach && seen < enough; back += 2)
        if (states_[top_ - back].key == state().key) ++seen;
    return seen;
}

}  // namespace tabia
