#include "endgame_family.hpp"

#include <algorithm>
#include <stdexcept>

namespace tabia {

EndgameFamily::EndgameFamily(std::shared_ptr<const Rules> rules, std::vector<Piece> men)
    : rules_(std::move(rules)) {
    if (men.size() > kMostMen)
        throw std::invalid_argument(std::to_string(men.size()) + " men; at most " +
                                    std::to_string(kMostMen) + " are solved");
    std::map<Material, Seen> seen;
    const Material asked = material_of(std::move(men));
    visit(asked, seen);
    for (const auto& material : order_) refuse_unsolved_rules(material);
    // One set of symmetries for all: an ending must not tell positions alike that lead to others
    // which are not.
    std::vector<Standing> standings;
    for (const auto& material : order_)
        for (const Piece piece : material.men)
            if (std::none_of(standings.begin(), standings.end(),
                             [piece](const Standing& s) { return s.piece == piece; }))
                standings.push_back({piece, standing_squares(*rules_, piece)});
    const auto maps = symmetries(*rules_, standings);
    for (const auto& material : order_)
        endgames_[material] = std::make_unique<Endgame>(*rules_, material, maps);
}

void EndgameFamily::visit(const Material& material, std::map<Material, Seen>& seen) {
    const auto [known, is_new] = seen.try_emplace(material, Seen::OnTheWay);
    if (!is_new) {
        if (known->second == Seen::OnTheWay)
            throw std::invalid_argument("men that promote into each other are not solved");
        return;
    }
    auto& found = conversions_[material] = conversions(*rules_, material);
    for (const auto& conversion : found) visit(convert(material, conversion).material, seen);
    seen[material] = Seen::Done;
    order_.push_back(material);
}

void EndgameFamily::refuse_unsolved_rules(const Material& material) const {
    const auto& tables = rules_->tables();
    if (tables.repetition && tables.repetition_result != GameResult::Draw)
        throw std::invalid_argument("rules by which repetition wins or loses are not solved");
    for (const Piece piece : material.men) {
        const auto& moves = tables.sides[colour_of(piece)].moves[type_of(piece)];
        if (std::any_of(moves.begin(), moves.end(), [](const auto& m) { return m.goes_through(); }))
            throw std::invalid_argument(
                std::string("men that capture on the way, or come back to where they stood, are "
                            "not solved: ") +
                rules_->letter(piece) + " moves so");
    }
    // Some man may leave squares open to e.p., and some man of the other side capture there.
    for (const Piece giver : material.men)
        for (const Piece taker : material.men) {
            if (colour_of(giver) == colour_of(taker)) continue;
            const auto moves_of = [&](Piece p) -> const std::vector<MovePrimitive>& {
                return tables.sides[colour_of(p)].moves[type_of(p)];
            };
            const auto& given = moves_of(giver);
            const auto& taken = moves_of(taker);
            const bool gives = std::any_of(given.begin(), given.end(), [](const auto& m) {
                return m.leaves_en_passant && !m.unmoved;
            });
            const bool takes = std::any_of(taken.begin(), taken.end(), [&](const auto& m) {
                return m.landing.en_passant && contains(m.victims, type_of(giver));
            });
            if (gives && takes)
                throw std::invalid_argument(std::string("captures en passant are not solved: ") +
                                            rules_->letter(taker) + " may capture " +
                                            rules_->letter(giver) + " so");
        }
}

std::uint64_t EndgameFamily::placements() const {
    std::uint64_t sum = 0;
    for (const auto& [material, endgame] : endgames_) sum += endgame->placements();
    return sum;
}

std::uint64_t EndgameFamily::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [material, endgame] : endgames_) sum += endgame->bytes();
    return sum;
}

const Endgame* EndgameFamily::find(const Material& material) const {
    const auto found = endgames_.find(material);
    return found == endgames_.end() ? nullptr : found->second.get();
}

void EndgameFamily::solve(const Endgame::Pulse& pulse) {
    for (const auto& material : order_) {
        std::vector<Exit> exits;
        for (const auto& conversion : conversions_.at(material)) {
            auto [reached, sources] = convert(material, conversion);
            exits.push_back({conversion, endgames_.at(reached).get(), std::move(sources)});
        }
        endgames_.at(material)->solve(std::move(exits), pulse);
    }
}

}  // namespace tabia
