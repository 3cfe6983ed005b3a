// Basic types of the core: points, cells, pieces, moves and bit sets of points.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

// Applies a macro to every size of boards.
#define KOMADAI_AT_EACH_SIZE(apply) apply(TINY) apply(SMALL) apply(MEDIUM) apply(LARGE)

// Instantiates a template for all sizes of boards, or for the one for which the build compiles the file, with flags of
// its own; or says that another file does.
// NOLINTBEGIN(bugprone-macro-parentheses): the name of a template takes none.
#ifdef KOMADAI_WORDS
#define KOMADAI_FOR_EACH_SIZE(name) template name<KOMADAI_WORDS>;
#else
#define KOMADAI_FOR_EACH_SIZE(name) \
    template name<TINY>;            \
    template name<SMALL>;           \
    template name<MEDIUM>;          \
    template name<LARGE>;
#endif
#define KOMADAI_EXTERN_EACH_SIZE(name) \
    extern template name<TINY>;        \
    extern template name<SMALL>;       \
    extern template name<MEDIUM>;      \
    extern template name<LARGE>;
// NOLINTEND(bugprone-macro-parentheses)

namespace komadai {

// Sizes of boards, in words of a set of points: of up to 64, 128, 384 and 640 points. CMakeLists.txt has them too.
constexpr int TINY = 1, SMALL = 2, MEDIUM = 6, LARGE = 10;

// What may be asked for: plies ahead below this, threads at work together, and MiB of a table.
constexpr int MAX_PLY = 100, MAX_THREADS = 256, MAX_MEGABYTES = 4096;

// A point is an index in reading order; a cell is its index in the padded mailbox, where walls surround the board.
using Point = uint16_t;
using Cell = uint16_t;
constexpr Cell NO_CELL = 0xFFFF;
constexpr Point NO_POINT = 0xFFFF;

enum Side : uint8_t { BLACK = 0, WHITE = 1 };
constexpr Side operator~(Side side) { return Side(side ^ 1); }

// kind << 2 | one bit for the owner. A wall has both bits, so that "owned by us" also means "blocked for us".
using Piece = uint16_t;
constexpr Piece EMPTY = 0;
constexpr Piece WALL = 3;
constexpr Piece piece_of(int kind, Side side) { return Piece(kind << 2 | 1 << side); }
constexpr bool is_piece(Piece piece) { return (piece & 3) == 1 || (piece & 3) == 2; }  // not EMPTY or WALL
constexpr int kind_of(Piece piece) { return piece >> 2; }
constexpr bool owned(Piece piece, Side side) { return piece >> side & 1; }
constexpr Side side_of(Piece piece) { return Side((piece & 3) - 1); }

// Flags of a move. move.py reads the same layout.
enum : uint16_t { DROP = 1, PROMOTES = 2, CHOOSES = 4 };

// The trail of a compound move: its landings and shots in order, 16 bits each, the first in the lowest bits. The last
// landing is `to` and not part of the trail; shots from there are tagged LAST_SHOT. move.py reads the same layout.
enum : uint16_t { TRAIL_LANDING = 1 << 14, TRAIL_SHOT = 2 << 14, TRAIL_LAST_SHOT = 3 << 14 };
constexpr uint16_t TRAIL_CELL = (1 << 14) - 1;
constexpr int MAX_TRAIL = 4;

// splitmix64, so that hash keys are the same on every machine and in every run.
constexpr uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

struct Move {
    Cell from = 0;  // the hand slot, for a drop
    Cell to = 0;
    Piece piece = 0;  // on `to` after the move; EMPTY if the mover has left the game
    uint16_t flags = 0;
    uint64_t trail = 0;

    [[nodiscard]] uint64_t code() const {
        return uint64_t(from) | uint64_t(to) << 16 | uint64_t(piece) << 32 | uint64_t(flags) << 48;
    }
    static Move from_code(uint64_t code, uint64_t trail = 0) {
        // In one store: moves are read as words, and a processor waits for a word that was written in parts.
        if constexpr (std::endian::native == std::endian::little)
            return std::bit_cast<Move>(std::array{code, trail});
        else
            return {Cell(code), Cell(code >> 16), Piece(code >> 32), uint16_t(code >> 48), trail};
    }
    // One word that identifies the move among those of a position, up to hash collisions.
    [[nodiscard]] uint64_t id() const { return trail ? mix(code() ^ mix(trail)) : code(); }
    // 32 bits of id(), never 0.
    [[nodiscard]] uint32_t short_id() const { return uint32_t(mix(id()) >> 32) | 1; }
    [[nodiscard]] bool is_drop() const { return flags & DROP; }
    bool operator==(const Move&) const = default;
};

using MoveList = std::vector<Move>;

// A bit set of the points of a board with at most 64 * W points.
template <int W>
struct Bits {
    std::array<uint64_t, W> word{};

