#include "move_generation.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tabia {

namespace {

constexpr int kDeepestPerft = 100;  // as deep as the stack allows anywhere, and no one waits for it

// With one king each, pins and answers to checks are told from the king's square. With several
// royal men every move is tried.
enum class Royals : std::uint8_t { OneEach, Several };

template <Wanted wanted, Royals royals>
class Generator {
  public:
    Generator(Position& position, const CheckInfo& info, Move* out)
        : position_(position),
          rules_(position.rules()),
          info_(info),
          us_(position.turn()),
          their_king_(position.king(opposite(us_))),
          they_keep_royal_men_(royals == Royals::OneEach ||
                               position.keeps_royal_men(opposite(us_))),
          out_(out) {}

    Move* run() {
        // To two checks mostly the king alone has an answer; an e.p. capture may take the one man
        // and stand in the way of the other, and men that capture by paths, or several at once,
        // follow no such rule.
        if (royals == Royals::OneEach && info_.checkers > 1 && !info_.by_path &&
            info_.resolve.empty() && !position_.has_en_passant() && !rules_.has_through_moves()) {
            king_moves(position_.king(us_));
            return out_;
        }
        position_.men(us_).for_each_from(us_, [&](Square from) { man_moves(from); });
        // With several kings out of check too, where the one that castles is not attacked.
        if (wanted != Wanted::Noisy && (royals == Royals::Several || !info_.checkers))
            castling_moves();
        return out_;
    }

    // The moves of one man, castling left out.
    Move* run_from(Square from) {
        man_moves(from);
        return out_;
    }

  private:
    Position& position_;
    const Rules& rules_;
    const CheckInfo& info_;
    const Colour us_;
    const Square their_king_;
    const bool they_keep_royal_men_;
    Move* out_;

    // A king that stands en prise (a FEN may say so) is never captured.
    bool may_be_captured(Piece target, Square s) const {
        if constexpr (royals == Royals::OneEach) return s != their_king_;
        return !they_keep_royal_men_ || !rules_.is_royal(target);
    }

    void man_moves(Square from) {
        if (royals == Royals::OneEach && from == position_.king(us_)) {
            king_moves(from);
            return;
        }
        Move* const first = out_;
        const Piece piece = position_.at(from);
        if (rules_.may_promote_from(piece, from))
            piece_moves<true>(piece, from);
        else
            piece_moves<false>(piece, from);
        if (rules_.may_repeat(piece)) merge(first);
        if (royals == Royals::Several)
            keep_safe(first);
        else if (info_.checkers || info_.pinned.has(from) || rules_.has_path_men())
            keep_legal(first);
    }

    void castling_moves() {
        const auto& moves = position_.castling_moves();
        for (unsigned i = 0; i < moves.size(); ++i)
            if (moves[i].side == us_ && position_.has_right(moves[i].right) &&
                position_.castling_is_legal(moves[i]))
                *out_++ = Move(moves[i].king_from, moves[i].king_to, MoveKind::Castling, i);
    }

    void king_moves(Square king) {
        Move* const first = out_;
        const Piece piece = position_.at(king);
        piece_moves<false>(piece, king);
        if (rules_.may_repeat(piece)) merge(first);
        keep_safe(first);
    }

    void keep_safe(Move* first) {
        Move* kept = first;
        for (Move* m = first; m != out_; ++m)
            if (position_.leaves_king_safe(*m)) *kept++ = *m;
        out_ = kept;
    }

    // Drops what an earlier move of the same man already does.
    void merge(Move* first) {
        Move* kept = first;
        for (Move* m = first; m != out_; ++m)
            if (std::find(first, kept, *m) == kept) *kept++ = *m;
        out_ = kept;
    }

    void keep_legal(Move* first) {
        Move* kept = first;
        for (Move* m = first; m != out_; ++m)
            if (m->kind() == MoveKind::EnPassant || is_legal(*m))
                *kept++ = *m;  // e.p. was tried already
        out_ = kept;
    }

    bool is_legal(Move m) {
        if (m.kind() == MoveKind::Through) return position_.leaves_king_safe(m);
        if (info_.checkers && !info_.by_path && !info_.resolve.has(m.to())) return false;
        const bool tried = info_.by_path || info_.pinned.has(m.from()) ||
                           info_.watched.has(m.from()) || info_.watched.has(m.to());
        return !tried || position_.leaves_king_safe(m);
    }

