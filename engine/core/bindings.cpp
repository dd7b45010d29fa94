// The module tabia.engine._core: tables in, positions, searches and games out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>

#include "endgame_bindings.hpp"
#include "evaluation.hpp"
#include "game.hpp"
#include "move_generation.hpp"
#include "notation.hpp"
#include "outcome.hpp"
#include "position.hpp"
#include "rules.hpp"
#include "samples.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tabia {
namespace {

template <class T>
T get(const nb::dict& d, const char* key) {
    if (!d.contains(key)) throw std::invalid_argument(std::string("tables: no key \"") + key + '"');
    return nb::cast<T>(d[key]);
}

// What no older file of weights names counts for nothing.
int newer(const nb::dict& d, const char* key) {
    return d.contains(key) ? nb::cast<int>(d[key]) : 0;
}

Square to_square(int s) {
    if (s < 0 || s >= kSquares) throw std::invalid_argument("tables: a square is 0 to 255");
    return static_cast<Square>(s);
}

SquareSet to_set(const std::vector<int>& squares) {
    SquareSet set;
    for (const int s : squares) set.add(to_square(s));
    return set;
}

// The rule language numbers its types from 0; here a type is its letter.
class TypeNames {
  public:
    explicit TypeNames(const std::string& letters) : letters_(letters) {
        for (const char c : letters)
            if (c < 'A' || c > 'Z') throw std::invalid_argument("letters: A to Z");
    }
    Type operator[](int index) const {
        if (index < 0 || index >= static_cast<int>(letters_.size()))
            throw std::invalid_argument("tables: no such piece type");
        return static_cast<Type>(letters_[static_cast<std::size_t>(index)] - 'A');
    }
    int size() const { return static_cast<int>(letters_.size()); }

