// Rules as tables. RuleTables is what the rule language hands over: plain numbers, no names of
// games. Rules is the compiled form that the rest of the core runs on; it is immutable and may be
// shared between threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "types.hpp"

namespace tabia {

enum class GameResult : std::uint8_t { Loss, Draw, Win };

// What a move may land on.
struct Landing {
    bool empty = false, enemy = false, own = false;
    bool en_passant = false;  // an enemy man that has just passed over the square, and nothing else

    bool operator==(const Landing&) const = default;
    auto operator<=>(const Landing&) const = default;
};

// How a ride deals with the first man on its way.
enum class Hop : std::uint8_t {
    None,
    Over,    // passes over exactly one man, then lands anywhere beyond it (cannon)
    Behind,  // lands on the square directly behind it (grasshopper)
};

using Offset = std::pair<int, int>;
using TypeSet = std::uint32_t;  // bit t: Type t
inline constexpr TypeSet kAllTypes = (TypeSet{1} << kTypes) - 1;
constexpr bool contains(TypeSet set, Type t) {
    return (set >> t) & 1;
}

struct MovePrimitive {
    int dx = 0, dy = 0;  // one step, already turned for the side; +y is up the board
    int range = 1;       // number of steps; 0 = to the edge
    int start = 1;       // the first step that may land; the squares before it may hold anything
    Landing landing{true, true, false, false};
    bool leaves_en_passant = false;  // its `via` squares are open to e.p. for one turn
    bool unmoved = false;            // only by a man that has not moved yet
    bool wrap = false;               // files wrap round
    Hop hop = Hop::None;
    std::optional<Offset>
        first;  // a leap to this square, which must be empty, comes before the ride
    std::optional<SquareSet> from;  // only from these squares
    std::vector<Offset> via;        // offsets from the origin that must be empty (lame leap)
    std::vector<Offset> over;       // offsets from the origin that must be occupied
    // Offsets from the origin where an enemy man, or an own one, must stand; he is captured. With
    // them a step of (0, 0) is a move, too: back to where the man stood, which counts as empty.
    std::vector<Offset> takes, takes_own;
    TypeSet victims = kAllTypes;  // own men, or men captured en passant, that may be captured
    TypeSet not_over = 0;         // no hurdles
    TypeSet not_onto = 0;         // cannot be captured

    bool captures() const { return landing.enemy || !takes.empty(); }  // an enemy man
    bool goes_through() const {
        return !takes.empty() || !takes_own.empty() || (dx == 0 && dy == 0);
    }
};

struct PromotionRule {
    SquareSet squares;  // a move to one of these
    std::vector<Type> to;
    std::array<int, kTypes> limit{};  // most men of a type on the board; -1 = any number
    bool compulsory = false;
    bool stays = false;  // compulsory with nothing to promote to: the man stays what it is;
                         // otherwise such a move does not exist

    // Whether a side with so many men of that type may have one more.
    bool allows(Type t, int men) const { return limit[t] < 0 || men < limit[t]; }
};

struct CastlingRule {
    struct Target {
        Square king, rook;
    };
    char letter = 'K';
    Square king_from = 0, rook_from = 0;
    Type rook = 0;
    std::vector<Target> targets;
    int from_move = 1;  // the first move number at which it is allowed
};

// When a side with several royal men is in check, and so what no move of its own may leave behind.
// With one royal man all three are the same.
enum class CheckRule : std::uint8_t {
    Every,  // when one of them is attacked: none is ever captured
    Last,   // never: all but the last one may be captured
    Duple,  // when all are attacked at once: all but the last one may be captured
};

struct SideTables {
    TypeSet royal = 0;
    CheckRule check = CheckRule::Every;
    std::array<std::vector<MovePrimitive>, kTypes> moves;
    std::array<std::vector<PromotionRule>, kTypes> promotions;
    std::vector<CastlingRule> castling;
    GameResult stalemate = GameResult::Draw;  // for the side that cannot move
};

// A square that can be left, but not entered, passed or attacked; a man there moves as if it stood
// on another square.
struct Citadel {
    Square square, moves_as;
};

// What a side gets that has no man left but royal ones.
enum class Bare : std::uint8_t { None, Loss, Draw };

struct RuleTables {
    int files = 8, ranks = 8;
    SquareSet holes;
    std::vector<Type> types;  // ascending
    std::vector<Citadel> citadels;
    int repetition = 3;  // occurrences that end the game; 0 = no such rule
    GameResult repetition_result = GameResult::Draw;  // for the side that made the move
    int n_move_plies = 100;                           // 0 = no such rule
    std::vector<Type> n_move_reset_types;
    bool n_move_reset_capture = true, n_move_reset_own_capture = false;
    bool dead_position = true;
    Bare bare = Bare::None;
    bool bare_ignores_citadels = false;
    bool bare_answer = false;  // a bared side that bares the other with its next move draws
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

// How a group of primitives lies in the pool, for one origin square. A list is its length, then its
// elements.
enum class Shape : std::uint8_t {
    Leap,   // list of destinations
    Slide,  // list of rays, each a list of squares outwards
    Lame,   // list of: destination, list of alternatives, each a list of squares that must be empty
            // and a list of squares that must be occupied
    Bent,   // list of: the square that must be empty, then a ray
    Hop,    // list of rays
    Through,  // list of: destination, number of the set of squares captured on, and lists of
              // squares that must be empty, be occupied, hold enemy men and hold own men
};

struct MoveGroup {
    Shape shape;
    Landing landing;
    Hop hop;
    bool leaves_en_passant, unmoved;
    TypeSet victims, not_over, not_onto;
    std::uint16_t index;  // into Rules' offsets
};

// One way for a man to capture from one square on another, beyond plain leaps and rides: in the
// pool, a list of squares that must be empty, a list of squares that must be occupied, a list of
// squares of which exactly one must be occupied (or none: empty list), and one byte: whether the
// man must be unmoved, whether he goes through others, and the number of the set of types that are
// no hurdles. If he does, there follow the number of a pair of sets of types (own men whom he may
// capture, enemy men whom he may not) and a list of pairs: a square, and what it may hold.
struct PathFlags {
    static constexpr std::uint8_t kUnmoved = 1, kThrough = 2;
    static constexpr unsigned kHurdleShift = 2;
    static constexpr std::size_t kMostHurdleSets = 64;
    static constexpr std::uint8_t kEmptyThere = 1, kEnemyThere = 2, kOwnThere = 4;
};
struct Capturable {
    TypeSet own, not_enemy;