    template <bool promoting>
    void piece_moves(Piece piece, Square from) {
        for (const MoveGroup& group : rules_.groups(piece)) {
            if (group.unmoved && !position_.unmoved().has(from)) continue;
            if constexpr (wanted == Wanted::Quiet)
                if (!group.landing.empty && !group.landing.own) continue;
            // Whom a move captures on its way is not said by where it lands.
            if constexpr (wanted == Wanted::Noisy && !promoting)
                if (!group.landing.enemy && !group.landing.en_passant &&
                    group.shape != Shape::Through)
                    continue;
            const std::uint8_t* p = rules_.destinations(group, from);
            switch (group.shape) {
                case Shape::Leap:
                    if (group.landing.en_passant) {
                        en_passant<promoting>(piece, group, from, p);
                        break;
                    }
                    for (unsigned n = *p++; n; --n) step<promoting>(piece, from, *p++, group);
                    break;
                case Shape::Slide:
                    for (unsigned rays = *p++; rays; --rays)
                        p = ride<promoting>(piece, from, p, group);
                    break;
                case Shape::Bent:
                    for (unsigned rays = *p++; rays; --rays) {
                        if (position_.at(*p) == kEmpty)
                            p = ride<promoting>(piece, from, p + 1, group);
                        else
                            p += 2 + p[1];
                    }
                    break;
                case Shape::Lame:
                    for (unsigned n = *p++; n; --n) {
                        const Square to = *p++;
                        bool free = false;
                        for (unsigned alternatives = *p++; alternatives; --alternatives) {
                            bool holds = true;
                            for (unsigned k = *p++; k; --k) holds &= position_.at(*p++) == kEmpty;
                            for (unsigned k = *p++; k; --k, ++p)
                                holds &= position_.at(*p) != kEmpty &&
                                         !contains(group.not_over, type_of(position_.at(*p)));
                            free = free || holds;
                        }
                        if (free) step<promoting>(piece, from, to, group);
                    }
                    break;
                case Shape::Hop:
                    for (unsigned rays = *p++; rays; --rays)
                        p = hop<promoting>(piece, from, p, group);
                    break;
                case Shape::Through:
                    for (unsigned n = *p++; n; --n) p = through<promoting>(piece, from, p, group);
                    break;
            }
        }
    }

    // One ray; returns where the next one begins.
    template <bool promoting>
    const std::uint8_t* ride(Piece piece, Square from, const std::uint8_t* p,
                             const MoveGroup& group) {
        const unsigned length = *p++;
        const std::uint8_t* const end = p + length;
        for (; p != end; ++p)
            if (!step<promoting>(piece, from, *p, group)) break;
        return end;
    }

    template <bool promoting>
    const std::uint8_t* hop(Piece piece, Square from, const std::uint8_t* p,
                            const MoveGroup& group) {
        const unsigned length = *p++;
        const std::uint8_t* const end = p + length;
        while (p != end && position_.at(*p) == kEmpty) ++p;
        if (p == end || contains(group.not_over, type_of(position_.at(*p)))) return end;
        ++p;
        if (group.hop == Hop::Behind) {
            if (p != end) step<promoting>(piece, from, *p, group);
            return end;
        }
        for (; p != end; ++p)
            if (!step<promoting>(piece, from, *p, group)) break;
        return end;
    }

    // One move that captures on its way, or comes back; returns where the next one begins.
    template <bool promoting>
    const std::uint8_t* through(Piece piece, Square from, const std::uint8_t* p,
                                const MoveGroup& group) {
        const Square to = *p++;
        const MoveKind kind = Move::through(*p++);
        bool holds = true;
        for (unsigned k = *p++; k; --k) holds &= position_.at(*p++) == kEmpty;
        for (unsigned k = *p++; k; --k, ++p)
            holds &=
                position_.at(*p) != kEmpty && !contains(group.not_over, type_of(position_.at(*p)));
        const bool captures = *p != 0;
        for (unsigned k = *p++; k; --k) holds &= may_capture(*p++, group);
        for (unsigned k = *p++; k; --k) holds &= may_capture_own(*p++, group);
        if (!holds) return p;
        if (to == from || position_.at(to) == kEmpty) {
            if (group.landing.empty) emit<promoting>(piece, from, to, kind, captures);
        } else if (group.landing.enemy && may_capture(to, group)) {
            emit<promoting>(piece, from, to, kind, true);
        } else if (group.landing.own && may_capture_own(to, group)) {
            emit<promoting>(piece, from, to, kind, captures);
        }
        return p;
    }

    // A king that stands en prise (a FEN may say so) is never captured.
    bool may_capture(Square s, const MoveGroup& group) const {
        const Piece there = position_.at(s);
        return there != kEmpty && colour_of(there) != us_ && may_be_captured(there, s) &&
               !contains(group.not_onto, type_of(there));
    }

    bool may_capture_own(Square s, const MoveGroup& group) const {
        const Piece there = position_.at(s);
        return there != kEmpty && colour_of(there) == us_ && !rules_.is_royal(there) &&
               contains(group.victims, type_of(there));
    }