  private:
    std::string letters_;
};

template <class T>
T get_or(const nb::dict& d, const char* key, T otherwise) {
    return d.contains(key) && !nb::object(d[key]).is_none() ? nb::cast<T>(d[key]) : otherwise;
}

std::vector<Offset> to_offsets(const nb::dict& d, const char* key) {
    std::vector<Offset> offsets;
    for (const auto& v : get_or<std::vector<std::vector<int>>>(d, key, {})) {
        if (v.size() != 2 || std::abs(v[0]) >= kWidth || std::abs(v[1]) >= kWidth)
            throw std::invalid_argument(std::string(key) + ": pairs of numbers from -15 to 15");
        offsets.emplace_back(v[0], v[1]);
    }
    return offsets;
}

TypeSet to_types(const nb::dict& d, const char* key, const TypeNames& types, TypeSet otherwise) {
    const auto listed = get_or<std::optional<std::vector<int>>>(d, key, std::nullopt);
    if (!listed) return otherwise;
    TypeSet set = 0;
    for (const int index : *listed) set |= TypeSet{1} << types[index];
    return set;
}

MovePrimitive to_primitive(const nb::dict& d, const TypeNames& types) {
    MovePrimitive m;
    m.dx = get<int>(d, "dx");
    m.dy = get<int>(d, "dy");
    m.range = get<int>(d, "range");
    m.start = get_or<int>(d, "start", 1);
    m.landing = {};
    for (const char c : get<std::string>(d, "mode")) {
        if (c == 'm')
            m.landing.empty = true;
        else if (c == 'c')
            m.landing.enemy = true;
        else if (c == 'd')
            m.landing.own = true;
        else if (c == 'e')
            m.landing.en_passant = true;
        else
            throw std::invalid_argument("mode: letters of mcd, or e");
    }
    m.leaves_en_passant = get<bool>(d, "ep");
    m.unmoved = get_or<bool>(d, "unmoved", false);
    m.wrap = get_or<bool>(d, "wrap", false);
    const auto hop = get_or<std::string>(d, "hop", "");
    if (hop != "" && hop != "over" && hop != "behind")
        throw std::invalid_argument("hop: over or behind");
    m.hop = hop == "over" ? Hop::Over : hop == "behind" ? Hop::Behind : Hop::None;
    if (const auto first = get_or<std::vector<int>>(d, "first", {}); !first.empty()) {
        if (first.size() != 2 || std::abs(first[0]) >= kWidth || std::abs(first[1]) >= kWidth)
            throw std::invalid_argument("first: a pair of numbers from -15 to 15");
        m.first = Offset{first[0], first[1]};
    }
    if (const nb::object from = d["from"]; !from.is_none())
        m.from = to_set(nb::cast<std::vector<int>>(from));
    m.via = to_offsets(d, "via");
    m.over = to_offsets(d, "over");
    m.takes = to_offsets(d, "takes");
    m.takes_own = to_offsets(d, "takes_own");
    m.victims = to_types(d, m.landing.en_passant ? "ep_victims" : "victims", types, kAllTypes);
    m.not_over = to_types(d, "not_over", types, 0);
    m.not_onto = to_types(d, "not_onto", types, 0);
    return m;
}

PromotionRule to_promotion(const nb::dict& d, const TypeNames& types) {
    PromotionRule rule;
    rule.squares = to_set(get<std::vector<int>>(d, "squares"));
    for (const int index : get<std::vector<int>>(d, "to")) rule.to.push_back(types[index]);
    rule.limit.fill(-1);
    const auto limits = get<std::vector<int>>(d, "limit");
    for (int i = 0; i < static_cast<int>(limits.size()); ++i)
        rule.limit[types[i]] = limits[static_cast<std::size_t>(i)];
    rule.compulsory = get<bool>(d, "compulsory");
    rule.stays = get_or<std::string>(d, "when_none", "immobile") == "stays";
    return rule;
}

CastlingRule to_castling(const nb::dict& d, const TypeNames& types) {
    const auto letter = get<std::string>(d, "letter");
    if (letter != "K" && letter != "Q") throw std::invalid_argument("castling letter: K or Q");
    CastlingRule rule{letter[0],
                      to_square(get<int>(d, "king_from")),
                      to_square(get<int>(d, "rook_from")),
                      types[get<int>(d, "rook")],
                      {},
                      get_or<int>(d, "from_move", 1)};
    const auto target = [](const nb::dict& t) {
        return CastlingRule::Target{to_square(get<int>(t, "king_to")),
                                    to_square(get<int>(t, "rook_to"))};
    };
    if (d.contains("moves")) {
        for (const auto& t : get<std::vector<nb::dict>>(d, "moves"))
            rule.targets.push_back(target(t));
    } else {
        rule.targets.push_back(target(d));
    }
    return rule;
}

CheckRule to_check_rule(const std::string& text) {
    if (text == "every") return CheckRule::Every;
    if (text == "last") return CheckRule::Last;
    if (text == "duple") return CheckRule::Duple;
    throw std::invalid_argument("check: every, last or duple");
}

Bare to_bare(const std::string& text) {
    if (text == "none") return Bare::None;
    if (text == "loss") return Bare::Loss;
    if (text == "draw") return Bare::Draw;
    throw std::invalid_argument("bare: none, loss or draw");
}

GameResult to_result(const std::string& text) {
    if (text == "loss") return GameResult::Loss;
    if (text == "draw") return GameResult::Draw;
    if (text == "win") return GameResult::Win;
    throw std::invalid_argument("result: loss, draw or win");
}

SideTables to_side(const nb::dict& d, const TypeNames& types) {
    SideTables side;
    for (const int index : get<std::vector<int>>(d, "royal"))
        side.royal |= TypeSet{1} << types[index];
    side.check = to_check_rule(get_or<std::string>(d, "check", "every"));
    const auto moves = get<std::vector<std::vector<nb::dict>>>(d, "moves");
    const auto promotions = get<std::vector<std::vector<nb::dict>>>(d, "promotions");
    for (int i = 0; i < types.size(); ++i) {
        for (const auto& m : moves.at(static_cast<std::size_t>(i)))
            side.moves[types[i]].push_back(to_primitive(m, types));
        for (const auto& p : promotions.at(static_cast<std::size_t>(i)))
            side.promotions[types[i]].push_back(to_promotion(p, types));
    }
    for (const auto& c : get<std::vector<nb::dict>>(d, "castling"))
        side.castling.push_back(to_castling(c, types));
    side.stalemate = to_result(get<std::string>(d, "stalemate"));
    return side;
}

std::shared_ptr<const Rules> to_rules(const nb::dict& d) {
    RuleTables t;
    const auto letters = get<std::string>(d, "letters");
    const TypeNames types(letters);
    t.files = get<int>(d, "files");
    t.ranks = get<int>(d, "ranks");
    t.holes = to_set(get<std::vector<int>>(d, "holes"));
    for (int i = 0; i < types.size(); ++i) t.types.push_back(types[i]);
    t.repetition = get<int>(d, "repetition");
    t.n_move_plies = get<int>(d, "n_move_plies");
    for (const int index : get<std::vector<int>>(d, "n_move_reset_types"))
        t.n_move_reset_types.push_back(types[index]);
    t.n_move_reset_capture = get<bool>(d, "n_move_reset_capture");
    t.dead_position = get<bool>(d, "dead_position");
    t.n_move_reset_own_capture = get_or<bool>(d, "n_move_reset_own_capture", false);
    t.repetition_result = to_result(get_or<std::string>(d, "repetition_result", "draw"));
    t.bare = to_bare(get_or<std::string>(d, "bare", "none"));
    t.bare_ignores_citadels = get_or<bool>(d, "bare_ignores_citadels", false);
    t.bare_answer = get_or<bool>(d, "bare_answer", false);
    for (const auto& c : get_or<std::vector<nb::dict>>(d, "citadels", {}))
        t.citadels.push_back(
            {to_square(get<int>(c, "square")), to_square(get<int>(c, "moves_as"))});
    t.start_fen = get<std::string>(d, "start_fen");
    const auto sides = get<std::vector<nb::dict>>(d, "sides");
    if (sides.size() != 2) throw std::invalid_argument("sides: White's and Black's");
    for (const Colour side : {White, Black}) t.sides[side] = to_side(sides[side], types);
    auto rules = std::make_shared<const Rules>(std::move(t));
    const Position array(rules, rules->tables().start_fen);
    if (array.is_exposed(Black))
        throw std::invalid_argument("White, who moves first, could capture Black's king");
    return rules;
}

Weights to_weights(const nb::dict& d) {
    Weights weights;
    const auto small = [](int x) { return x >= -3000 && x <= 3000; };
    weights.tempo = get<int>(d, "tempo");
    weights.supply = newer(d, "supply");
    if (!small(weights.tempo)) throw std::invalid_argument("weights: tempo from -3000 to 3000");
    if (weights.supply < 0 || weights.supply > 64)
        throw std::invalid_argument("weights: supply from 0 to 64");
    for (const auto& [name, entry] : get<std::map<std::string, nb::dict>>(d, "letters")) {
        if (name.size() != 1 || name[0] < 'A' || name[0] > 'Z')
            throw std::invalid_argument("weights: letters A to Z");
        auto& w = weights.letter[static_cast<std::size_t>(name[0] - 'A')];
        w.mid = get<int>(entry, "mid");
        w.end = get<int>(entry, "end");
        w.centre_mid = get<int>(entry, "centre_mid");
        w.centre_end = get<int>(entry, "centre_end");
        w.phase = get<int>(entry, "phase");
        w.mobility = newer(entry, "mobility");
        w.mobility_mid = newer(entry, "mobility_mid");
        w.mobility_end = newer(entry, "mobility_end");
        w.pair_mid = newer(entry, "pair_mid");
        w.pair_end = newer(entry, "pair_end");
        w.advance_mid = get<std::vector<int>>(entry, "advance_mid");
        w.advance_end = get<std::vector<int>>(entry, "advance_end");
        if (!small(w.mid) || !small(w.end) || !small(w.centre_mid) || !small(w.centre_end) ||
            !small(w.mobility) || !small(w.mobility_mid) || !small(w.mobility_end) ||
            !small(w.pair_mid) || !small(w.pair_end) || w.phase < 0 || w.phase > 100 ||
            !std::all_of(w.advance_mid.begin(), w.advance_mid.end(), small) ||
            !std::all_of(w.advance_end.begin(), w.advance_end.end(), small))
            throw std::invalid_argument(
                "weights: every term from -3000 to 3000, phase from 0 to 100");
    }
    return weights;
}

const char* result_text(int white) {
    return white > 0 ? "1-0" : white < 0 ? "0-1" : "1/2-1/2";
}

nb::dict to_dict(const std::array<int, kTypes>& by_type) {
    nb::dict counts;
    for (Type t = 0; t < kTypes; ++t)
        if (by_type[t]) counts[nb::str(std::string(1, letter_of(t)).c_str())] = by_type[t];
    return counts;
}

// Set by one thread to end another one's search.
struct StopFlag {
    std::atomic<bool> flag = false;
};

// A position as Python holds it: it owns its weights and remembers what is to be taken back.
class Board {
  public:
    Board(std::shared_ptr<const Rules> rules, const std::optional<std::string>& fen)
        : position_(rules,
                    fen ? std::string_view(*fen) : std::string_view(rules->tables().start_fen)) {}

