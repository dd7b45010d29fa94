// The nouns of the core: squares, pieces, moves. Everything is sized for a 16x16 board and 26 piece
// types a side, so that no variant needs another build.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace tabia {

using Square = std::uint8_t;  // rank * 16 + file, so a1 = 0 and p16 = 255 on every board
using Piece = std::uint8_t;   // 0 = empty, else colour * 32 + type + 1
using Type = std::uint8_t;    // the piece's letter: A = 0 ... Z = 25, in every rule set
using Key = std::uint64_t;
using Score = int;  // centipawns, from the side to move

enum Colour : std::uint8_t { White = 0, Black = 1 };

inline constexpr int kSquares = 256;
inline constexpr int kWidth = 16;
inline constexpr int kTypes = 26;
inline constexpr int kPieces = 64;  // one past the largest Piece code, rounded up
inline constexpr Piece kEmpty = 0;
inline constexpr std::size_t kMostTaken = 4;  // men captured on the way of one move

constexpr Colour opposite(Colour c) {
    return static_cast<Colour>(c ^ 1);
}
constexpr Square square_at(int file, int rank) {
    return static_cast<Square>(rank * kWidth + file);
}
constexpr int file_of(Square s) {
    return s & 15;
}
constexpr int rank_of(Square s) {
    return s >> 4;
}
constexpr char letter_of(Type t) {
    return static_cast<char>('A' + t);
}
constexpr Piece piece_of(Colour c, Type t) {
    return static_cast<Piece>(c * 32 + t + 1);
}
constexpr Colour colour_of(Piece p) {
    return static_cast<Colour>(p >> 5);
}
constexpr Type type_of(Piece p) {
    return static_cast<Type>((p & 31) - 1);
}

// A set of squares; iteration never depends on how a position came about.
struct SquareSet {
    std::array<std::uint64_t, 4> word{};

    constexpr bool has(Square s) const { return (word[s >> 6] >> (s & 63)) & 1; }
    constexpr void add(Square s) { word[s >> 6] |= std::uint64_t{1} << (s & 63); }
    constexpr void remove(Square s) { word[s >> 6] &= ~(std::uint64_t{1} << (s & 63)); }
    constexpr SquareSet operator&(const SquareSet& other) const {
        return {{word[0] & other.word[0], word[1] & other.word[1], word[2] & other.word[2],
                 word[3] & other.word[3]}};
    }
    constexpr bool empty() const { return !(word[0] | word[1] | word[2] | word[3]); }
    constexpr auto operator<=>(const SquareSet&) const = default;
    constexpr int size() const {
        return std::popcount(word[0]) + std::popcount(word[1]) + std::popcount(word[2]) +
               std::popcount(word[3]);
    }
    template <class F>
    constexpr void for_each(F&& visit) const {
        for (unsigned i = 0; i < 4; ++i) for_each_bit(word[i], i * 64, visit);
    }
    // From the side's own edge of the board, each rank from file a: a position and its reflection
    // with the colours exchanged are walked alike.
    template <class F>
    constexpr void for_each_from(Colour side, F&& visit) const {
        if (side == White) return for_each(visit);
        for (unsigned rank = kWidth; rank-- > 0;)
            for_each_bit((word[rank / 4] >> (rank % 4 * 16)) & 0xffff, rank * kWidth, visit);
    }
    template <class F>
    static constexpr void for_each_bit(std::uint64_t bits, unsigned first, F&& visit) {
        for (; bits; bits &= bits - 1)
            visit(static_cast<Square>(first + static_cast<unsigned>(std::countr_zero(bits))));
    }
};

enum class MoveKind : std::uint8_t {
    Normal,
    Step,
    EnPassant,
    Castling,
    Through,
};  // Step opens squares to e.p.; Through captures on the way, or ends where it began

// from | to << 8 | promotion type + 1 << 16 | kind << 24. For castling `extra` is the right's
// index. What a Through move captures on the way is added to its kind, as the number of a set of
// squares (Rules::for_each_taken).
struct Move {
    std::uint32_t bits = 0;

    constexpr Move() = default;
    constexpr Move(Square from, Square to, MoveKind kind = MoveKind::Normal, unsigned extra = 0)
        : bits(from | unsigned{to} << 8 | extra << 16 | static_cast<unsigned>(kind) << 24) {}
    static constexpr MoveKind through(unsigned taken) {
        return static_cast<MoveKind>(static_cast<unsigned>(MoveKind::Through) + taken);
    }
    static constexpr Move promoting(Square from, Square to, Type t, MoveKind kind) {
        return Move(from, to, kind, unsigned{t} + 1);
    }
    constexpr Square from() const { return static_cast<Square>(bits); }
    constexpr Square to() const { return static_cast<Square>(bits >> 8); }
    constexpr unsigned extra() const { return (bits >> 16) & 0xff; }
    constexpr MoveKind kind() const {
        const auto kind = static_cast<MoveKind>(bits >> 24);
        return kind < MoveKind::Through ? kind : MoveKind::Through;
    }
    constexpr unsigned taken() const {
        return (bits >> 24) - static_cast<unsigned>(MoveKind::Through);
    }
    constexpr bool promotes() const { return extra() != 0 && kind() != MoveKind::Castling; }
    constexpr Type promotion() const { return static_cast<Type>(extra() - 1); }
    constexpr unsigned castling() const { return extra(); }
    constexpr explicit operator bool() const { return bits != 0; }
    constexpr bool operator==(const Move&) const = default;
};

}  // namespace tabia