    // Tries one destination; true if a ride may go on beyond it.
    template <bool promoting>
    bool step(Piece piece, Square from, Square to, const MoveGroup& group) {
        const Piece target = position_.at(to);
        const MoveKind kind = group.leaves_en_passant ? MoveKind::Step : MoveKind::Normal;
        if (target == kEmpty) {
            if (group.landing.empty) emit<promoting>(piece, from, to, kind, false);
            return true;
        }
        if (colour_of(target) != us_) {
            if (group.landing.enemy && may_be_captured(target, to) &&
                !contains(group.not_onto, type_of(target)))
                emit<promoting>(piece, from, to, kind, true);
        } else if (group.landing.own && contains(group.victims, type_of(target)) &&
                   !rules_.is_royal(target)) {
            emit<promoting>(piece, from, to, kind, false);
        }
        return false;
    }

    template <bool promoting>
    void emit(Piece piece, Square from, Square to, MoveKind kind, bool capture) {
        if constexpr (promoting) {
            // A man that promotes leaves nothing open to e.p.: its new type made no such step.
            if (const PromotionRule* rule = rules_.promotion(piece, to)) {
                bool promotes = false;
                for (const Type type : rule->to)
                    if (rule->allows(type, position_.count(piece_of(us_, type)))) {
                        promotes = true;
                        if (wanted != Wanted::Quiet)
                            *out_++ = Move::promoting(
                                from, to, type, kind == MoveKind::Step ? MoveKind::Normal : kind);
                    }
                if (rule->compulsory && (promotes || !rule->stays)) return;
            }
        }
        if (wanted == Wanted::All || (wanted == Wanted::Noisy) == capture)
            *out_++ = Move(from, to, kind);
    }

    template <bool promoting>
    void en_passant(Piece piece, const MoveGroup& group, Square from, const std::uint8_t* p) {
        for (unsigned n = *p++; n; --n, ++p) {
            if (!position_.en_passant(*p)) continue;
            if (!contains(group.victims, type_of(position_.at(position_.en_passant_victim()))))
                continue;
            Move* const first = out_;
            emit<promoting>(piece, from, *p, MoveKind::EnPassant, true);
            keep_safe(first);
        }
    }
};

template <Wanted wanted>
Move* generate(Position& position, const CheckInfo& info, Move* out) {
    if (position.rules().has_one_king_each())
        return Generator<wanted, Royals::OneEach>(position, info, out).run();
    return Generator<wanted, Royals::Several>(position, info, out).run();
}

std::uint64_t perft(Position& position, int depth, std::vector<Move>& arena, std::size_t base) {
    const std::size_t bound = position.rules().move_bound();
    if (arena.size() < base + bound) arena.resize(base + bound);
    Move* const first = arena.data() + base;
    const CheckInfo info = position.check_info();
    const auto count =
        static_cast<std::size_t>(generate<Wanted::All>(position, info, first) - first);
    if (depth == 1) return count;
    std::uint64_t nodes = 0;
    for (std::size_t i = 0; i < count; ++i) {
        position.make(arena[base + i]);
        nodes += perft(position, depth - 1, arena, base + count);
        position.unmake();
    }
    return nodes;
}

}  // namespace

Move* generate(Position& position, const CheckInfo& info, Wanted wanted, Move* out) {
    switch (wanted) {
        case Wanted::Noisy:
            return generate<Wanted::Noisy>(position, info, out);
        case Wanted::Quiet:
            return generate<Wanted::Quiet>(position, info, out);
        case Wanted::All:
            break;
    }
    return generate<Wanted::All>(position, info, out);
}

bool is_legal(Position& position, const CheckInfo& info, Move m, Move* scratch) {
    const Piece piece = position.at(m.from());
    if (piece == kEmpty || colour_of(piece) != position.turn()) return false;
    const bool one_king_each = position.rules().has_one_king_each();
    if (m.kind() == MoveKind::Castling) {
        const auto& moves = position.castling_moves();
        return (!one_king_each || !info.checkers) && m.castling() < moves.size() &&
               moves[m.castling()].side == position.turn() &&
               moves[m.castling()].king_from == m.from() && moves[m.castling()].king_to == m.to() &&
               position.has_right(moves[m.castling()].right) &&
               position.castling_is_legal(moves[m.castling()]);
    }
    Move* const end =
        one_king_each
            ? Generator<Wanted::All, Royals::OneEach>(position, info, scratch).run_from(m.from())
            : Generator<Wanted::All, Royals::Several>(position, info, scratch).run_from(m.from());
    return std::find(scratch, end, m) != end;
}

std::vector<Move> legal_moves(Position& position) {
    std::vector<Move> moves(position.rules().move_bound());
    const CheckInfo info = position.check_info();
    Move* const end = generate(position, info, Wanted::All, moves.data());
    moves.resize(static_cast<std::size_t>(end - moves.data()));
    return moves;
}

bool has_legal_move(Position& position) {
    return !legal_moves(position).empty();
}

std::uint64_t perft(Position& position, int depth) {
    if (depth < 0 || depth > kDeepestPerft)
        throw std::invalid_argument("perft: a depth of 0 to " + std::to_string(kDeepestPerft));
    if (depth == 0) return 1;
    std::vector<Move> arena;
    return perft(position, depth, arena, 0);
}

}  // namespace tabia
