// FEN in and out. Blanks have as many digits as they need, castling rights are KQkq or rook files
// (Shredder-FEN), several e.p. squares are written one after the other ("a4a5").
#include <algorithm>
#include <charconv>
#include <optional>

#include "notation.hpp"
#include "position.hpp"

namespace tabia {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw FenError(what);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    for (const auto part : split(text, ' '))
        if (!part.empty()) found.push_back(part);
    return found;
}

int read_number(std::string_view field, const char* name, int least, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size() || value < least || value > most)
        refuse(std::string(name) + ": found " + quoted(field) + ", a number from " +
               std::to_string(least) + " to " + std::to_string(most) + " is allowed");
    return value;
}

constexpr std::size_t kLongestFen = 2000;
constexpr int kMostClock = 10000;

}  // namespace

Position::Position(std::shared_ptr<const Rules> rules, std::string_view fen,
                   const PieceSquare* weights)
    : rules_(std::move(rules)), weights_(weights), first_fen_(fen), states_(256) {
    if (fen.size() > kLongestFen)
        refuse("FEN: longer than " + std::to_string(kLongestFen) + " characters");
    const auto fields = words(fen);
    if (fields.size() < 2 || fields.size() > 6)
        refuse("FEN: found " + std::to_string(fields.size()) +
               " fields, 2 to 6 are allowed (board, side to move, castling, e.p., halfmove clock, "
               "move number)");
    keeps_rights_.fill(0xff);
    read_board(fields[0]);
    if (fields[1] != "w" && fields[1] != "b")
        refuse("side to move: found " + quoted(fields[1]) + ", w or b is allowed");
    turn_ = first_turn_ = fields[1] == "w" ? White : Black;
    if (turn_ == Black) state().key ^= Rules::side_key();
    find_unmoved();
    read_castling(fields.size() > 2 ? fields[2] : "-");
    read_en_passant(fields.size() > 3 ? fields[3] : "-");
    if (fields.size() > 4)
        state().clock =
            static_cast<std::uint16_t>(read_number(fields[4], "halfmove clock", 0, kMostClock));
    if (fields.size() > 5)
        first_move_number_ = read_number(fields[5], "move number", 0, kMostClock);
}

void Position::read_board(std::string_view field) {
    const int files = rules_->tables().files, ranks = rules_->tables().ranks;
    const auto rows = split(field, '/');
    if (static_cast<int>(rows.size()) != ranks)
        refuse("board: found " + std::to_string(rows.size()) + " ranks, " + std::to_string(ranks) +
               " are needed");
    for (int row = 0; row < ranks; ++row) {
        const auto text = rows[static_cast<std::size_t>(row)];
        const int rank = ranks - 1 - row;
        const std::string where = "board: rank " + std::to_string(rank + 1);
        int file = 0;
        for (std::size_t i = 0; i < text.size();) {
            if (text[i] >= '0' && text[i] <= '9') {
                std::size_t end = i;
                while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
                file += read_number(text.substr(i, end - i), where.c_str(), 1, files);
                i = end;
            } else {
                const Piece p = rules_->piece_from_letter(text[i]);
                if (p == kEmpty) {
                    std::string letters;
                    for (const Type type : rules_->types()) letters += letter_of(type);
                    refuse(where + ": found " + quoted(text.substr(i, 1)) +
                           ", the pieces here are " + letters + " and their lower-case letters");
                }
                if (file >= files)
                    refuse(where + ": more than " + std::to_string(files) + " files");
                const Square s = square_at(file, rank);
                if (!rules_->holds(s))
                    refuse(where + ": a piece on " + square_text(s) +
                           ", which is no square of this board");
                if (rules_->must_have_promoted(p, s))
                    refuse(where + ": " + text[i] + " on " + square_text(s) +
                           " must have promoted");
                put(s, p, state());
                if (p == rules_->only_king(colour_of(p))) kings_[colour_of(p)] = s;
                ++file;
                ++i;
            }
        }
        if (file != files)
            refuse(where + ": found " + std::to_string(file) + " files, " + std::to_string(files) +
                   " are needed");
    }
    for (const Colour side : {White, Black}) {
        const int kings = royal_men(side).size();
        const bool one = rules_->only_king(side);
        if (kings == 0 || (one && kings != 1))
            refuse(std::string("board: ") + (side == White ? "White" : "Black") + " has " +
                   std::to_string(kings) + " royal pieces, " +
                   (one ? "exactly 1 is needed" : "at least 1 is needed"));
    }
}

