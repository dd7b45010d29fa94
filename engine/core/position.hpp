// A position under one compiled rule set, with the history that repetition needs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rules.hpp"
#include "types.hpp"
#include "weights.hpp"

namespace tabia {

struct FenError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// A right to castle, with the squares it needs; taken from the FEN, so that a king and rooks that
// start elsewhere (Chess960 positions) castle too.
struct CastlingRight {
    Colour side = White;
    Square king = 0, rook = 0;
    char letter = 'K';  // wing
};

// A way to use it.
struct CastlingMove {
    Square king_from = 0, king_to = 0, rook_from = 0, rook_to = 0;
    Colour side = White;
    unsigned right = 0;
    int from_move = 1;
};

// What a side in check may do about it, and which of its men are pinned. Where a side may have
// several royal men, only whether it is in check: the rest is found by trying.
struct CheckInfo {
    int checkers = 0;
    // Where a man must go to answer every check at once: to capture the one checker or to step in
    // its way. Two riders may be stopped on one square that both pass over.
    SquareSet resolve;
    SquareSet pinned;      // the first own man on a line of attack to the king
    SquareSet watched;     // a move from or to one of these may open or close a path to the king
    bool by_path = false;  // a checker captures by a path: what answers that is found by trying

    void add_checker(const SquareSet& answers) {
        resolve = checkers++ == 0 ? answers : resolve & answers;
    }
};

// Whether a man of `by` on this board (Piece by square) could capture on `s`. path_men: at least
// those of its men that capture by paths (Rules::is_path_man); unmoved: the men that have not
// moved.
bool attacked(const Rules& rules, const Piece* board, const SquareSet& path_men,
              const SquareSet& unmoved, Square s, Colour by);

// Whether a path's conditions hold on this board, and where the next path begins in the pool.
struct PathState {
    bool holds;
    const std::uint8_t* next;
};
PathState path_state(const Rules& rules, const Piece* board, const SquareSet& unmoved,
                     Square origin, const std::uint8_t* path);

class Position {
  public:
    // `weights` may be null: then no evaluation terms are kept.
    Position(std::shared_ptr<const Rules> rules, std::string_view fen,
             const PieceSquare* weights = nullptr);

    // The same position with the same history, with other weights.
    Position replayed(const PieceSquare* weights) const;

    const Rules& rules() const { return *rules_; }
    const std::shared_ptr<const Rules>& shared_rules() const { return rules_; }
    Colour turn() const { return turn_; }
    Piece at(Square s) const { return board_[s]; }
    const Piece* board() const { return board_.data(); }
    const SquareSet& men(Colour c) const { return men_[c]; }
    int count(Piece p) const { return counts_[p]; }
    int man_count(Colour c) const { return man_counts_[c]; }
    Square king(Colour c) const { return kings_[c]; }  // of a side with one (Rules::only_king)
    SquareSet royal_men(Colour c) const;
    // No royal man of the side may be captured: he is the last one, or every one must be safe.
    bool keeps_royal_men(Colour c) const {
        return rules_->only_king(c) || rules_->tables().sides[c].check == CheckRule::Every ||
               royal_men(c).size() == 1;
    }
    Key key() const { return state().key; }
    int clock() const { return state().clock; }
    int ply() const { return static_cast<int>(top_); }  // half-moves made since the FEN
    const std::vector<CastlingMove>& castling_moves() const { return castling_moves_; }
    bool has_right(unsigned right) const { return (state().rights >> right) & 1; }
    unsigned right_count() const { return right_count_; }
    bool has_en_passant() const { return state().ep_count != 0; }
    bool en_passant(Square s) const {
        for (unsigned i = 0; i < state().ep_count; ++i)
            if (state().ep[i] == s) return true;
        return false;
    }
    Square en_passant_victim() const { return state().ep_victim; }
    int move_number() const { return first_move_number_ + (ply() + (first_turn_ == Black)) / 2; }
    Weighed weighed() const { return state().weighed; }  // White's terms minus Black's
    Move last_move() const { return state().move; }
    Piece last_capture() const { return state().captured; }

    void make(Move m);
    void unmake();
    void make_null();
    void unmake_null();

