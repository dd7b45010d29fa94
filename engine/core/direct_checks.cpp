#include "direct_checks.hpp"

#include <algorithm>

namespace tabia {

DirectChecks::DirectChecks(const Position& position) : position_(position) {
    const Colour them = opposite(position.turn());
    if (position.rules().only_king(them))
        draw_lines_to(position.king(them));
    else if (position.keeps_royal_men(them))  // else an attack on one of them is no check
        position.royal_men(them).for_each_from(them, [this](Square s) { draw_lines_to(s); });
}

void DirectChecks::draw_lines_to(Square king) {
    const std::uint8_t* p = position_.rules().attackers(position_.turn(), king);
    for (unsigned n = *p++; n; --n, p += 2) lines_[p[0]][0] = {p[1], 1};
    for (unsigned rays = *p++; rays; --rays) {
        const std::uint8_t direction = p[0];
        const unsigned length = p[1];
        p += 2;
        for (unsigned i = 0; i < length && position_.at(p[i]) == kEmpty; ++i)
            lines_[p[i]][1] = {direction, static_cast<std::uint8_t>(i + 1)};
        p += length;
    }
}

bool DirectChecks::given_by(Move m) const {
    const Piece man = position_.at(m.from());
    return std::any_of(lines_[m.to()].begin(), lines_[m.to()].end(), [&](const Line& line) {
        return line.steps && position_.rules().reach(line.direction, man) >= line.steps;
    });
}

}  // namespace tabia
