#include "material.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "ways.hpp"

namespace tabia {

int Material::count(Piece p) const {
    return static_cast<int>(std::count(men.begin(), men.end(), p));
}

Material material_of(std::vector<Piece> men) {
    // The royal men first: the caller puts White's and Black's in front.
    std::sort(men.begin() + 2, men.end());
    return {std::move(men)};
}

std::vector<Piece> promotions_at(const Rules& rules, const Material& material, Piece piece,
                                 Square s) {
    std::vector<Piece> pieces;
    const PromotionRule* rule = rules.may_promote(piece) ? rules.promotion(piece, s) : nullptr;
    if (rule)
        for (const Type type : rule->to) {
            const Piece becomes = piece_of(colour_of(piece), type);
            if (rule->allows(type, material.count(becomes))) pieces.push_back(becomes);
        }
    return pieces;
}

bool must_change_at(const Rules& rules, const Material& material, Piece piece, Square s) {
    const PromotionRule* rule = rules.may_promote(piece) ? rules.promotion(piece, s) : nullptr;
    return rule && rule->compulsory &&
           (!rule->stays || !promotions_at(rules, material, piece, s).empty());
}

std::vector<Conversion> conversions(const Rules& rules, const Material& material) {
    std::vector<Conversion> found;
    const int count = static_cast<int>(material.men.size());
    for (int mover = 0; mover < count; ++mover) {
        const Piece piece = material.men[static_cast<std::size_t>(mover)];
        const auto ways = ways_of(rules, piece);
        const auto captures = [&](int victim) {
            const Piece other = material.men[static_cast<std::size_t>(victim)];
            const bool own = colour_of(other) == colour_of(piece);
            return std::any_of(ways.begin(), ways.end(), [&](const Way& w) {
                return own ? w.end.own && contains(w.end.victims, type_of(other))
                           : w.end.enemy && !contains(w.end.not_onto, type_of(other));
            });
        };
        std::vector<Piece> becomes = {kEmpty};
        rules.board().for_each([&](Square s) {
            for (const Piece p : promotions_at(rules, material, piece, s))
                if (std::find(becomes.begin(), becomes.end(), p) == becomes.end())
                    becomes.push_back(p);
        });
        for (int captured = -1; captured < count; ++captured) {
            if (captured == mover || captured == 0 || captured == 1) continue;
            if (captured >= 0 && !captures(captured)) continue;
            for (const Piece p : becomes)
                if (captured >= 0 || p != kEmpty) found.push_back({mover, captured, p});
        }
    }
    return found;
}

Converted convert(const Material& material, const Conversion& conversion) {
    std::vector<std::pair<Piece, int>> others;
    for (int i = 2; i < static_cast<int>(material.men.size()); ++i)
        if (i != conversion.captured)
            others.emplace_back(i == conversion.mover && conversion.becomes != kEmpty
                                    ? conversion.becomes
                                    : material.men[static_cast<std::size_t>(i)],
                                i);
    std::sort(others.begin(), others.end());
    Converted converted{{{material.men[0], material.men[1]}}, {0, 1}};
    for (const auto& [piece, source] : others) {
        converted.material.men.push_back(piece);
        converted.sources.push_back(source);
    }
    return converted;
}

SquareSet standing_squares(const Rules& rules, Piece piece) {
    std::vector<Square> waiting;
    SquareSet found;
    const auto reach = [&](Square s) {
        if (found.has(s) || rules.must_have_promoted(piece, s)) return;
        found.add(s);
        waiting.push_back(s);
    };
    const auto start = [&](Square s) {
        if (rules.array_man(s) == piece) reach(s);
        for (const Type type : rules.types()) {
            const Piece other = piece_of(colour_of(piece), type);
            const auto* rule = rules.may_promote(other) ? rules.promotion(other, s) : nullptr;
            if (rule &&
                std::find(rule->to.begin(), rule->to.end(), type_of(piece)) != rule->to.end())
                reach(s);
        }
    };
    rules.board().for_each(start);
    rules.citadels().for_each(start);
    if (waiting.empty()) rules.board().for_each(reach);
    const auto ways = ways_of(rules, piece);
    while (!waiting.empty()) {
        const Square from = waiting.back();
        waiting.pop_back();
        for (const Way& way : ways)
            if (way.from == from) reach(way.to);
    }
    return found;
}

}  // namespace tabia