    // The set of one point, without a branch or a store to a word that depends on it.
    [[nodiscard]] static Bits only(Point point) {
        Bits found;
        for (int i = 0; i < W; ++i) found.word[i] = uint64_t(word_of(point) == i) << (point & 63);
        return found;
    }
    [[nodiscard]] bool test(Point point) const { return word[word_of(point)] >> (point & 63) & 1; }
    void set(Point point) { word[word_of(point)] |= uint64_t(1) << (point & 63); }
    void reset(Point point) { word[word_of(point)] &= ~(uint64_t(1) << (point & 63)); }
    void flip(Point point) { word[word_of(point)] ^= uint64_t(1) << (point & 63); }
    [[nodiscard]] bool any() const {
        for (uint64_t w : word)
            if (w) return true;
        return false;
    }
    [[nodiscard]] int count() const {
        int total = 0;
        for (uint64_t w : word) total += std::popcount(w);
        return total;
    }
    Bits& operator&=(const Bits& other) {
        for (int i = 0; i < W; ++i) word[i] &= other.word[i];
        return *this;
    }
    Bits& operator|=(const Bits& other) {
        for (int i = 0; i < W; ++i) word[i] |= other.word[i];
        return *this;
    }
    Bits& operator^=(const Bits& other) {
        for (int i = 0; i < W; ++i) word[i] ^= other.word[i];
        return *this;
    }
    friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
    friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
    friend Bits operator^(Bits a, const Bits& b) { return a ^= b; }
    [[nodiscard]] Bits without(const Bits& other) const {
        Bits rest;
        for (int i = 0; i < W; ++i) rest.word[i] = word[i] & ~other.word[i];
        return rest;
    }
    [[nodiscard]] bool meets(const Bits& other) const {
        uint64_t common = 0;
        for (int i = 0; i < W; ++i) common |= word[i] & other.word[i];
        return common;
    }
    // Every member moved by so many points, towards higher ones if the number is positive. None may leave the set.
    [[nodiscard]] Bits moved(int by) const {
        const int words = std::abs(by) >> 6, bits = std::abs(by) & 63;
        Bits found;
        if (W == 1 || (words == 0 && bits != 0)) {  // the usual case
            for (int i = 0; i < W; ++i)
                found.word[i] = by > 0 ? word[i] << bits | (i > 0 ? word[i - 1] >> (64 - bits) : 0)
                                       : word[i] >> bits | (i + 1 < W ? word[i + 1] << (64 - bits) : 0);
            return found;
        }
        for (int i = 0; i < W; ++i) {
            const int at = by > 0 ? i - words : i + words, next = by > 0 ? at - 1 : at + 1;
            const uint64_t near = at >= 0 && at < W ? word[at] : 0, far = next >= 0 && next < W ? word[next] : 0;
            found.word[i] = !bits    ? near
                            : by > 0 ? near << bits | far >> (64 - bits)
                                     : near >> bits | far << (64 - bits);
        }
        return found;
    }
    // As moved(), in place: a set that is built elsewhere word by word and then copied as a whole makes the processor
    // wait.
    void move(int by) {
        const int words = std::abs(by) >> 6, bits = std::abs(by) & 63;
        const auto at = [&](int i) { return i >= 0 && i < W ? word[i] : 0; };
        if (by > 0) {
            for (int i = W - 1; i >= 0; --i)
                word[i] = bits ? at(i - words) << bits | at(i - words - 1) >> (64 - bits) : at(i - words);
        } else if (by < 0) {
            for (int i = 0; i < W; ++i)
                word[i] = bits ? at(i + words) >> bits | at(i + words + 1) << (64 - bits) : at(i + words);
        }
    }
    // The first `points` points in opposite order.
    [[nodiscard]] Bits reversed(int points) const {
        Bits found;
        for (int i = 0; i < W; ++i) {
            uint64_t w = word[i];
            w = (w >> 1 & 0x5555555555555555) | (w & 0x5555555555555555) << 1;
            w = (w >> 2 & 0x3333333333333333) | (w & 0x3333333333333333) << 2;
            w = (w >> 4 & 0x0F0F0F0F0F0F0F0F) | (w & 0x0F0F0F0F0F0F0F0F) << 4;
            w = (w >> 8 & 0x00FF00FF00FF00FF) | (w & 0x00FF00FF00FF00FF) << 8;
            w = (w >> 16 & 0x0000FFFF0000FFFF) | (w & 0x0000FFFF0000FFFF) << 16;
            found.word[W - 1 - i] = w >> 32 | w << 32;
        }
        return found.moved(points - 64 * W);
    }
    // Of a ray towards higher points: its part up to the first of `stops`, which is included.
    [[nodiscard]] Bits up_to_first(const Bits& stops) const {
        Bits found;
        uint64_t borrow = 1;
        for (int i = 0; i < W; ++i) {
            const uint64_t met = word[i] & stops.word[i], rest = met - borrow;
            borrow = met < borrow;
            found.word[i] = word[i] & (met ^ rest);
        }
        return found;
    }
    // Likewise of a ray towards lower points, whose first stop is the last of its points.
    [[nodiscard]] Bits down_to_last(const Bits& stops) const {
        Bits found;
        uint64_t open = ~uint64_t(0);
        for (int i = W - 1; i >= 0; --i) {
            const uint64_t met = word[i] & stops.word[i];
            found.word[i] = word[i] & open & (~uint64_t(0) << (63 - std::countl_zero(met | 1)));
            if (met) open = 0;
        }
        return found;
    }
    friend Bits operator~(Bits a) {
        for (uint64_t& w : a.word) w = ~w;
        return a;
    }
    bool operator==(const Bits&) const = default;

    // Calls visit(point) for every member until visit returns true; returns whether it did.
    template <class Visit>
    bool each(Visit visit) const {
        for (int i = 0; i < W; ++i)
            for (uint64_t w = word[i]; w; w &= w - 1)
                if (visit(Point(i * 64 + std::countr_zero(w)))) return true;
        return false;
    }

 private:
    [[nodiscard]] static constexpr int word_of(Point point) { return W == 1 ? 0 : point >> 6; }
};

}  // namespace komadai
