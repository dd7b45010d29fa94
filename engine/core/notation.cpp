#include "notation.hpp"

#include <algorithm>
#include <charconv>

#include "move_generation.hpp"

namespace tabia {

std::string quoted(std::string_view text) {
    constexpr std::size_t kShown = 24;
    std::string shown = "\"";
    for (const char c : text.substr(0, kShown)) shown += c >= ' ' && c <= '~' ? c : '?';
    return shown + (text.size() > kShown ? "...\"" : "\"");
}

std::string square_text(Square s) {
    return static_cast<char>('a' + file_of(s)) + std::to_string(rank_of(s) + 1);
}

std::optional<Square> square_from_text(std::string_view text) {
    if (text.size() < 2 || text.size() > 3 || text[0] < 'a' || text[0] > 'p' || text[1] == '0')
        return std::nullopt;
    int rank = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), rank);
    if (error != std::errc{} || end != text.data() + text.size() || rank < 1 || rank > kWidth)
        return std::nullopt;
    return square_at(text[0] - 'a', rank - 1);
}

std::string Position::move_text(Move m) const {
    std::string text = square_text(m.from());
    rules_->for_each_taken(m, [&text](Square s) {
        text += square_text(s) + ',';
        text += square_text(s);
    });
    text += square_text(m.to());
    if (m.promotes()) text += static_cast<char>('a' + m.promotion());
    // Castling or e.p. with the squares of an ordinary move of the same man is marked.
    const Piece p = board_[m.from()];
    if (m.kind() == MoveKind::Castling && rules_->has_plain_move(p, m.from(), m.to())) text += '*';
    if (m.kind() == MoveKind::EnPassant && rules_->has_quiet_move(p, m.from(), m.to())) text += '*';
    return text;
}

Move move_from_text(Position& position, std::string_view text) {
    for (const Move m : legal_moves(position))
        if (position.move_text(m) == text) return m;
    throw MoveError("move: found " + quoted(text) +
                    ", which is not legal here; legal_moves() lists what is");
}

}  // namespace tabia
