#include "ways.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tabia {

namespace {

SquareSet set_of(const std::vector<Square>& squares) {
    SquareSet set;
    for (const Square s : squares) set.add(s);
    return set;
}

void append_ways(const Rules& rules, Type type, const MovePrimitive& m, Square from,
                 std::vector<Way>& ways) {
    const Square origin = rules.origin_of(from);
    if (m.landing.en_passant || m.goes_through() || m.unmoved || (m.from && !m.from->has(origin)))
        return;
    const auto via = rules.squares_at(origin, m.via, m.wrap),
               over = rules.squares_at(origin, m.over, m.wrap);
    if (!via || !over) return;
    const auto ahead = rules.way(m, origin);
    if (ahead.empty()) return;
    const WayEnd end{m.landing.empty, m.landing.enemy, m.landing.own,
                     m.landing.own ? m.victims : TypeSet{0}, m.not_onto};
    Condition condition{set_of(*via), set_of(*over), {}, m.not_over};
    if (m.first) condition.empty.add(*rules.base_of(m, origin));
    std::vector<Square> passed;
    int n = 0;
    for (const Square to : ahead) {
        if (++n < m.start) continue;  // whatever stands on the squares that a ride skips
        Condition here = condition;
        switch (m.hop) {
            case Hop::None:
                for (const Square s : passed) here.empty.add(s);
                break;
            case Hop::Over:
                here.one_of = set_of(passed);
                break;
            case Hop::Behind:
                if (passed.empty()) break;
                here.occupied.add(passed.back());
                for (const Square s : passed)
                    if (s != passed.back()) here.empty.add(s);
                break;
        }
        // The man itself stands on its square: round a cylinder, a condition may name it.
        const bool stands_on_itself = here.occupied.has(from) && !contains(m.not_over, type);
        if (stands_on_itself) here.occupied.remove(from);
        const bool possible = !here.empty.has(from) && !here.occupied.has(from) &&
                              (m.hop == Hop::None || !passed.empty());
        if (possible) ways.push_back({from, to, here, end});
        passed.push_back(to);
    }
}

}  // namespace

std::vector<Way> ways_of(const Rules& rules, Piece piece) {
    std::vector<Way> ways;
    const auto from_square = [&](Square s) {
        for (const auto& m : rules.tables().sides[colour_of(piece)].moves[type_of(piece)])
            append_ways(rules, type_of(piece), m, s, ways);
    };
    rules.board().for_each(from_square);
    rules.citadels().for_each(from_square);
    return ways;
}

bool keeps_colour(const Rules& rules, Piece piece) {
    const auto ways = ways_of(rules, piece);
    return std::all_of(ways.begin(), ways.end(), [](const Way& w) {
        return (file_of(w.from) + rank_of(w.from) + file_of(w.to) + rank_of(w.to)) % 2 == 0;
    });
}

bool FewMen::holds(const Condition& c) const {
    if (!(c.empty & occupied_).empty()) return false;
    if ((c.occupied & occupied_) != c.occupied) return false;
    if (!c.one_of.empty() && (c.one_of & occupied_).size() != 1) return false;
    if (c.not_over == 0) return true;
    for (int i = 0; i < count_; ++i) {
        const Square s = square(i);
        if (occupied_.has(s) && (c.occupied.has(s) || c.one_of.has(s)) &&
            contains(c.not_over, type_of(board_[s])))
            return false;
    }
    return true;
}

WayTable::WayTable(const Rules& rules, Piece piece) {
    const auto ways = ways_of(rules, piece);
    list(ways, false, from_);
    list(ways, true, into_);
    find_captures(ways);
    takes_own_ = std::any_of(ways.begin(), ways.end(), [](const Way& w) { return w.end.own; });
}

