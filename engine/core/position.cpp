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
    if (rules_->has_path_men() && rules_->is_path_man(p, s)) path_men_[colour_of(p)].add(s);
    ++man_counts_[colour_of(p)];
    ++counts_[p];
    st.key ^= rules_->key(p, s);
    if (weights_) st.weighed += weights_[p * kSquares + s];
}

void Position::take(Square s, State& st) {
    const Piece p = board_[s];
    board_[s] = kEmpty;
    men_[colour_of(p)].remove(s);
    if (rules_->has_path_men()) path_men_[colour_of(p)].remove(s);
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
        const CastlingMove& c = castling_moves_[m.castling()];
        const Piece rook = board_[c.rook_from];
        take(c.king_from, st);
        take(c.rook_from, st);
        put(c.king_to, moved, st);
        put(c.rook_to, rook, st);
        kings_[us] = c.king_to;
    } else {
        rules_->for_each_taken(m, [&](Square s) {
            taken_.push_back(board_[s]);
            take(s, st);
            note_capture(taken_.back(), st);
        });
        const Square victim = m.kind() == MoveKind::EnPassant ? ep_victim : to;
        if (board_[victim] != kEmpty && victim != from) {
            st.captured = board_[victim];
            take(victim, st);
            note_capture(st.captured, st);
        }
        take(from, st);
        put(to, m.promotes() ? piece_of(us, m.promotion()) : moved, st);
        if (moved == rules_->only_king(us)) kings_[us] = to;
        if (m.promotes() || rules_->only_advances(moved)) st.reversible = 0;
        if (rules_->resets_clock(moved)) st.clock = 0;
    }

    auto kept = static_cast<std::uint8_t>(st.rights & keeps_rights_[from] & keeps_rights_[to]);
    rules_->for_each_taken(m, [&](Square s) { kept &= keeps_rights_[s]; });
    if (kept != st.rights) {
        for (unsigned i = 0; i < right_count_; ++i)
            if ((st.rights ^ kept) >> i & 1)
                st.key ^= Rules::castling_key(castling_[i].side, castling_[i].rook);
        st.rights = kept;
        st.reversible = 0;
    }

    if (rules_->uses_unmoved()) {
        const auto touch = [&st](Square s) {
            if (!st.unmoved.has(s)) return;
            st.unmoved.remove(s);
            st.key ^= Rules::unmoved_key(s);
            st.reversible = 0;
        };
        touch(from);
        touch(to);
        if (m.kind() == MoveKind::Castling) touch(castling_moves_[m.castling()].rook_from);
        rules_->for_each_taken(m, touch);
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
    // Key and weights need no undoing: the state below still has them.
    const auto lift = [&](Square s) {
        const Piece p = board_[s];
        board_[s] = kEmpty;
        men_[colour_of(p)].remove(s);
        if (rules_->has_path_men()) path_men_[colour_of(p)].remove(s);
        --man_counts_[colour_of(p)];
        --counts_[p];
    };
    const auto set_down = [&](Square s, Piece p) {
        board_[s] = p;
        men_[colour_of(p)].add(s);
        if (rules_->has_path_men() && rules_->is_path_man(p, s)) path_men_[colour_of(p)].add(s);
        ++man_counts_[colour_of(p)];
        ++counts_[p];
    };
    if (m.kind() == MoveKind::Castling) {
        const CastlingMove& c = castling_moves_[m.castling()];
        const Piece rook = board_[c.rook_to];
        lift(c.king_to);
        lift(c.rook_to);
        set_down(c.king_from, st.moved);
        set_down(c.rook_from, rook);
        kings_[us] = c.king_from;
    } else {
        lift(m.to());
        set_down(m.from(), st.moved);
        if (st.moved == rules_->only_king(us)) kings_[us] = m.from();
        if (st.captured != kEmpty)
            set_down(m.kind() == MoveKind::EnPassant ? states_[top_ - 1].ep_victim : m.to(),
                     st.captured);
        if (m.kind() == MoveKind::Through) {
            std::size_t count = 0;
            rules_->for_each_taken(m, [&count](Square) { ++count; });
            auto man = taken_.end() - static_cast<std::ptrdiff_t>(count);
            rules_->for_each_taken(m, [&](Square s) { set_down(s, *man++); });
            taken_.resize(taken_.size() - count);
        }
    }
    --top_;
}

void Position::note_capture(Piece captured, State& st) const {
    st.reversible = 0;
    const bool own = colour_of(captured) == turn_;
    if (own ? rules_->tables().n_move_reset_own_capture : rules_->tables().n_move_reset_capture)
        st.clock = 0;
}

