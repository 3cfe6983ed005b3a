#include "state.hpp"

#include <algorithm>

namespace komadai {

template <int W>
State<W>::State(std::shared_ptr<const Rules<W>> shared_rules)
    : rules(std::move(shared_rules)),
      board(size_t(rules->cells), WALL),
      parts(rules->sets.parts.size()),
      near_memo(rules->nears.size()),
      drop_memo(rules->drop_classes.size()),
      watched(size_t(rules->watches)),
      piece_count(rules->counts_pieces() ? rules->info.size() : 0) {
    for (Cell cell : rules->cell_of) board[cell] = EMPTY;
    journal.reserve(64);
    played.reserve(64);
}

// Of games without compound moves.
template <int W>
void State<W>::move_all(int by) {
    const Rules<W>& r = *rules;
    struct Placed {
        Point at;
        Piece piece;
    };
    std::array<Placed, 64 * W> placed;  // the first `count` of them
    size_t count = 0;
    everyone().each([&](Point point) {
        Piece& there = board[r.cell_of[point]];
        placed[count++] = {point, there};
        there = EMPTY;
        return false;
    });
    if (!count) return;
    const int points = int(r.point_of[r.cell_of[placed[0].at] + by]) - int(placed[0].at);
    for (size_t i = 0; i < count; ++i) {
        const auto& [from, piece] = placed[i];
        const auto to = Point(from + points);
        const uint64_t change = r.key(piece, from) ^ r.key(piece, to);
        key ^= change;
        if (r.info[piece].role != Role::NONE) role_key ^= change;
        board[r.cell_of[to]] = piece;
        site[to] = r.site(piece, to);
    }
    for (Bits<W>* sets : {&occupied[BLACK], &occupied[WHITE], &roots, &links}) sets->move(points);
    for (Bits<W>& part : parts)
        if (part.any()) part.move(points);
    for (const Side side : {BLACK, WHITE})
        if (royal[side] != NO_CELL) royal[side] = Cell(royal[side] + by);
    ++stamp;
}

template <int W>
void State<W>::set_side_to_move(Side side) {
    if (side_to_move != side) key ^= rules->side_key;
    side_to_move = side;
    ++stamp;
    played.clear();
}

template <int W>
uint64_t State<W>::key_from_scratch() const {
    uint64_t found = (side_to_move == WHITE ? rules->side_key : 0) ^ memory_key(taken_on);
    for (int point = 0; point < rules->points; ++point) found ^= rules->key(board[rules->cell_of[point]], Point(point));
    for (Side side : {BLACK, WHITE})
        for (int slot = 0; slot < rules->hands(); ++slot) found ^= rules->hand_keys[side][slot][hand[side][slot]];
    return found;
}

template <int W>
Outcome State<W>::repetition(int occurrences, size_t since) const {
    // Equal positions have the same side to move, so every second one is compared.
    int seen = 1;
    const size_t now = played.size();
    size_t first = now;
    for (size_t i = now; i >= since + 2;) {
        i -= 2;
        if (played[i].key == key) {
            first = i;
            ++seen;
        }
    }
    if (seen < occurrences) return {};
    if (rules->perpetual_check_loses) {
        bool always[2] = {true, true};  // by side: every one of its moves gave check
        Side mover = side_to_move;
        for (size_t i = first; i < now; ++i, mover = ~mover) always[mover] &= played[i].gave_check;
        if (always[BLACK] != always[WHITE]) return {End::PERPETUAL_CHECK, always[BLACK] ? WHITE : BLACK};
    }
    return {End::REPETITION, rules->repetition_loser ? int(~*rules->repetition_loser) : -1};
}

template <int W>
std::vector<uint64_t> State<W>::keys_before_repetition() const {
    std::vector<uint64_t> keys{key}, found;
    for (const Played& past : played) keys.push_back(past.key);
    for (uint64_t one : keys)
        if (std::ranges::count(keys, one) >= rules->repetition - 1 && std::ranges::find(found, one) == found.end())
            found.push_back(one);
    return found;
}

KOMADAI_FOR_EACH_SIZE(struct State)

}  // namespace komadai