    std::vector<std::string> legal() { return texts(legal_moves(position_)); }
    // As a search lists them: captures and promotions first, the others when it still needs them.
    std::pair<std::vector<std::string>, std::vector<std::string>> legal_in_stages() {
        const CheckInfo info = position_.check_info();
        const auto stage = [&](Wanted wanted) {
            std::vector<Move> moves(position_.rules().move_bound());
            moves.resize(static_cast<std::size_t>(generate(position_, info, wanted, moves.data()) -
                                                  moves.data()));
            return texts(moves);
        };
        return {stage(Wanted::Noisy), stage(Wanted::Quiet)};
    }
    void push(const std::string& text) { position_.make(move_from_text(position_, text)); }
    void pop() {
        if (position_.ply() == 0) throw std::out_of_range("pop: no move was pushed");
        position_.unmake();
    }
    std::optional<std::tuple<std::string, std::string>> ended() {
        const auto o = outcome(position_);
        if (!o) return std::nullopt;
        return std::tuple{std::string(result_text(o->white)), std::string(reason_text(o->reason))};
    }
    std::uint64_t count_leaves(int depth) {
        Position own = position_;  // another thread may move on meanwhile
        const nb::gil_scoped_release released;
        return perft(own, depth);
    }
    // A fresh search of the position, with the history of the moves that led here. `report`, if
    // any, is called with a dictionary like the one returned after each iteration.
    nb::dict think(const std::shared_ptr<const Evaluator>& evaluator, std::uint64_t nodes,
                   int depth, double seconds, const StopFlag* stop, const nb::object& report,
                   std::size_t hash_mb) {
        if (nodes == 0 && depth <= 0 && seconds <= 0 && !stop)
            throw std::invalid_argument(
                "search: a limit of nodes, depth or seconds, or a way to stop");
        const SearchLimits limits{.nodes = nodes,
                                  .depth = depth > 0 ? depth : kMaxPly - 1,
                                  .seconds = seconds,
                                  .stop = stop ? &stop->flag : nullptr};
        std::function<void(const SearchResult&)> tell;
        if (!report.is_none())
            tell = [&](const SearchResult& found) {
                const nb::gil_scoped_acquire acquired;
                report(to_dict(found));
            };
        const nb::gil_scoped_release released;
        Position own = with_weights(*evaluator);
        if (hash_mb > 4096) throw std::invalid_argument("search: 4096 MB of hash at most");
        Search search(*evaluator, hash_mb
                                      ? Search::entries_in(hash_mb)
                                      : hash_entries_for(nodes ? nodes : std::uint64_t{1} << 14));
        const SearchResult found = search.run(own, limits, tell);
        const nb::gil_scoped_acquire acquired;
        return to_dict(found);
    }
    int evaluation(const std::shared_ptr<const Evaluator>& evaluator) {
        return evaluator->evaluate(with_weights(*evaluator));
    }
    Position& position() { return position_; }