bool Position::captures_enemy_through(Move m) const {
    bool captures = false;
    for_each_victim(m, [&](Square s) { captures = captures || colour_of(board_[s]) != turn_; });
    return captures;
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

PathState path_state(const Rules& rules, const Piece* board, const SquareSet& unmoved,
                     Square origin, const std::uint8_t* p) {
    bool holds = true;
    for (unsigned n = *p++; n; --n) holds &= board[*p++] == kEmpty;
    const std::uint8_t* const occupied = p;
    for (unsigned n = *p++; n; --n) holds &= board[*p++] != kEmpty;
    const std::uint8_t* const one_of = p;
    int men = 0;
    for (unsigned n = *p++; n; --n) men += board[*p++] != kEmpty;
    holds &= one_of[0] == 0 || men == 1;
    const std::uint8_t* const end = p;
    const std::uint8_t flags = *p++;
    if (flags & PathFlags::kThrough) {
        const Colour by = colour_of(board[origin]);
        const Capturable& who = rules.capturable(*p++);
        for (unsigned n = *p++; n; --n, p += 2) {
            const Piece there = board[p[0]];
            const std::uint8_t may_hold = p[1];
            if (there == kEmpty)
                holds &= (may_hold & PathFlags::kEmptyThere) != 0;
            else if (colour_of(there) != by)
                holds &=
                    (may_hold & PathFlags::kEnemyThere) && !contains(who.not_enemy, type_of(there));
            else
                holds &= (may_hold & PathFlags::kOwnThere) && contains(who.own, type_of(there)) &&
                         !rules.is_royal(there);
        }
    }
    if (!holds || flags == 0) return {holds, p};
    if (flags & PathFlags::kUnmoved) holds = unmoved.has(origin);
    if (const TypeSet not_over = rules.not_over(flags))
        for (const std::uint8_t* hurdle = occupied + 1; hurdle != end; ++hurdle)
            if (hurdle != one_of && board[*hurdle] != kEmpty)
                holds &= !contains(not_over, type_of(board[*hurdle]));
    return {holds, p};
}

namespace {

bool attacked_by_path(const Rules& rules, const Piece* board, const SquareSet& path_men,
                      const SquareSet& unmoved, Square s, Colour by) {
    bool found = false;
    (path_men & rules.path_origins(by, s)).for_each([&](Square origin) {
        const Piece man = board[origin];
        if (found || man == kEmpty || colour_of(man) != by || !rules.is_path_man(man, origin))
            return;
        const std::uint8_t* path = rules.paths(man, origin, s);
        if (!path) return;
        for (unsigned n = *path++; n && !found; --n) {
            const PathState state = path_state(rules, board, unmoved, origin, path);
            found = state.holds;
            path = state.next;
        }
    });
    return found;
}

}  // namespace

bool attacked(const Rules& rules, const Piece* board, const SquareSet& path_men,
              const SquareSet& unmoved, Square s, Colour by) {
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
    return rules.has_path_men() && attacked_by_path(rules, board, path_men, unmoved, s, by);
}

CheckInfo Position::check_info() const {
    CheckInfo info;
    if (!rules_->has_one_king_each()) {
        info.checkers = in_check();
        return info;
    }
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
    if (rules_->has_path_men()) add_paths(info);
    return info;
}

void Position::add_paths(CheckInfo& info) const {
    const Colour them = opposite(turn_);
    const Square king = kings_[turn_];
    (path_men_[them] & rules_->path_origins(them, king)).for_each([&](Square origin) {
        const Piece man = board_[origin];
        const std::uint8_t* path = rules_->paths(man, origin, king);
        if (!path) return;
        bool check = false;
        for (unsigned n = *path++; n; --n) {
            const PathState found = path_state(*rules_, board_.data(), unmoved(), origin, path);
            check = check || found.holds;
            for (int list = 0; list < 3; ++list)
                for (unsigned k = *path++; k; --k) info.watched.add(*path++);
            // Behind the flags: whom it may capture, how many squares, and these in pairs.
            if (*path & PathFlags::kThrough)
                for (const std::uint8_t* asked = path + 3; asked != found.next; asked += 2)
                    info.watched.add(*asked);
            path = found.next;
        }
        if (check) {
            ++info.checkers;
            info.by_path = true;
        }
    });
}

SquareSet Position::royal_men(Colour c) const {
    SquareSet found;
    men_[c].for_each([&](Square s) {
        if (rules_->is_royal(board_[s])) found.add(s);
    });
    return found;
}

bool Position::is_exposed(Colour c, const SquareSet& royal_men) const {
    const CheckRule rule = rules_->tables().sides[c].check;
    if (rule == CheckRule::Last && royal_men.size() > 1) return false;
    // All of them for duple check, any of them otherwise.
    const bool all = rule == CheckRule::Duple;
    bool found = all;
    royal_men.for_each([&](Square s) {
        if (found == all) found = attacked(s, opposite(c));
    });
    return found;
}

bool Position::is_safe_after(Colour mover, Square to) const {
    SquareSet men = royal_men(mover);  // as men_ has them: not yet he who went to `to`
    if (rules_->is_royal(board_[to])) men.add(to);
    return !is_exposed(mover, men);
}

bool Position::leaves_king_safe(Move m) {
    const Square from = m.from(), to = m.to();
    const Piece moved = board_[from];
    const Colour us = colour_of(moved);
    const Square victim = m.kind() == MoveKind::EnPassant ? state().ep_victim : to;
    const Piece captured = board_[victim];
    std::array<Piece, kMostTaken> taken{};
    std::size_t count = 0;
    rules_->for_each_taken(m, [&](Square s) {
        taken[count++] = board_[s];
        board_[s] = kEmpty;
    });
    board_[victim] = kEmpty;
    board_[from] = kEmpty;
    // Whom it has become may matter: some cannot be hopped over.
    board_[to] = m.promotes() ? piece_of(us, m.promotion()) : moved;
    const Piece king = rules_->only_king(us);
    const bool safe = king == kEmpty ? is_safe_after(us, to)
                                     : !attacked(moved == king ? to : kings_[us], opposite(us));
    board_[to] = kEmpty;
    board_[from] = moved;
    board_[victim] = captured;
    count = 0;
    rules_->for_each_taken(m, [&](Square s) { board_[s] = taken[count++]; });
    return safe;
}

// With nothing left to promote to, a move to where promotion is compulsory does not exist.
bool Position::some_en_passant_is_legal(Square from, Square target) {
    const Piece p = board_[from];
    const PromotionRule* rule = rules_->may_promote(p) ? rules_->promotion(p, target) : nullptr;
    bool promotes = false;
    if (rule)
        for (const Type t : rule->to) {
            if (!rule->allows(t, count(piece_of(colour_of(p), t)))) continue;
            promotes = true;
            if (leaves_king_safe(Move::promoting(from, target, t, MoveKind::EnPassant)))
                return true;
        }
    if (rule && rule->compulsory && (promotes || !rule->stays)) return false;
    return leaves_king_safe(Move(from, target, MoveKind::EnPassant));
}

bool Position::castling_is_legal(const CastlingMove& c) {
    if (move_number() < c.from_move) return false;
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
    bool legal = true;
    if (keeps_royal_men(c.side)) {  // else it passes attacked squares as other men do
        board_[c.king_from] = kEmpty;
        legal = !attacked(c.king_from, them);
        const int step = c.king_to < c.king_from ? -1 : 1;
        for (int s = c.king_from + step; legal && (c.king_to - s) * step > 0; s += step)
            legal = !attacked(static_cast<Square>(s), them);
    }
    board_[c.king_from] = kEmpty;
    if (legal) {  // the rook may have been a shield: ask again as things stand afterwards
        board_[c.rook_from] = kEmpty;
        board_[c.king_to] = king;
        board_[c.rook_to] = rook;
        legal = rules_->only_king(c.side) ? !attacked(c.king_to, them)
                                          : is_safe_after(c.side, c.king_to);
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
            const bool here = p[0] == step.to();
            const unsigned alternatives = p[1];
            p += 2;
            for (unsigned a = 0; a < alternatives; ++a) {
                const unsigned passed = *p++;
                for (unsigned i = 0; i < passed && here && a == 0; ++i)
                    if (some_en_passant_is_legal(p[i], step.to(), turn_) && !en_passant(p[i])) {
                        st.ep[st.ep_count++] = p[i];
                        st.key ^= Rules::en_passant_key(p[i]);
                    }
                p += passed;
                p += *p + 1;
            }
            if (here) return;
        }
    }
}

bool Position::some_en_passant_is_legal(Square target, Square victim, Colour by) {
    state().ep_victim = victim;
    for (const Type type : rules_->types()) {
        const Piece piece = piece_of(by, type);
        if (counts_[piece] == 0) continue;
        for (const auto& m : rules_->tables().sides[by].moves[type]) {
            if (!m.landing.en_passant || !contains(m.victims, type_of(board_[victim]))) continue;
            const auto origin = rules_->step(target, -m.dx, -m.dy, m.wrap);
            if (!origin || *origin == target || (m.from && !m.from->has(*origin))) continue;
            bool found = false;
            rules_->for_each_moving_as(*origin, [&](Square from) {
                found = found || (board_[from] == piece && (!m.unmoved || unmoved().has(from)) &&
                                  some_en_passant_is_legal(from, target));
            });
            if (found) return true;
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
