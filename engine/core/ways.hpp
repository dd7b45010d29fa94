// How a man gets from square to square, as conditions on the squares of the other men. With few men
// on the board that is all there is to know, and it can be read backwards: which squares may a man
// have come from?
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules.hpp"
#include "types.hpp"

namespace tabia {

// What must hold on the board, the moving man still on its square.
struct Condition {
    SquareSet empty, occupied;
    SquareSet one_of;      // exactly one of them is occupied; no squares: no condition
    TypeSet not_over = 0;  // types that are no hurdles, on the squares of the last two

    auto operator<=>(const Condition&) const = default;
    bool is_free() const { return empty.empty() && occupied.empty() && one_of.empty(); }
};

// What a way may be used for.
struct WayEnd {
    bool quiet = false, enemy = false, own = false;
    TypeSet victims = 0, not_onto = 0;

    auto operator<=>(const WayEnd&) const = default;
};

struct Way {
    Square from = 0, to = 0;
    Condition condition;
    WayEnd end;

    auto operator<=>(const Way&) const = default;
};

// All ways of a piece, from squares of the board and from citadels. A man is taken to have moved
// before, and nothing is open to e.p.: `initial = "unmoved"` and e.p. captures have no ways. Nor
// have captures on the way.
std::vector<Way> ways_of(const Rules& rules, Piece piece);

// Every way leads to a square of the colour that it starts from.
bool keeps_colour(const Rules& rules, Piece piece);

inline constexpr int kMostMen = 6;

// The men of an ending on the board.
class FewMen {
  public:
    void add(Piece p) {
        men_[static_cast<std::size_t>(count_)] = p;
        lifted_[static_cast<std::size_t>(count_++)] = true;
    }
    int count() const { return count_; }
    Piece man(int i) const { return men_[static_cast<std::size_t>(i)]; }
    Square square(int i) const { return squares_[static_cast<std::size_t>(i)]; }
    Piece at(unsigned s) const { return board_[s]; }
    // Which man stands there; the square is occupied.
    int index_at(Square s) const {
        int i = 0;
        while (square(i) != s || lifted_[static_cast<std::size_t>(i)]) ++i;
        return i;
    }
    bool is_lifted(int i) const { return lifted_[static_cast<std::size_t>(i)]; }
    const SquareSet& occupied() const { return occupied_; }
    void place(int i, Square s) {
        squares_[static_cast<std::size_t>(i)] = s;
        lifted_[static_cast<std::size_t>(i)] = false;
        board_[s] = man(i);
        occupied_.add(s);
    }
    void become(int i, Piece p) { men_[static_cast<std::size_t>(i)] = p; }
    void lift(int i) {
        lifted_[static_cast<std::size_t>(i)] = true;
        board_[square(i)] = kEmpty;
        occupied_.remove(square(i));
    }
    bool holds(const Condition& c) const;

  private:
    std::array<Piece, kSquares + 1> board_{};  // the last square is never occupied
    SquareSet occupied_;
    std::array<Piece, kMostMen> men_{};
    std::array<Square, kMostMen> squares_{};
    std::array<bool, kMostMen> lifted_{};
    int count_ = 0;
};

// The ways of one piece in the order in which they are asked for.
class WayTable {
  public:
    WayTable(const Rules& rules, Piece piece);

    // Calls visit(square, end) for each way from `from` (into: to `to`, with the squares that the
    // man may come from) whose condition holds, until it returns true.
    template <class Visit>
    bool from(Square s, const FewMen& men, Visit&& visit) const {
        return walk(from_, s, men, visit);
    }
    template <class Visit>
    bool into(Square s, const FewMen& men, Visit&& visit) const {
        return walk(into_, s, men, visit);
    }
    // Whether the man on `origin` could capture an enemy man of that type on `target`.
    bool takes(Square origin, Square target, Type type, const FewMen& men) const {
        const std::uint32_t code = takes_[std::size_t{origin} * kSquares + target];
        if (code == kNever) return false;
        if (code == kAlways) return true;
        if (code < kFirstChoice) return (clear_[code - kFirstClear] & men.occupied()).empty();
        for (const auto& choice : choices_[code - kFirstChoice])
            if (!contains(choice.not_onto, type) && men.holds(choice.condition)) return true;
        return false;
    }
    bool takes_own() const { return takes_own_; }

  private:
    static constexpr std::uint16_t kNoGate = kSquares;
    static constexpr std::uint32_t kNever = 0, kAlways = 1, kFirstClear = 2, kFirstChoice = 1 << 20;

    struct Step {
        std::uint16_t gate;  // a man here bars this step and those that follow on the same ride
        Square square;
        std::uint8_t skip;  // how many those are
        std::uint8_t end;
        std::uint32_t condition;  // 0 = none
    };
    struct Lists {
        std::vector<Step> steps;
        std::array<std::uint32_t, kSquares + 1> first{};
    };
    struct Choice {
        Condition condition;
        TypeSet not_onto;
    };

    Lists from_, into_;
    std::vector<WayEnd> ends_;
    std::vector<Condition> conditions_ = {Condition{}};
    std::vector<std::uint32_t> takes_;
    std::vector<SquareSet> clear_;
    std::vector<std::vector<Choice>> choices_;
    bool takes_own_ = false;

    template <class Visit>
    bool walk(const Lists& lists, Square s, const FewMen& men, Visit&& visit) const {
        const Step* step = lists.steps.data() + lists.first[s];
        const Step* const last = lists.steps.data() + lists.first[s + 1u];
        while (step != last) {
            if (men.at(step->gate) != kEmpty) {
                step += 1 + step->skip;
                continue;
            }
            if (step->condition == 0 || men.holds(conditions_[step->condition]))
                if (visit(step->square, ends_[step->end])) return true;
            ++step;
        }
        return false;
    }
    void list(const std::vector<Way>& ways, bool backwards, Lists& lists);
    void find_captures(const std::vector<Way>& ways);
};

}  // namespace tabia