    bool operator==(const Capturable&) const = default;
};

class Rules {
  public:
    explicit Rules(RuleTables tables);  // std::invalid_argument says which table is wrong

    const RuleTables& tables() const { return tables_; }
    const std::vector<Type>& types() const { return tables_.types; }
    bool has_type(Type t) const { return std::binary_search(types().begin(), types().end(), t); }
    bool is_royal(Piece p) const { return is_royal_[p]; }
    TypeSet royal_types(Colour c) const { return tables_.sides[c].royal; }
    // The side's king where it has one royal man and can get no other, else kEmpty.
    Piece only_king(Colour c) const { return only_kings_[c]; }
    // Both have but one: pins and answers to checks are then told from the one square.
    bool has_one_king_each() const { return only_kings_[White] && only_kings_[Black]; }
    // Whether such a move could capture the enemy's royal men.
    bool threatens(const MovePrimitive& m, Colour side) const {
        return m.captures() && (royal_types(opposite(side)) & ~m.not_onto);
    }
    const SquareSet& board() const { return board_; }        // squares that can be entered
    const SquareSet& citadels() const { return citadels_; }  // squares that can only be left
    bool holds(Square s) const { return board_.has(s) || citadels_.has(s); }
    bool on_board(int file, int rank) const;
    // One step from there, if it stays on the squares that can be entered.
    std::optional<Square> step(Square from, int dx, int dy, bool wrap) const;
    // The squares from which a man steps as if from `origin`: itself, and citadels.
    template <class F>
    void for_each_moving_as(Square origin, F&& visit) const {
        if (board_.has(origin)) visit(origin);
        for (const auto& c : tables_.citadels)
            if (c.moves_as == origin) visit(c.square);
    }

    Square origin_of(Square s) const;  // where the man on `s` moves as if it stood
    // The square that a primitive's ride starts from; the squares on its way from the first step
    // on, landed on or not.
    std::optional<Square> base_of(const MovePrimitive& m, Square origin) const;
    std::vector<Square> way(const MovePrimitive& m, Square origin) const;
    std::optional<std::vector<Square>> squares_at(Square from, const std::vector<Offset>& offsets,
                                                  bool wrap) const;

    const std::vector<MoveGroup>& groups(Piece p) const { return groups_[p]; }
    const std::uint8_t* destinations(const MoveGroup& g, Square s) const {
        return pool_.data() + offsets_[std::size_t{g.index} * kSquares + s];
    }

    // What may attack `s` by plain leaps and rides: leaps (n, then n times: origin, direction),
    // rays (n, then n times: direction, length, squares outwards from s).
    const std::uint8_t* attackers(Colour by, Square s) const {
        return pool_.data() + attack_offsets_[by * kSquares + s];
    }
    // Farthest step at which piece `p` captures along `direction`; 0 = not at all.
    int reach(std::uint8_t direction, Piece p) const {
        return reach_[std::size_t{direction} * kPieces + p];
    }

    // Some men capture in other ways too: by paths with conditions. Those are asked man by man.
    bool has_path_men() const { return has_path_men_; }
    bool is_path_man(Piece p, Square s) const {
        return path_table_[p] != kNoTable && (takes_paths_[p] || citadels_.has(s));
    }
    // The paths from `origin` to `target`: number of paths, then the paths; null = none.
    const std::uint8_t* paths(Piece p, Square origin, Square target) const {
        const std::uint32_t at =
            path_offsets_[(std::size_t{path_table_[p]} * kSquares + target) * kSquares + origin];
        return at ? pool_.data() + at : nullptr;
    }
    // The squares from which some man of that side has a path to `target`.
    const SquareSet& path_origins(Colour by, Square target) const {
        return path_origins_[by * std::size_t{kSquares} + target];
    }
    const Capturable& capturable(std::uint8_t number) const { return capturable_[number]; }
    // Whether some man captures on his way, or comes back to where he stood.
    bool has_through_moves() const { return !taken_.empty(); }
    // The squares on which a Through move captures on its way.
    template <class F>
    void for_each_taken(Move m, F&& visit) const {
        if (m.kind() != MoveKind::Through) return;
        for (const auto& [dx, dy] : taken_[m.taken()])
            visit(square_at(file_of(m.from()) + dx, rank_of(m.from()) + dy));
    }
    TypeSet not_over(std::uint8_t path_flags) const {
        return not_over_[path_flags >> PathFlags::kHurdleShift];
    }