  private:
    Position position_;

    std::vector<std::string> texts(const std::vector<Move>& moves) {
        std::vector<std::string> sorted;
        for (const Move m : moves) sorted.push_back(position_.move_text(m));
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    }
    nb::dict to_dict(const SearchResult& found) const {
        Position own = position_.replayed(nullptr);
        std::vector<std::string> line;
        for (const Move m : found.line) {
            line.push_back(own.move_text(m));
            own.make(m);
        }
        nb::dict d;
        d["move"] = line.empty() ? nb::none() : nb::object(nb::str(line.front().c_str()));
        d["score"] = found.score;
        d["depth"] = found.depth;
        d["nodes"] = found.nodes;
        d["pv"] = line;
        return d;
    }

    Position with_weights(const Evaluator& evaluator) const {
        return position_.replayed(evaluator.table());
    }
};

template <class T, class F>
nb::dict by_side(const std::array<T, 2>& pair, F&& convert) {
    nb::dict d;
    d["white"] = convert(pair[White]);
    d["black"] = convert(pair[Black]);
    return d;
}

nb::dict to_dict(const GameRecord& record) {
    const auto number = [](int n) { return n; };
    const auto by_letter = [](const std::array<int, kTypes>& counts) { return to_dict(counts); };
    nb::dict d;
    d["moves"] = record.moves;
    d["result"] = result_text(record.outcome.white);
    d["reason"] = reason_text(record.outcome.reason);
    d["nodes"] = record.nodes;
    d["promotions"] = by_side(record.promotions, by_letter);
    d["declined"] = by_side(record.declined, number);
    d["castlings"] = by_side(record.castlings, number);
    d["en_passant"] = by_side(record.en_passant, number);
    d["own_captures"] = by_side(record.own_captures, number);
    d["citadel_exits"] = by_side(record.citadel_exits, number);
    d["first_promotion"] = record.first_promotion;
    d["offered"] = record.offered;
    d["forced"] = record.forced;
    d["scores"] = record.scores;
    d["survivors"] = by_side(record.survivors, by_letter);
    return d;
}

// A Python function (moves) -> (move, score); None: nobody.
OutsidePlayer to_outside(const nb::object& choose) {
    if (choose.is_none()) return {};
    return [choose](const std::vector<std::string>& moves) -> OutsideMove {
        const nb::gil_scoped_acquire acquired;
        auto [move, score] = nb::cast<std::tuple<std::string, int>>(choose(moves));
        return {std::move(move), std::clamp(score, -kMate, kMate)};
    };
}

nb::dict play(std::shared_ptr<const Rules> rules, std::shared_ptr<const Evaluator> white,
              std::shared_ptr<const Evaluator> black, std::vector<std::string> opening,
              std::uint64_t white_nodes, std::uint64_t black_nodes, int max_plies,
              const std::optional<std::string>& fen, double white_seconds, double black_seconds,
              const nb::object& white_outside, const nb::object& black_outside) {
    if ((white_nodes == 0 && white_seconds <= 0 && white_outside.is_none()) ||
        (black_nodes == 0 && black_seconds <= 0 && black_outside.is_none()))
        throw std::invalid_argument("nodes: 1 or more a move, or a time");
    const std::string start = fen ? *fen : rules->tables().start_fen;
    const GameSetup setup{std::move(rules),
                          start,
                          {std::move(white), std::move(black)},
                          {white_nodes, black_nodes},
                          std::move(opening),
                          max_plies,
                          {white_seconds, black_seconds},
                          {to_outside(white_outside), to_outside(black_outside)}};
    GameRecord record;
    {
        const nb::gil_scoped_release released;
        record = play_game(setup);
    }
    return to_dict(record);
}

}  // namespace
}  // namespace tabia

