// All positions of one material, solved backwards from the ends of games.
//
// What decides a game here is what decides it on the board: mate, stalemate and bare king as the
// rules have them. Repetition and the n-move rule are left out, so "drawn" is that neither side can
// force an end. Nobody may castle, nothing is open to e.p., and every man has moved before.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "material.hpp"
#include "outcome.hpp"
#include "symmetry.hpp"
#include "ways.hpp"

namespace tabia {

// What a position is worth to the side to move, and in how many plies the game ends.
struct Solved {
    GameResult result = GameResult::Draw;
    int plies = 0;  // of a win or loss
};

class Endgame;

// Where a change of material leads: the ending reached, and for each of its men where that man
// stood in this one.
struct Exit {
    Conversion conversion;
    const Endgame* to = nullptr;
    std::vector<int> sources;
};

struct SolvedCounts {
    std::uint64_t positions = 0, white_wins = 0, black_wins = 0;
    std::uint64_t mates = 0, stalemates = 0, bare = 0;  // games over, by reason
};

// The longest way to a win and a position that needs it.
struct Longest {
    int plies = -1;
    Colour turn = White;
    std::vector<Square> squares;
};

struct Statistics {
    // By whether two men that keep to one colour of squares each keep to the same (0) or not (1);
    // all in 0 where there are not just two such men. Then by the side to move.
    std::array<std::array<SolvedCounts, 2>, 2> counts;
    bool has_colours = false;
    std::array<std::array<Longest, 2>, 2> longest;  // by the same and by the winner
};

class Endgame {
  public:
    // Called now and then while solving; what it throws ends the solving.
    using Pulse = std::function<void()>;

    // `maps`: symmetries of this ending and of all that it leads to.
    Endgame(const Rules& rules, Material material, std::vector<BoardMap> maps);
    Endgame(const Endgame&) = delete;
    Endgame& operator=(const Endgame&) = delete;

    const Material& material() const { return material_; }
    std::uint64_t bytes() const { return 2 * placements_ * sizeof(std::uint16_t); }
    std::uint64_t placements() const { return placements_; }

    // `exits`: one for each conversion of the material, to endings that are solved.
    void solve(std::vector<Exit> exits, const Pulse& pulse);

    // nullopt: no legal position, or one that moves from the array cannot lead to.
    std::optional<Solved> probe(Colour turn, const std::vector<Square>& squares) const;
    Statistics statistics() const;
    std::string fen(Colour turn, const std::vector<Square>& squares) const;

  private:
    using Value = std::uint16_t;
    using Index = std::uint64_t;
    // Decided: a flag, who wins, and plies. Undecided: 0, or the number of moves that are still to
    // be refuted, or one of the marks.
    static constexpr Value kDecided = 0x8000, kWin = 0x4000, kPlies = 0x3fff;
    static constexpr Value kUntouched = 0, kOneMove = 1, kMostLeft = 0x3fff;
    static constexpr Value kCannotLose = 0x7ffd, kOver = 0x7ffe, kNone = 0x7fff;

    // The moves of one position that change the material, as the mover sees them.
    struct Exits {
        bool any = false, draws = false, captures = false;
        int win = -1, loss = -1;  // plies of the quickest win and of the slowest loss, or -1
    };
    struct Man {
        Piece piece;
        SquareSet squares;      // where it may stand
        SquareSet must_change;  // where it may not stay what it is
        std::array<std::vector<Piece>, kSquares> promotions;
        bool promotes = false;
    };

    const Rules& rules_;
    Material material_;
    std::vector<BoardMap> maps_;
    int count_;
    std::vector<Man> men_;
    std::vector<WayTable> ways_;
    std::vector<Square> squares_;                  // by number
    std::array<std::uint8_t, kSquares> number_{};  // of a square
    // Of a square of White's royal man: the maps that take it to the one square of its kind that is
    // stored, and the number of that square.
    std::array<std::vector<const BoardMap*>, kSquares> to_kept_;
    std::array<std::uint8_t, kSquares> kept_number_{};
    std::vector<Square> kept_;
    bool has_twins_ = false;  // equal men
    Index placements_ = 0;
    std::vector<Exit> exits_;
    std::vector<std::int16_t> exit_numbers_;
    std::vector<Value> values_;  // White to move, then Black to move
    int last_ = 0;               // plies of the longest game decided so far
    std::vector<Index> reached_;

    std::size_t slot(int i) const { return static_cast<std::size_t>(i); }
    const WayTable& ways(int i) const { return ways_[slot(i)]; }
    Colour colour(int i) const { return colour_of(material_.men[slot(i)]); }
    std::size_t exit_key(const Conversion& c) const {
        return (slot(c.mover) * (slot(count_) + 1) + slot(c.captured + 1)) * kPieces + c.becomes;
    }
    static int royal(Colour c) { return c == White ? 0 : 1; }

    Index place(const FewMen& men) const;
    Index index(Colour turn, const FewMen& men) const { return turn * placements_ + place(men); }
    FewMen no_men() const;
    void set_up(FewMen& men, Index placement) const;
    // How many positions of the whole board the one stored stands for.
    unsigned images(const FewMen& men) const;
    template <class Visit>
    void for_each_placement(Visit&& visit) const;

    bool attacked(const FewMen& men, Square s, Colour by) const;
    bool in_check(const FewMen& men, Colour side) const {
        return attacked(men, men.square(royal(side)), opposite(side));
    }
    template <class Visit>
    bool with_move(FewMen& men, int mover, Square to, int captured, Piece becomes,
                   Visit&& visit) const;
    template <class Visit>
    bool any_quiet_move(FewMen& men, Colour side, Visit&& visit) const;
    template <class Visit>
    void for_each_origin(FewMen& men, Colour side, Visit&& visit) const;
    template <class Visit>
    void for_each_exit(FewMen& men, Colour side, Visit&& visit) const;
    Exits exits(FewMen& men, Colour side) const;
    Value worth(Colour turn, const FewMen& men, const Exit& exit) const;

    int fighting_men(const FewMen& men, Colour side) const;
    std::optional<GameResult> bare(const FewMen& men, Colour side, const Exits& exits) const;
    struct End {
        Reason reason;
        GameResult result;
    };
    std::optional<End> end(FewMen& men, Colour side, const Exits& exits) const;
    Value first_value(FewMen& men, Colour side) const;
    Value won_in(int plies) const;
    Value lost_in(int plies) const;
    void set(Index position, Value value);
    std::size_t count_moves(FewMen& men, Colour side);
    void refute(Index position, int plies);
    void hand_on(int plies);
};

}  // namespace tabia
