#include "symmetry.hpp"

#include <algorithm>
#include <tuple>

#include "ways.hpp"

namespace tabia {

namespace {

// The eight maps of a square: bit 0 exchanges files and ranks, bit 1 turns the files round, bit 2
// the ranks. The first is the identity.
constexpr unsigned kMaps = 8, kTransposes = 1, kTurnsFiles = 2, kTurnsRanks = 4;

BoardMap map_of(const RuleTables& tables, unsigned kind) {
    BoardMap map{};
    for (int rank = 0; rank < tables.ranks; ++rank)
        for (int file = 0; file < tables.files; ++file) {
            const int f = kind & kTurnsFiles ? tables.files - 1 - file : file;
            const int r = kind & kTurnsRanks ? tables.ranks - 1 - rank : rank;
            map[square_at(file, rank)] = kind & kTransposes ? square_at(r, f) : square_at(f, r);
        }
    return map;
}

SquareSet image(const BoardMap& map, const SquareSet& squares) {
    SquareSet set;
    squares.for_each([&](Square s) { set.add(map[s]); });
    return set;
}

bool keeps_ways(const BoardMap& map, const std::vector<Way>& sorted) {
    std::vector<Way> images;
    images.reserve(sorted.size());
    for (const Way& way : sorted) {
        const Condition& c = way.condition;
        images.push_back(
            {map[way.from],
             map[way.to],
             {image(map, c.empty), image(map, c.occupied), image(map, c.one_of), c.not_over},
             way.end});
    }
    std::sort(images.begin(), images.end());
    return images == sorted;
}

bool keeps_promotions(const Rules& rules, const BoardMap& map, Piece piece) {
    if (!rules.may_promote(piece)) return true;
    const auto same = [](const PromotionRule* a, const PromotionRule* b) {
        if (!a || !b) return a == b;
        return std::tie(a->to, a->limit, a->compulsory, a->stays) ==
               std::tie(b->to, b->limit, b->compulsory, b->stays);
    };
    bool kept = true;
    rules.board().for_each([&](Square s) {
        kept = kept && same(rules.promotion(piece, s), rules.promotion(piece, map[s]));
    });
    return kept;
}

}  // namespace

std::vector<BoardMap> symmetries(const Rules& rules, const std::vector<Standing>& standings) {
    std::vector<std::vector<Way>> ways;
    for (const auto& standing : standings) {
        ways.push_back(ways_of(rules, standing.piece));
        std::sort(ways.back().begin(), ways.back().end());
    }
    std::vector<BoardMap> found;
    for (unsigned kind = 0; kind < kMaps; ++kind) {
        if (kind & kTransposes && rules.tables().files != rules.tables().ranks) continue;
        const BoardMap map = map_of(rules.tables(), kind);
        bool keeps = image(map, rules.board()) == rules.board() &&
                     image(map, rules.citadels()) == rules.citadels();
        for (std::size_t i = 0; keeps && i < standings.size(); ++i)
            keeps = image(map, standings[i].squares) == standings[i].squares &&
                    keeps_promotions(rules, map, standings[i].piece) && keeps_ways(map, ways[i]);
        if (keeps) found.push_back(map);
    }
    return found;
}

}  // namespace tabia