NB_MODULE(_core, m) {
    using namespace tabia;

    nb::exception<FenError>(m, "FenError", PyExc_ValueError);
    nb::exception<MoveError>(m, "MoveError", PyExc_ValueError);

    nb::class_<Rules>(m, "Rules")
        .def_static("compile", &to_rules, "tables"_a)
        .def_prop_ro("start_fen", [](const Rules& r) { return r.tables().start_fen; });

    nb::class_<Evaluator>(m, "Evaluator")
        .def_static(
            "build",
            [](const Rules& rules, const nb::dict& weights) -> std::shared_ptr<const Evaluator> {
                return std::make_shared<const Evaluator>(rules, to_weights(weights));
            },
            "rules"_a, "weights"_a);

    nb::class_<StopFlag>(m, "StopFlag").def(nb::init<>()).def("set", [](StopFlag& s) {
        s.flag = true;
    });

    nb::class_<Board>(m, "Board")
        .def(nb::init<std::shared_ptr<const Rules>, const std::optional<std::string>&>(), "rules"_a,
             "fen"_a = nb::none())
        .def("legal_moves", &Board::legal)
        .def("legal_moves_in_stages", &Board::legal_in_stages)
        .def("push", &Board::push, "move"_a)
        .def("pop", &Board::pop)
        .def("fen", [](Board& b) { return b.position().fen(); })
        .def("key", [](Board& b) { return b.position().key(); })
        .def("in_check", [](Board& b) { return b.position().in_check(); })
        .def("white_to_move", [](Board& b) { return b.position().turn() == White; })
        .def("outcome", &Board::ended)
        .def("perft", &Board::count_leaves, "depth"_a)
        .def("search", &Board::think, "evaluator"_a, "nodes"_a, "depth"_a, "seconds"_a = 0.0,
             "stop"_a = nb::none(), "report"_a = nb::none(), "hash_mb"_a = 0)
        .def("evaluate", &Board::evaluation, "evaluator"_a);

    bind_endgames(m);

    m.def("play_game", &play, "rules"_a, "white"_a, "black"_a, "opening"_a, "white_nodes"_a,
          "black_nodes"_a, "max_plies"_a, "fen"_a = nb::none(), "white_seconds"_a = 0.0,
          "black_seconds"_a = 0.0, "white_outside"_a = nb::none(), "black_outside"_a = nb::none());

    m.def("quiet_plies", &quiet_plies, "rules"_a, "moves"_a,
          nb::call_guard<nb::gil_scoped_release>());
    m.def("men_counts", &men_counts, "rules"_a, "moves"_a, "plies"_a,
          nb::call_guard<nb::gil_scoped_release>());
    m.def("evaluations", &evaluations, "rules"_a, "moves"_a, "plies"_a, "evaluators"_a,
          nb::call_guard<nb::gil_scoped_release>());
}
