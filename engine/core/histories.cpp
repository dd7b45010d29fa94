#include "histories.hpp"

#include <cstdlib>

namespace tabia {

namespace {

constexpr std::size_t kContinuationBits = 16;

// Gravity: the nearer an entry is to its limit, the less it moves.
void nudge(std::int16_t& entry, int bonus) {
    entry = static_cast<std::int16_t>(entry + bonus - entry * std::abs(bonus) / Histories::kLimit);
}

}  // namespace

Histories::Histories(int ranks) : ranks_(ranks), scatter_(std::size_t{kPieces} * kSquares) {
    for (const Colour side : {White, Black})
        for (Type type = 0; type < kTypes; ++type)
            for (unsigned to = 0; to < kSquares; ++to)
                scatter_[at(piece_of(side, type), static_cast<Square>(to))] =
                    ((std::uint32_t{type} * kSquares + own_view(static_cast<Square>(to), side)) *
                     0x85ebca6bu) >>
                    (33 - kContinuationBits);
    clear();
}

void Histories::clear() {
    quiets_.assign(std::size_t{kPieces} * kSquares, 0);
    captures_.assign(std::size_t{kPieces} * kSquares * kTypes, 0);
    continuations_.assign(std::size_t{1} << kContinuationBits, 0);
    replies_.assign(std::size_t{kPieces} * kSquares, Move{});
}

// The square as that side counts it, from its own edge.
std::uint32_t Histories::own_view(Square s, Colour side) const {
    const int rank = side == White ? rank_of(s) : ranks_ - 1 - rank_of(s);
    return static_cast<std::uint32_t>(rank * kWidth + file_of(s)) % kSquares;
}

Histories::Step Histories::step(Piece moved, Square to) const {
    Step step{moved, to, {}};
    // Hashed as the answering side sees it, White and Black apart: chance collisions favour
    // neither.
    for (const Colour answer : {White, Black}) {
        const std::uint32_t other = colour_of(moved) != answer;
        const std::uint32_t word =
            (other * kTypes + type_of(moved)) * kSquares + own_view(to, answer);
        step.row[answer] = std::uint32_t{answer} << (kContinuationBits - 1) |
                           (word * 0x9e3779b1u) >> (33 - kContinuationBits);
    }
    return step;
}

int Histories::quiet(Piece mover, Square to, const Trail& trail) const {
    int h = quiets_[at(mover, to)];
    for (const Step* before : trail)
        if (before->moved != kEmpty) h += continuations_[continuation(*before, mover, to)];
    return h;
}

void Histories::learn_quiet(Piece mover, Square to, const Trail& trail, int amount) {
    nudge(quiets_[at(mover, to)], amount);
    for (const Step* before : trail)
        if (before->moved != kEmpty)
            nudge(continuations_[continuation(*before, mover, to)], amount);
}

void Histories::learn_capture(Piece mover, Square to, Piece victim, int amount) {
    nudge(captures_[at(mover, to) * kTypes + type_of(victim)], amount);
}

}  // namespace tabia
