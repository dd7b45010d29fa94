#include "endgame_bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "endgame_family.hpp"
#include "position.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tabia {
namespace {

// An ending as Python holds it: the family, and whether it is solved.
class SolvedEnding {
  public:
    SolvedEnding(std::shared_ptr<const Rules> rules, const std::string& white,
                 const std::string& black)
        : rules_(rules), family_(rules, men(*rules, white, black)) {}
    SolvedEnding(const SolvedEnding&) = delete;
    SolvedEnding& operator=(const SolvedEnding&) = delete;

    void solve(const nb::object& pulse) {
        const nb::gil_scoped_release released;
        family_.solve([&pulse] {
            const nb::gil_scoped_acquire acquired;
            pulse();
        });
        solved_ = true;
    }
    std::uint64_t placements() const { return family_.placements(); }
    std::uint64_t bytes() const { return family_.bytes(); }

    // Both sides' letters, royal men first, of each ending of the family.
    std::vector<std::tuple<std::string, std::string>> materials() const {
        std::vector<std::tuple<std::string, std::string>> found;
        for (const auto& material : family_.materials()) {
            std::string white, black;
            for (const Piece p : material.men)
                (colour_of(p) == White ? white : black) += letter_of(type_of(p));
            found.emplace_back(white, black);
        }
        return found;
    }

    nb::list counts() const {
        require_solved();
        const Statistics found = [&] {
            const nb::gil_scoped_release released;
            return family_.asked().statistics();
        }();
        nb::list kinds;
        for (std::size_t kind = 0; kind < (found.has_colours ? 2 : 1); ++kind) {
            nb::dict d;
            d["colours"] =
                !found.has_colours ? nb::none() : nb::object(nb::str(kind ? "opposite" : "same"));
            for (const Colour side : {White, Black}) {
                const auto& c = found.counts[kind][side];
                nb::dict counts;
                counts["positions"] = c.positions;
                counts["white_wins"] = c.white_wins;
                counts["black_wins"] = c.black_wins;
                counts["mates"] = c.mates;
                counts["stalemates"] = c.stalemates;
                counts["bare_kings"] = c.bare;
                d[side == White ? "white_to_move" : "black_to_move"] = counts;
            }
            for (const Colour winner : {White, Black})
                d[winner == White ? "longest_white_win" : "longest_black_win"] =
                    longest(found.longest[kind][winner]);
            kinds.append(d);
        }
        return kinds;
    }

    // White's result (1, 0, -1) and plies to the end; none for what no game leads to.
    std::optional<std::tuple<int, int>> probe(const std::string& fen) const {
        require_solved();
        const Position position(rules_, fen);
        std::vector<std::pair<Piece, Square>> others;
        for (const Colour side : {White, Black})
            position.men(side).for_each([&](Square at) {
                if (at != position.king(side)) others.emplace_back(position.at(at), at);
            });
        std::sort(others.begin(), others.end());
        std::vector<Piece> men;
        std::vector<Square> squares = {position.king(White), position.king(Black)};
        for (const Colour side : {White, Black}) men.push_back(position.at(position.king(side)));
        for (const auto& [piece, at] : others) {
            men.push_back(piece);
            squares.push_back(at);
        }
        const Endgame* ending = family_.find(material_of(std::move(men)));
        if (!ending) throw std::invalid_argument("the position has other men than the ending");
        const auto solved = ending->probe(position.turn(), squares);
        if (!solved) return std::nullopt;
        const int mover = position.turn() == White ? 1 : -1;
        const int result = solved->result == GameResult::Win    ? mover
                           : solved->result == GameResult::Loss ? -mover
                                                                : 0;
        return std::tuple{result, solved->plies};
    }

  private:
    std::shared_ptr<const Rules> rules_;
    EndgameFamily family_;
    bool solved_ = false;

    static std::vector<Piece> men(const Rules& rules, const std::string& white,
                                  const std::string& black) {
        if (!rules.has_one_king_each()) throw std::invalid_argument("rules: one royal man a side");
        std::vector<Piece> royal, others;
        for (const Colour side : {White, Black}) {
            std::size_t kings = 0;
            for (const char c : side == White ? white : black) {
                if (c < 'A' || c > 'Z' || !rules.has_type(static_cast<Type>(c - 'A')))
                    throw std::invalid_argument("men: letters of pieces");
                const Piece p = piece_of(side, static_cast<Type>(c - 'A'));
                const bool is_royal = rules.is_royal(p);
                kings += is_royal;
                (is_royal ? royal : others).push_back(p);
            }
            if (kings != 1) throw std::invalid_argument("men: one royal man a side");
        }
        royal.insert(royal.end(), others.begin(), others.end());
        return royal;
    }
    void require_solved() const {
        if (!solved_) throw std::logic_error("not solved yet");
    }
    nb::object longest(const Longest& found) const {
        if (found.plies < 0) return nb::none();
        nb::dict d;
        d["plies"] = found.plies;
        d["fen"] = family_.asked().fen(found.turn, found.squares);
        return d;
    }
};

}  // namespace

void bind_endgames(nb::module_& m) {
    nb::class_<SolvedEnding>(m, "Endgame")
        .def(nb::init<std::shared_ptr<const Rules>, const std::string&, const std::string&>(),
             "rules"_a, "white"_a, "black"_a)
        .def("materials", &SolvedEnding::materials)
        .def("placements", &SolvedEnding::placements)
        .def("bytes", &SolvedEnding::bytes)
        .def("solve", &SolvedEnding::solve, "pulse"_a)
        .def("counts", &SolvedEnding::counts)
        .def("probe", &SolvedEnding::probe, "fen"_a);
}

}  // namespace tabia