    const std::vector<PromotionRule>& promotion_rules(Piece p) const { return promotion_rules_[p]; }
    bool may_promote(Piece p) const { return !promotion_index_[p].empty(); }
    // A promotion lies on some way of the man on that square, whatever bars the way.
    bool may_promote_from(Piece p, Square s) const { return promotes_from_[p].has(s); }
    const PromotionRule* promotion(Piece p, Square to) const {
        const auto i = promotion_index_[p][to];
        return i ? &promotion_rules_[p][i - 1u] : nullptr;
    }
    // No move leaves such a man on such a square.
    bool must_have_promoted(Piece p, Square s) const;
    bool resets_clock(Piece p) const { return resets_clock_[p]; }
    // Two of its primitives may lead to one square: equal moves must be merged.
    bool may_repeat(Piece p) const { return may_repeat_[p]; }
    Piece array_man(Square s) const { return array_[s]; }
    bool uses_unmoved() const { return uses_unmoved_; }
    bool uses_unmoved(Piece p) const { return uses_unmoved_by_[p]; }
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
    static Key unmoved_key(Square s);

    // The type knows only leaps, rides and lame leaps that capture whomever they meet: what the
    // search for dead positions understands.
    bool steps_plainly(Type t) const;
    // Each side has one royal type, and every step of both is a leap to any square that also
    // captures, and where one king may step the other may step back: kings then never attack or
    // block each other. And there are few: a royal man of very many steps is not for the search for
    // dead positions.
    bool kings_are_plain() const { return kings_are_plain_; }
    Type royal_type(Colour c) const {  // where the side has one
        return static_cast<Type>(std::countr_zero(royal_types(c)));
    }
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
    SquareSet board_, citadels_;
    // What a square leads to; a square that is not on the board has offset 0: nothing at all.
    std::vector<std::uint8_t> pool_ = {0, 0, 0};
    std::vector<std::uint32_t> offsets_;
    std::array<std::uint32_t, std::size_t{2} * kSquares> attack_offsets_{};
    std::vector<std::uint8_t> reach_;
    std::array<std::vector<MoveGroup>, kPieces> groups_;
    std::array<std::vector<PromotionRule>, kPieces> promotion_rules_;
    std::array<std::vector<std::uint8_t>, kPieces> promotion_index_;
    std::array<SquareSet, kPieces> promotes_from_{};
    std::array<bool, kPieces> resets_clock_{}, only_advances_{}, may_repeat_{}, uses_unmoved_by_{},
        is_royal_{};
    std::array<Piece, 2> only_kings_{};
    bool uses_unmoved_ = false, has_path_men_ = false;
    static constexpr std::uint8_t kNoTable = 0xff;
    std::array<std::uint8_t, kPieces> path_table_{};
    std::array<bool, kPieces> takes_paths_{};
    std::vector<TypeSet> not_over_;
    std::vector<Capturable> capturable_;
    std::vector<std::vector<Offset>> taken_;   // what Through moves capture on the way
    std::vector<std::uint32_t> path_offsets_;  // by table, target, origin
    std::vector<SquareSet> path_origins_;
    std::array<Piece, kSquares> array_{};
    std::vector<Key> keys_;
    std::size_t move_bound_ = 0;
    bool kings_are_plain_ = false;
    LazyAnswers decides_, one_colour_decides_;

    void check() const;
    void check(const MovePrimitive& m) const;
    void check_royals(Colour side) const;
    void check_castling(const SideTables& side) const;
    void check_citadels() const;
    void check_through(const MovePrimitive& m) const;
    std::uint8_t hurdle_set(TypeSet not_over);
    std::uint8_t capturable_set(const Capturable& who);
    std::uint8_t taken_set(const MovePrimitive& m);
    // The bytes of one move through others, if all its squares are there.
    std::optional<std::vector<std::uint8_t>> through_bytes(const MovePrimitive& m, Square origin,
                                                           std::uint8_t taken) const;
    void append_group(Shape shape, const SquareSet& from,
                      const std::vector<MovePrimitive>& primitives);
    void compile_moves();
    void compile_attacks();
    void compile_paths();
    void read_array();
    void find_kings();
    void find_repeats();
    void compile_promotions();
    void compile_keys();
    void bound_moves();
    bool reaches(const MovePrimitive& m, Square from, Square to) const;
    std::vector<Square> ray(Square from, int dx, int dy, int range, bool wrap = false) const;
};

}  // namespace tabia