void Position::add_right(Colour side, const CastlingRule& rule, Square king, Square rook) {
    const unsigned index = right_count_++;
    castling_[index] = {side, king, rook, rule.letter};
    for (const auto& target : rule.targets)
        castling_moves_.push_back(
            {king, target.king, rook, target.rook, side, index, rule.from_move});
    const auto lost = static_cast<std::uint8_t>(~(1u << index));
    keeps_rights_[king] &= lost;
    keeps_rights_[rook] &= lost;
    state().rights |= static_cast<std::uint8_t>(1u << index);
    state().key ^= Rules::castling_key(side, rook);
}

void Position::find_unmoved() {
    // A FEN does not say which men have moved: those are taken for unmoved that stand where the
    // array has such a man.
    if (!rules_->uses_unmoved()) return;
    for (const Colour side : {White, Black})
        men_[side].for_each([&](Square s) {
            const Piece p = board_[s];
            if (!rules_->uses_unmoved(p) || rules_->array_man(s) != p) return;
            state().unmoved.add(s);
            state().key ^= Rules::unmoved_key(s);
        });
}

// Who castles: the only king, anywhere on his rank; of several royal men only the one where the
// array has him, for of two on that rank no letter could say which.
std::optional<Square> Position::castling_king(Colour side, const CastlingRule& rule) const {
    if (rules_->only_king(side))
        return rank_of(kings_[side]) == rank_of(rule.king_from) ? std::optional(kings_[side])
                                                                : std::nullopt;
    const Piece king = rules_->array_man(rule.king_from);
    if (!rules_->is_royal(king) || board_[rule.king_from] != king) return std::nullopt;
    return rule.king_from;
}

// Whom a wing's letter means: the rook of the array where king and rook stand as they do there,
// else the outermost rook on that side of the king.
std::optional<Square> Position::wing_rook(Colour side, const CastlingRule& rule,
                                          Square king) const {
    const Piece rook = piece_of(side, rule.rook);
    if (king == rule.king_from && board_[rule.rook_from] == rook) return rule.rook_from;
    std::optional<Square> found;
    const int step = rule.rook_from > rule.king_from ? 1 : -1;
    for (int file = file_of(king) + step; file >= 0 && file < rules_->tables().files; file += step)
        if (const Square s = square_at(file, rank_of(king)); board_[s] == rook) found = s;
    return found;
}

void Position::read_castling(std::string_view field) {
    if (field == "-") return;
    for (const char c : field) {
        const bool black = c >= 'a' && c <= 'z';
        const Colour side = black ? Black : White;
        const char upper = black ? static_cast<char>(c - 'a' + 'A') : c;
        const auto& rules = rules_->tables().sides[side].castling;
        const auto refuse_right = [&](const std::string& why) {
            refuse("castling: found " + quoted({&c, 1}) + ", " + why);
        };
        if (rules.empty()) refuse_right("but there is no castling in these rules; - is allowed");
        const auto castles = castling_king(side, rules.front());
        if (!castles)
            refuse_right(rules_->only_king(side) ? "but the king is not on its castling rank"
                                                 : "but no king is where the array has the one "
                                                   "that castles");
        const Square king = *castles;

        std::optional<Square> rook;
        const CastlingRule* wing = nullptr;
        const auto is_rook = [&](Square s, const CastlingRule& rule) {
            return board_[s] == piece_of(side, rule.rook);
        };
        const auto on_wing = [&](Square s, const CastlingRule& rule) {
            return (rule.rook_from > rule.king_from) == (s > king);
        };
        for (const auto& rule : rules)
            if (rule.letter == upper) {
                wing = &rule;
                rook = wing_rook(side, rule, king);
            }
        if (!wing && upper >= 'A' && upper - 'A' < rules_->tables().files) {
            const Square s = square_at(upper - 'A', rank_of(king));
            for (const auto& rule : rules)
                if (s != king && is_rook(s, rule) && on_wing(s, rule)) {
                    wing = &rule;
                    rook = s;
                }
        }
        if (!wing) refuse_right("KQkq, the file of a rook, or - is allowed");
        if (!rook) refuse_right("but no rook stands on that side of the king");
        for (unsigned i = 0; i < right_count_; ++i)
            if (castling_[i].side == side && castling_[i].letter == wing->letter)
                refuse_right("a second right on the same wing");
        add_right(side, *wing, king, *rook);
    }
}

