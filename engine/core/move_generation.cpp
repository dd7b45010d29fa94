#include "move_generation.hpp"

#include <stdexcept>
#include <string>

namespace tabia {

namespace {

constexpr int kDeepestPerft = 100;  // as deep as the stack allows anywhere, and no one waits for it

// Which destinations a group may use: empty squares, enemy men.
constexpr bool takes_quiet(Mode mode) {
    return mode == Mode::Any || mode == Mode::Quiet;
}
constexpr bool takes_captures(Mode mode) {
    return mode == Mode::Any || mode == Mode::Capture;
}

template <Wanted wanted>
class Generator {
  public:
    Generator(Position& position, const CheckInfo& info, Move* out)
        : position_(position),
          rules_(position.rules()),
          info_(info),
          us_(position.turn()),
          their_king_(position.king(opposite(us_))),
          out_(out) {}

    Move* run() {
        const Square king = position_.king(us_);
        // To two checks mostly the king alone has an answer; an e.p. capture may take the one man
        // and stand in the way of the other.
        if (info_.checkers > 1 && info_.resolve.empty() && !position_.has_en_passant()) {
            king_moves(king);
            return out_;
        }
        position_.men(us_).for_each_from(us_, [&](Square from) {
            if (from == king) {
                king_moves(king);
                return;
            }
            Move* const first = out_;
            const Piece piece = position_.at(from);
            if (rules_.may_promote(piece))
                piece_moves<true>(piece, from);
            else
                piece_moves<false>(piece, from);
            if (info_.checkers || info_.pinned.has(from)) keep_legal(first);
        });
        if (wanted == Wanted::All && !info_.checkers)
            for (unsigned right = 0; right < position_.right_count(); ++right)
                if (position_.has_right(right) && position_.castling(right).side == us_ &&
                    position_.castling_is_legal(right))
                    *out_++ =
                        Move(king, position_.castling(right).king_to, MoveKind::Castling, right);
        return out_;
    }

  private:
    Position& position_;
    const Rules& rules_;
    const CheckInfo& info_;
    const Colour us_;
    const Square their_king_;
    Move* out_;

    void king_moves(Square king) {
        Move* const first = out_;
        piece_moves<false>(position_.at(king), king);
        Move* kept = first;
        for (Move* m = first; m != out_; ++m)
            if (position_.leaves_king_safe(*m)) *kept++ = *m;
        out_ = kept;
    }

    void keep_legal(Move* first) {
        Move* kept = first;
        for (Move* m = first; m != out_; ++m) {
            const bool pinned = info_.pinned.has(m->from());
            const bool answers = info_.checkers == 0 || info_.resolve.has(m->to());
            const bool legal = m->kind() == MoveKind::EnPassant ||  // already tried on the board
                               (answers && (!pinned || position_.leaves_king_safe(*m)));
            if (legal) *kept++ = *m;
        }
        out_ = kept;
    }

    template <bool promoting>
    void piece_moves(Piece piece, Square from) {
        for (const MoveGroup& group : rules_.groups(piece)) {
            const std::uint8_t* p = rules_.destinations(group, from);
            switch (group.shape) {
                case Shape::Leap:
                    if (group.mode == Mode::EnPassant) {
                        en_passant<promoting>(piece, from, p);
                        break;
                    }
                    for (unsigned n = *p++; n; --n)
                        step<promoting>(piece, from, *p++, group.mode, MoveKind::Normal);
                    break;
                case Shape::Slide:
                    for (unsigned rays = *p++; rays; --rays) {
                        const unsigned length = *p++;
                        const std::uint8_t* const end = p + length;
                        for (; p != end; ++p)
                            if (!step<promoting>(piece, from, *p, group.mode, MoveKind::Normal))
                                break;
                        p = end;
                    }
                    break;
                case Shape::Lame:
                    for (unsigned n = *p++; n; --n) {
                        const Square to = p[0];
                        const unsigned via = p[1];
                        p += 2;
                        bool free = true;
                        for (unsigned i = 0; i < via; ++i)
                            free = free && position_.at(p[i]) == kEmpty;
                        p += via;
                        if (free)
                            step<promoting>(
                                piece, from, to, group.mode,
                                group.leaves_en_passant ? MoveKind::Step : MoveKind::Normal);
                    }
                    break;
            }
        }
    }

    // Tries one destination; true if a slide may go on beyond it.
    template <bool promoting>
    bool step(Piece piece, Square from, Square to, Mode mode, MoveKind kind) {
        const Piece target = position_.at(to);
        if (target == kEmpty) {
            if (takes_quiet(mode)) emit<promoting>(piece, from, to, kind, false);
            return true;
        }
        // A king that stands en prise (a FEN may say so) is never captured.
        if (takes_captures(mode) && colour_of(target) != us_ && to != their_king_)
            emit<promoting>(piece, from, to, kind, true);
        return false;
    }

    template <bool promoting>
    void emit(Piece piece, Square from, Square to, MoveKind kind, bool capture) {
        if constexpr (promoting) {
            // A man that promotes leaves nothing open to e.p.: its new type made no such step.
            if (const PromotionRule* rule = rules_.promotion(piece, to)) {
                for (const Type type : rule->to)
                    if (rule->allows(type, position_.count(piece_of(us_, type))))
                        *out_++ = Move::promoting(from, to, type,
                                                  kind == MoveKind::Step ? MoveKind::Normal : kind);
                if (rule->compulsory) return;
            }
        }
        if (wanted == Wanted::All || capture) *out_++ = Move(from, to, kind);
    }

    template <bool promoting>
    void en_passant(Piece piece, Square from, const std::uint8_t* p) {
        for (unsigned n = *p++; n; --n, ++p)
            if (position_.en_passant(*p) &&
                position_.leaves_king_safe(Move(from, *p, MoveKind::EnPassant)))
                emit<promoting>(piece, from, *p, MoveKind::EnPassant, true);
    }
};

std::uint64_t perft(Position& position, int depth, std::vector<Move>& arena, std::size_t base) {
    const std::size_t bound = position.rules().move_bound();
    if (arena.size() < base + bound) arena.resize(base + bound);
    Move* const first = arena.data() + base;
    const CheckInfo info = position.check_info();
    const auto count =
        static_cast<std::size_t>(Generator<Wanted::All>(position, info, first).run() - first);
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
    return wanted == Wanted::All ? Generator<Wanted::All>(position, info, out).run()
                                 : Generator<Wanted::Noisy>(position, info, out).run();
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
