// Rules as tables. RuleTables is what the rule language hands over: plain numbers, no names of
// games. Rules is the compiled form that the rest of the core runs on; it is immutable and may be
// shared between threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "types.hpp"

namespace tabia {

enum class GameResult : std::uint8_t { Loss, Draw, Win };  // for the side to move

struct MovePrimitive {
    int dx = 0, dy = 0;  // one step, already turned for the side; +y is up the board
    int range = 1;       // number of steps; 0 = to the edge
    bool quiet = true, capture = true;
    bool en_passant = false;               // captures en passant and nothing else
    bool leaves_en_passant = false;        // its `via` squares are open to e.p. for one turn
    std::optional<SquareSet> from;         // only from these squares
    std::vector<std::pair<int, int>> via;  // offsets from the origin that must be empty (lame leap)
};

struct PromotionRule {
    SquareSet squares;  // a move to one of these
    std::vector<Type> to;
    std::array<int, kTypes> limit{};  // most men of a type on the board; -1 = any number
    bool compulsory = false;          // with nothing to promote to, such a move does not exist

    // Whether a side with so many men of that type may have one more.
    bool allows(Type t, int men) const { return limit[t] < 0 || men < limit[t]; }
};

struct CastlingRule {
    char letter = 'K';
    Square king_from = 0, king_to = 0, rook_from = 0, rook_to = 0;
    Type rook = 0;
};

struct SideTables {
    std::array<std::vector<MovePrimitive>, kTypes> moves;
    std::array<std::vector<PromotionRule>, kTypes> promotions;
    std::vector<CastlingRule> castling;
    GameResult stalemate = GameResult::Draw;  // for the side that cannot move
};

struct RuleTables {
    int files = 8, ranks = 8;
    SquareSet holes;
    std::vector<Type> types;  // ascending
    Type royal = 0;
    int repetition = 3;      // occurrences that draw; 0 = no such rule
    int n_move_plies = 100;  // 0 = no such rule
    std::vector<Type> n_move_reset_types;
    bool n_move_reset_capture = true;
    bool dead_position = true;
    std::string start_fen;
    std::array<SideTables, 2> sides;
};

// Answers that are dear to find and asked again and again; safe to ask from several threads, since
// every thread finds the same answer.
class LazyAnswers {
  public:
    template <class Find>
    bool ask(std::size_t question, Find&& find) const {
        auto& known = answers_[question];
        std::int8_t answer = known.load(std::memory_order_relaxed);
        if (answer < 0) known.store(answer = find() ? 1 : 0, std::memory_order_relaxed);
        return answer == 1;
    }
    LazyAnswers() {
        for (auto& answer : answers_) answer.store(-1, std::memory_order_relaxed);
    }

  private:
    mutable std::array<std::atomic<std::int8_t>, kPieces> answers_;
};

// How a group of primitives lies in the pool, for one origin square.
enum class Shape : std::uint8_t {
    Leap,   // n, then n destinations
    Slide,  // number of rays, then for each: n, then n squares outwards
    Lame,   // n, then n times: destination, number of via squares, via squares
};
enum class Mode : std::uint8_t { Any, Quiet, Capture, EnPassant };

struct MoveGroup {
    Shape shape;
    Mode mode;
    bool leaves_en_passant;
    std::uint16_t index;  // into Rules' offsets
};

class Rules {
  public:
    explicit Rules(RuleTables tables);  // std::invalid_argument says which table is wrong

    const RuleTables& tables() const { return tables_; }
    const std::vector<Type>& types() const { return tables_.types; }
    bool has_type(Type t) const { return std::binary_search(types().begin(), types().end(), t); }
    Type royal() const { return tables_.royal; }
    const SquareSet& board() const { return board_; }
    bool on_board(int file, int rank) const;

    const std::vector<MoveGroup>& groups(Piece p) const { return groups_[p]; }
    const std::uint8_t* destinations(const MoveGroup& g, Square s) const {
        return pool_.data() + offsets_[std::size_t{g.index} * kSquares + s];
    }

    // What may attack `s`: leaps (n, then n times: origin, direction), rays (n, then n times:
    // direction, length, squares outwards from s), lame captures (n, then n times: origin, piece,
    // number of via squares, via squares).
    const std::uint8_t* attackers(Colour by, Square s) const {
        return pool_.data() + attack_offsets_[by * kSquares + s];
    }
    // Farthest step at which piece `p` captures along `direction`; 0 = not at all.
    int reach(std::uint8_t direction, Piece p) const {
        return reach_[std::size_t{direction} * kPieces + p];
    }

    bool may_promote(Piece p) const { return !promotion_index_[p].empty(); }
    const PromotionRule* promotion(Piece p, Square to) const {
        const auto i = promotion_index_[p][to];
        return i ? &promotion_rules_[p][i - 1u] : nullptr;
    }
    bool resets_clock(Piece p) const { return resets_clock_[p]; }
    // Every move of such a piece goes up the board, so none can be taken back.
    bool only_advances(Piece p) const { return only_advances_[p]; }
    // The piece has an ordinary move with this from and to, so another move with the same two
    // squares needs a mark of its own in move notation.
    bool has_plain_move(Piece p, Square from, Square to) const;
    bool has_quiet_move(Piece p, Square from, Square to) const;

    // Keys know letters and squares but no rule set: two rule sets that agree on a position give it
    // the same key, so a fixed-node search walks both alike until the rules differ.
    Key key(Piece p, Square s) const { return keys_[std::size_t{p} * kSquares + s]; }
    static Key side_key();
    static Key en_passant_key(Square s);
    static Key castling_key(Colour c, Square rook);

    // Every royal step, of both sides, is a leap to any square that also captures, and where one
    // king may step the other may step back: kings then never attack or block each other.
    bool kings_are_plain() const { return kings_are_plain_; }
    // For dead positions (outcome.cpp). Whether two kings and this one man (kEmpty: none) can stand
    // so that somebody has won; whether men bound to a single colour could ever decide a game.
    bool may_decide(Piece man) const;
    bool one_colour_may_decide() const;

    // No position has more pseudo-legal moves than this.
    std::size_t move_bound() const { return move_bound_; }
    char letter(Piece p) const;
    Piece piece_from_letter(char letter) const;  // kEmpty when there is none

  private:
    RuleTables tables_;
    SquareSet board_;
    // What a square leads to; a square that is not on the board has offset 0: nothing at all.
    std::vector<std::uint8_t> pool_ = {0, 0, 0};
    std::vector<std::uint32_t> offsets_;
    std::array<std::uint32_t, std::size_t{2} * kSquares> attack_offsets_{};
    std::vector<std::uint8_t> reach_;
    std::array<std::vector<MoveGroup>, kPieces> groups_;
    std::array<std::vector<PromotionRule>, kPieces> promotion_rules_;
    std::array<std::vector<std::uint8_t>, kPieces> promotion_index_;
    std::array<bool, kPieces> resets_clock_{}, only_advances_{};
    std::vector<Key> keys_;
    std::size_t move_bound_ = 0;
    bool kings_are_plain_ = false;
    LazyAnswers decides_, one_colour_decides_;

    void check() const;
    void compile_moves();
    void compile_attacks();
    void compile_promotions();
    void compile_keys();
    void bound_moves();
    std::vector<Square> ray(Square from, int dx, int dy, int range) const;
    bool reaches(const MovePrimitive& m, Square from, Square to) const;
};

}  // namespace tabia