void Position::read_en_passant(std::string_view field) {
    if (field == "-") return;
    std::vector<Square> targets;
    for (std::size_t i = 0; i < field.size();) {
        std::size_t end = i + 1;
        while (end < field.size() && field[end] >= '0' && field[end] <= '9') ++end;
        const auto s = square_from_text(field.substr(i, end - i));
        if (!s || !rules_->board().has(*s))
            refuse("e.p.: found " + quoted(field) + ", squares of this board or - are allowed");
        targets.push_back(*s);
        i = end;
    }
    // Who passed over these squares? A man that could have made such a step just now.
    const Colour them = opposite(turn_);
    std::optional<Square> victim;
    men_[them].for_each([&](Square s) {
        const Piece p = board_[s];
        for (const auto& m : rules_->tables().sides[them].moves[type_of(p)]) {
            if (!m.leaves_en_passant) continue;
            const auto origin = rules_->step(s, -m.dx, -m.dy, m.wrap);
            if (!origin || *origin == s || (m.from && !m.from->has(*origin))) continue;
            bool left = false;  // a citadel may lie behind
            rules_->for_each_moving_as(*origin,
                                       [&](Square from) { left |= board_[from] == kEmpty; });
            const auto stand = [&](const std::vector<Offset>& offsets, auto&& condition) {
                return std::all_of(offsets.begin(), offsets.end(), [&](const Offset& o) {
                    const auto at = rules_->step(*origin, o.first, o.second, m.wrap);
                    return at && condition(*at);
                });
            };
            std::size_t passed = 0;
            const bool free = stand(m.via,
                                    [&](Square at) {
                                        passed += static_cast<std::size_t>(
                                            std::count(targets.begin(), targets.end(), at));
                                        return board_[at] == kEmpty;
                                    }) &&
                              stand(m.over, [&](Square at) { return board_[at] != kEmpty; });
            if (left && free && passed >= targets.size()) victim = s;
        }
    });
    if (!victim) refuse("e.p.: no man can just have passed over " + std::string(field));
    State& st = state();
    for (const Square target : targets)
        if (some_en_passant_is_legal(target, *victim, turn_) && !en_passant(target)) {
            st.ep[st.ep_count++] = target;
            st.key ^= Rules::en_passant_key(target);
        }
    st.ep_victim = *victim;
}

std::string Position::castling_field() const {
    std::string upper, lower;
    for (unsigned i = 0; i < right_count_; ++i) {
        if (!has_right(i)) continue;
        const CastlingRight& c = castling_[i];
        char letter = static_cast<char>('A' + file_of(c.rook));
        for (const auto& rule : rules_->tables().sides[c.side].castling)
            if (rule.letter == c.letter && wing_rook(c.side, rule, c.king) == c.rook)
                letter = c.letter;
        (c.side == White ? upper : lower) +=
            c.side == White ? letter : static_cast<char>(letter - 'A' + 'a');
    }
    std::sort(upper.begin(), upper.end());
    std::sort(lower.begin(), lower.end());
    return upper.empty() && lower.empty() ? "-" : upper + lower;
}

std::string Position::fen() const {
    const int files = rules_->tables().files, ranks = rules_->tables().ranks;
    std::string text;
    for (int rank = ranks - 1; rank >= 0; --rank) {
        int blank = 0;
        const auto flush = [&] {
            if (blank) text += std::to_string(blank);
            blank = 0;
        };
        for (int file = 0; file < files; ++file) {
            const Piece p = board_[square_at(file, rank)];
            if (p == kEmpty) {
                ++blank;
                continue;
            }
            flush();
            text += rules_->letter(p);
        }
        flush();
        if (rank) text += '/';
    }
    text += turn_ == White ? " w " : " b ";
    text += castling_field() + ' ';
    if (state().ep_count == 0) text += '-';
    for (unsigned i = 0; i < state().ep_count; ++i) text += square_text(state().ep[i]);
    const int moves_by_black = (ply() + (first_turn_ == Black ? 1 : 0)) / 2;
    return text + ' ' + std::to_string(clock()) + ' ' +
           std::to_string(first_move_number_ + moves_by_black);
}

}  // namespace tabia