    bool attacked(Square s, Colour by) const {
        return tabia::attacked(*rules_, board_.data(), path_men_[by], unmoved(), s, by);
    }
    const SquareSet& path_men(Colour c) const { return path_men_[c]; }
    const SquareSet& unmoved() const { return state().unmoved; }
    // Men beside royal ones that count for the bare king rule.
    int fighting_men(Colour c) const {
        SquareSet men = men_[c];
        if (rules_->only_king(c))
            men.remove(kings_[c]);
        else
            royal_men(c).for_each([&men](Square s) { men.remove(s); });
        if (rules_->tables().bare_ignores_citadels)
            rules_->citadels().for_each([&men](Square s) { men.remove(s); });
        return men.size();
    }
    bool is_bare(Colour c) const { return fighting_men(c) == 0; }
    bool in_check() const { return is_exposed(turn_); }
    // What the side may not leave behind with a move of its own, and what is check when it is its
    // turn: its royal men are attacked as its rule says (CheckRule).
    bool is_exposed(Colour c) const {
        return rules_->only_king(c) ? attacked(kings_[c], opposite(c))
                                    : is_exposed(c, royal_men(c));
    }
    CheckInfo check_info() const;
    // Plays `m` on the board only and asks whether the mover's royal men are then safe enough.
    bool leaves_king_safe(Move m);
    bool castling_is_legal(const CastlingMove& c);

    // The squares of the men whom `m` takes off the board, of either side.
    template <class F>
    void for_each_victim(Move m, F&& visit) const {
        if (m.kind() == MoveKind::Castling) return;
        rules_->for_each_taken(m, visit);
        const Square last = m.kind() == MoveKind::EnPassant ? state().ep_victim : m.to();
        if (board_[last] != kEmpty && last != m.from()) visit(last);
    }
    bool is_capture(Move m) const {  // of an enemy man
        if (m.kind() == MoveKind::EnPassant) return true;
        if (m.kind() == MoveKind::Through) return captures_enemy_through(m);
        const Piece target = board_[m.to()];
        return target != kEmpty && m.kind() != MoveKind::Castling && colour_of(target) != turn_;
    }
    // How often this position stood on the board with the same side to move, this time included;
    // counting stops at `enough`.
    int occurrences(int enough) const;
    // The position stood before, since the last move that cannot be taken back.
    bool repeats() const { return occurrences(2) >= 2; }

    std::string fen() const;
    // UCI; a castling or e.p. capture that has the squares of an ordinary move ends in '*', and a
    // move that captures on the way is several with commas between: e4e5,e5f6.
    std::string move_text(Move m) const;

  private:
    struct State {
        Key key = 0;
        Weighed weighed{};
        Move move;
        std::uint16_t clock = 0;       // plies since a move that resets the n-move rule
        std::uint16_t reversible = 0;  // plies since a move that cannot be taken back
        Piece captured = kEmpty;       // for e.p. too
        Piece moved = kEmpty;          // as it was before a promotion
        std::uint8_t rights = 0;       // bit i: castling_[i]
        std::uint8_t ep_count = 0;
        std::array<Square, 4> ep{};
        Square ep_victim = 0;
        SquareSet unmoved;  // of the men whose rules ask for it
    };

    std::shared_ptr<const Rules> rules_;
    const PieceSquare* weights_;
    std::array<Piece, kSquares> board_{};
    std::array<SquareSet, 2> men_{}, path_men_{};
    std::array<std::uint8_t, kPieces> counts_{};
    std::array<std::uint16_t, 2> man_counts_{};
    std::array<Square, 2> kings_{};  // of sides that have one
    Colour turn_ = White;
    int first_move_number_ = 1;
    Colour first_turn_ = White;
    std::string first_fen_;
    std::array<CastlingRight, 4> castling_{};
    std::vector<CastlingMove> castling_moves_;
    unsigned right_count_ = 0;
    std::array<std::uint8_t, kSquares>
        keeps_rights_{};  // mask of rights that survive a touch of the square
    std::vector<State> states_;
    std::size_t top_ = 0;
    std::vector<Piece> taken_;  // on the way of moves, in the order in which they were taken

    const State& state() const { return states_[top_]; }
    State& state() { return states_[top_]; }
    State& push_state();
    void put(Square s, Piece p, State& st);
    void take(Square s, State& st);
    void note_capture(Piece captured, State& st) const;
    bool captures_enemy_through(Move m) const;
    void add_paths(CheckInfo& info) const;
    bool is_exposed(Colour c, const SquareSet& royal_men) const;
    // Whether the mover's royal men are safe enough on the board as it stands, on which one of its
    // men has just gone to `to`.
    bool is_safe_after(Colour mover, Square to) const;
    void open_en_passant(Move step, State& st);
    bool some_en_passant_is_legal(Square target, Square victim, Colour by);
    bool some_en_passant_is_legal(Square from, Square target);

    // FEN, in fen.cpp
    void read_board(std::string_view field);
    void read_castling(std::string_view field);
    void read_en_passant(std::string_view field);
    void find_unmoved();
    void add_right(Colour side, const CastlingRule& rule, Square king, Square rook);
    std::optional<Square> castling_king(Colour side, const CastlingRule& rule) const;
    std::optional<Square> wing_rook(Colour side, const CastlingRule& rule, Square king) const;
    std::string castling_field() const;
};

}  // namespace tabia