// Lists the ways by the square they start from, or end on. Those that need only empty squares are
// ordered so that a man in the way of one stands in the way of all that follow on the same ride:
// each of these needs one empty square more than the one before.
void WayTable::list(const std::vector<Way>& ways, bool backwards, Lists& lists) {
    std::array<std::vector<const Way*>, kSquares> by_square;
    for (const Way& way : ways) by_square[backwards ? way.to : way.from].push_back(&way);
    std::map<WayEnd, std::uint8_t> ends;
    for (std::size_t i = 0; i < ends_.size(); ++i) ends[ends_[i]] = static_cast<std::uint8_t>(i);
    const auto is_slide = [](const Way& w) {
        return w.condition.occupied.empty() && w.condition.one_of.empty();
    };
    for (unsigned s = 0; s < kSquares; ++s) {
        auto& here = by_square[s];
        lists.first[s] = static_cast<std::uint32_t>(lists.steps.size());
        std::vector<bool> done(here.size(), false);
        const auto append = [&](const Way& way, std::uint16_t gate, std::uint32_t condition) {
            const auto [end, is_new] =
                ends.try_emplace(way.end, static_cast<std::uint8_t>(ends_.size()));
            if (is_new) ends_.push_back(way.end);
            lists.steps.push_back({gate, backwards ? way.from : way.to, 0, end->second, condition});
        };
        const auto append_alone = [&](const Way& way) {
            append(way, kNoGate, static_cast<std::uint32_t>(conditions_.size()));
            conditions_.push_back(way.condition);
        };
        for (std::size_t i = 0; i < here.size(); ++i) {
            if (done[i] || !is_slide(*here[i]) || !here[i]->condition.empty.empty()) continue;
            // A first step, and the ride that goes on beyond it.
            const std::size_t first = lists.steps.size();
            append(*here[i], kNoGate, 0);
            done[i] = true;
            const Way* last = here[i];
            while (true) {
                const Square gate = backwards ? last->from : last->to;
                SquareSet needed = last->condition.empty;
                needed.add(gate);
                const auto next =
                    std::find_if(here.begin(), here.end(), [&](const Way* const& way) {
                        const auto at = static_cast<std::size_t>(&way - here.data());
                        return !done[at] && is_slide(*way) && way->end == last->end &&
                               way->condition.empty == needed;
                    });
                if (next == here.end()) break;
                done[static_cast<std::size_t>(next - here.begin())] = true;
                append(**next, gate, 0);
                last = *next;
            }
            const std::size_t count = lists.steps.size() - first;
            for (std::size_t k = 0; k < count; ++k)
                lists.steps[first + k].skip = static_cast<std::uint8_t>(count - 1 - k);
        }
        for (std::size_t i = 0; i < here.size(); ++i)
            if (!done[i]) append_alone(*here[i]);
    }
    lists.first[kSquares] = static_cast<std::uint32_t>(lists.steps.size());
}

void WayTable::find_captures(const std::vector<Way>& ways) {
    takes_.assign(std::size_t{kSquares} * kSquares, kNever);
    std::map<std::pair<Square, Square>, std::vector<Choice>> captures;
    for (const Way& way : ways)
        if (way.end.enemy)
            captures[{way.from, way.to}].push_back({way.condition, way.end.not_onto});
    std::map<std::array<std::uint64_t, 4>, std::uint32_t> clear;
    for (auto& [squares, choices] : captures) {
        auto& code = takes_[std::size_t{squares.first} * kSquares + squares.second];
        const bool always = std::any_of(choices.begin(), choices.end(), [](const Choice& c) {
            return c.condition.is_free() && c.not_onto == 0;
        });
        const Condition& only = choices.front().condition;
        if (always) {
            code = kAlways;
        } else if (choices.size() == 1 && choices.front().not_onto == 0 && only.occupied.empty() &&
                   only.one_of.empty()) {
            const auto [known, is_new] = clear.try_emplace(
                only.empty.word, kFirstClear + static_cast<std::uint32_t>(clear_.size()));
            if (is_new) clear_.push_back(only.empty);
            code = known->second;
        } else {
            code = kFirstChoice + static_cast<std::uint32_t>(choices_.size());
            choices_.push_back(std::move(choices));
        }
    }
}

}  // namespace tabia
