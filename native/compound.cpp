// Generation of compound moves, and threats by them.
//
// Pieces whose moves are single landings without effects are generated as in other games; all others are walked
// (compound_walks.hpp).
#include "compound.hpp"

#include <utility>

#include "compound_walks.hpp"
#include "sinks.hpp"
#include "whole_turns.hpp"

namespace komadai {

namespace {

// One to a thread, because generation never nests.
template <int W>
CompoundScratch<W>& thread_scratch() {
    thread_local CompoundScratch<W> made;
    return made;
}

}  // namespace

template <int W>
CompoundMoves<W>::CompoundMoves(State<W>& state, Path path, bool ignore_mate_rules)
    : state_(state),
      rules_(*state.rules),
      scratch_(thread_scratch<W>()),
      path_(path),
      ignore_mate_rules_(ignore_mate_rules) {}

// --- Generation ---

// True if a shot of the piece on `from` would hit something once it has landed.
template <int W>
bool CompoundMoves<W>::hits_from(const PieceInfo& info, Cell from, Cell to) {
    const Piece mover = std::exchange(state_.board[from], EMPTY);
    const bool hits = each_shot(info.shots.front(), {mover, from, to, mover}, [](Cell) { return true; });
    state_.board[from] = mover;
    return hits;
}

// The moves of one landing: one for each piece that the mover may become there.
template <int W>
template <class Sink>
bool CompoundMoves<W>::arrive(Sink& sink, Cell from, Cell to, Piece there) {
    const Piece mover = state_.board[from];
    const auto& info = rules_.info[mover];
    const Point point = rules_.point_of[to];
    if (!info.may_arrive.test(point)) return false;
    const size_t move_class = rules_.move_class(mover, rules_.point_of[from], point, there != EMPTY);
    if (!info.inert[move_class] || has_effects(point, there) || (in_range(info, point) && hits_from(info, from, to)))
        [[unlikely]] {
        had_effects_ = true;
        visit({mover, from, from, mover}, to, nullptr, 0, {}, false);
        return false;
    }
    return each_result(info, move_class, point, there,
                       [&](Piece into, uint16_t flags) { return sink.move(from, to, into, flags); });
}

// The moves of a piece that stands where its moves to empty points are quiet.
template <int W>
template <class Sink>
bool CompoundMoves<W>::generate_quiet(Sink& sink, Cell from, bool may_aim) {
    const Piece mover = state_.board[from];
    const auto& quiet = rules_.quiet[mover];
    const uint8_t* const in_zone = rules_.zone_cells[state_.side_to_move].data();
    const unsigned theirs = 1u << ~state_.side_to_move;
    const uint64_t code = Move{from, 0, mover, 0}.code(), further = quiet.further | from;
    const bool may_change = quiet.further, from_zone = in_zone[from];
    const Piece* const board = state_.board.data();
    std::array<Cell, 24> met;  // where something has to be asked: pieces of the opponent, and points to shoot from
    size_t count = 0;
    Sink made = sink;  // a copy stays in registers
    auto land = [&](Cell to, bool is) {
        bool enough = made.maybe(code | uint64_t(to) << 16, is);
        if (may_change) enough |= made.maybe(further | uint64_t(to) << 16, is && (from_zone || in_zone[to]));
        return enough;
    };
    for (int i = 0; i < quiet.leap_count; ++i) {
        const Cell to = Cell(from + quiet.leaps[size_t(i)]);
        const Piece there = board[to];
        const bool aims = may_aim && there == EMPTY && in_range(rules_.info[mover], rules_.point_of[to]);
        if (land(to, there == EMPTY && !aims)) return sink = made, true;
        met[count] = to;
        count += aims || (there & 3u) == theirs;
    }
    for (int i = 0; i < quiet.slide_count; ++i) {
        const auto [delta, reach] = quiet.slides[size_t(i)];
        Cell to = Cell(from + delta);
        int left = reach;
        for (; left > 0 && board[to] == EMPTY; --left, to = Cell(to + delta))
            if (land(to, true)) return sink = made, true;
        met[count] = to;
        count += left > 0 && (board[to] & 3u) == theirs;
    }
    sink = made;
    for (size_t i = 0; i < count; ++i)
        if (!blocks(rules_.info[mover], board[met[i]]) && arrive(sink, from, met[i], board[met[i]])) return true;
    return false;
}

// The moves of a piece that lands once; only those whose arrival may have effects are tried.
template <int W>
template <class Sink>
bool CompoundMoves<W>::generate_single(Sink& sink, Cell from) {
    const uint64_t barred = start_.barred_at(rules_.point_of[from]);
    return each_way(from, barred, [&](Cell to, Piece there) { return arrive(sink, from, to, there); });
}

// The moves of the piece on a point.
template <int W>
template <class Sink>
bool CompoundMoves<W>::generate_piece(Sink& sink, Point point, bool asks) {
    const Cell from = rules_.cell_of[point];
    const Piece piece = state_.board[from];
    const auto& quiet = rules_.quiet[piece];
    const auto& info = rules_.info[piece];
    if (quiet.from.test(point) && !asks) {
        const bool may_aim = quiet.shoots && rules_.outlook[piece][point].meets(state_.occupied[~state_.side_to_move]);
        if (may_aim && quiet.slide_count ? generate_single(sink, from) : generate_quiet(sink, from, may_aim))
            return true;
    } else if (info.single) {
        if (generate_single(sink, from)) return true;
    } else {
        explore(from, false);
    }
    return !scratch_.found.empty() && flush(sink);
}

// True if the piece on a point may land on an empty one and stay there, with no effect but that: most that can move can
// do so. False says nothing.
template <int W>
bool CompoundMoves<W>::lands_quietly(Point point) const {
    const Cell from = rules_.cell_of[point];
    const Piece piece = state_.board[from];
    const auto& info = rules_.info[piece];
    const uint64_t barred = start_.barred_at(point);
    if (info.judged || info.asks_landing) return false;
    auto lands = [&](Cell to, Piece there) {
        if (there != EMPTY || !info.may_land.test(rules_.point_of[to]) || has_effects(rules_.point_of[to], EMPTY))
            return false;
        const size_t move_class = rules_.move_class(piece, point, rules_.point_of[to], false);
        return info.inert[move_class] && !info.changes[move_class].empty();
    };
    if (each_way(from, barred, lands)) return true;
    for (const WalkTable& walk : info.walks)
        for (uint64_t vectors = walk.least <= 1 ? walk.first & ~barred : 0; vectors; vectors &= vectors - 1) {
            const Cell to = Cell(from + rules_.deltas[size_t(std::countr_zero(vectors))]);
            if (lands(to, state_.board[to])) return true;
        }
    return false;
}

// The points that a piece can reach in one move, each slide ending on the first piece in its way.
template <int W>
Bits<W> CompoundMoves<W>::reached(Piece piece, Point point) const {
    const auto& leads = rules_.sets.reach[state_.site[point]];
    const auto& quiet = rules_.quiet[piece];
    if (quiet.slide_count == 0) return leads.leaps | leads.slides;
    Bits<W> found = leads.leaps;
    for (int i = 0; i < quiet.slide_count; ++i) {
        const auto [delta, reach] = quiet.slides[size_t(i)];
        Cell to = Cell(rules_.cell_of[point] + delta);
        for (int left = reach; left > 0 && state_.board[to] != WALL; --left, to = Cell(to + delta)) {
            found.set(rules_.point_of[to]);
            if (state_.board[to] != EMPTY) break;
        }
    }
    return found;
}

// As generate_piece(), with the moves found before while nothing changes on the points on which they depend.
template <int W>
template <class Sink>
void CompoundMoves<W>::generate_kept(Sink& sink, KeptMoves<W>& kept, Point point) {
    auto& entry = kept.at(point);
    if (sink.take(entry)) return;
    const Piece piece = state_.board[rules_.cell_of[point]];
    const auto before = sink.mark();
    had_effects_ = false;
    generate_piece(sink, point, false);
    if (had_effects_) return;
    const auto& outlook = rules_.outlook[piece];
    entry.depends_on = outlook.empty() ? reached(piece, point) : outlook[point];
    entry.depends_on.set(point);
    sink.keep(entry, before);
}

template <int W>
template <class Sink>
void CompoundMoves<W>::generate(Sink& sink) {
    const Undone<W> undone(state_);
    begin_turn();
    const Bits<W> movers = state_.occupied[state_.side_to_move] & ~start_.immobilized;
    scratch_.found.clear();
    const bool asks = start_.danger.any() || !start_.barred.empty();
    const size_t room = std::max(2 * size_t(rules_.points), KeptMoves<W>::MOST_LISTED);
    if constexpr (Sink::KEEPS)
        if (!asks && !start_.immobilized.any()) {
            KeptMoves<W>& kept = scratch_.kept[state_.side_to_move];
            const bool near = kept.begin(state_);
            movers.each([&](Point point) {
                sink.expect(room);
                near ? generate_kept(sink, kept, point) : void(generate_piece(sink, point, false));
                return false;
            });
            return kept.end(rules_);
        }
    movers.each([&](Point point) {
        sink.expect(room);
        return generate_piece(sink, point, asks);
    });
}

// Calls each(point, generate) for each of those pieces that may move at all: generate(sink) hands its moves over.
// Nothing is kept, since what is kept has to see every change.
template <int W>
template <class Each>
void CompoundMoves<W>::generate_each(const Bits<W>& among, Each each) {
    const Undone<W> undone(state_);
    begin_turn();
    const bool asks = start_.danger.any() || !start_.barred.empty();
    (among & state_.occupied[state_.side_to_move]).without(start_.immobilized).each([&](Point point) {
        scratch_.found.clear();
        each(point, [&](auto& sink) {
            sink.expect(2 * size_t(rules_.points));
            static_cast<void>(generate_piece(sink, point, asks));
        });
        return false;
    });
}

// Appends the turns of the side to move that obey the rules of its pieces, one for each position that they lead to.
template <int W>
void CompoundMoves<W>::list_turns(MoveList& moves) {
    if (path_ == Path::FAST) {
        RoomSink sink{scratch_.room};
        generate(sink);
        return sink.copy_to(moves);
    }
    const Undone<W> undone(state_);
    begin_turn();
    ListSink<W> sink{moves};
    scratch_.found.clear();
    const Bits<W> movers = state_.occupied[state_.side_to_move] & ~start_.immobilized;
    movers.each([&](Point point) {
        explore(rules_.cell_of[point], true);
        return flush(sink);
    });
}

// --- Threats ---

// True if the opponent of the side, if it were to move, has a turn after which harms() is true.
template <int W>
template <class Harms>
bool CompoundMoves<W>::harmed(Side side, Harms harms) {
    const Undone<W> undone(state_);
    state_.side_to_move = ~side;
    state_.remember(NO_POINT);
    // Some turns affect other pieces than those that they capture: arrivals only where there is danger.
    const bool affects_others =
        path_ == Path::GENERIC || (!rules_.end_rules.empty() && !rules_.on(Event::AT_ALL_TIMES).empty()) ||
        std::ranges::any_of(rules_.on(Event::ARRIVES), [](const auto& rule) { return rule.others && rule.danger; });
    MoveList moves;
    if (path_ == Path::GENERIC) {
        list_turns(moves);
    } else {
        RoomSink sink{scratch_.room};
        generate_each(affects_others ? state_.occupied[~side] : threats_to(state_, side),
                      [&](Point, auto generate) { generate(sink); });
        sink.copy_to(moves);
    }
    return std::ranges::any_of(moves, [&](const Move& move) {
        const auto& info = rules_.info[state_.board[move.from]];
        bool matters =
            affects_others || info.acts_on_arrival || info.triggers_rules || rules_.info[move.piece].triggers_rules;
        each_captured(state_, move, [&](Piece piece) { matters |= rules_.info[piece].critical; });
        if (!matters) return false;
        const size_t mark = state_.journal.size();
        play(move);
        const bool found = harms();
        state_.rewind(mark);
        return found;
    });
}

template <int W>
bool CompoundMoves<W>::threatened(Side side) {
    return survives(state_, side) && !is_over() && harmed(side, [&] { return !survives(state_, side); });
}

template <int W>
bool CompoundMoves<W>::royal_attacked(Side side) {
    if (rules_.walks_alone && path_ == Path::FAST) return royal_reached(side);
    const int royals = royals_of(state_, side);
    return royals > 0 && harmed(side, [&] { return royals_of(state_, side) < royals; });
}

// The same where turns are landings without effects.
template <int W>
bool CompoundMoves<W>::royal_reached(Side side) {
    auto leads_there = [&](Point from, Point royal) {
        const auto& outlook = rules_.outlook[state_.board[rules_.cell_of[from]]];
        const auto& leads = rules_.sets.reach[state_.site[from]];
        return outlook.empty() ? leads.leaps.test(royal) || leads.slides.test(royal) : outlook[from].test(royal);
    };
    return state_.occupied[side].each([&](Point royal) {
        const Cell target = rules_.cell_of[royal];
        if (!rules_.info[state_.board[target]].royal) return false;
        return state_.occupied[~side].each(
            [&](Point from) { return leads_there(from, royal) && reaches(rules_.cell_of[from], target); });
    });
}

// --- Legal moves ---

// Makes the move to see whether it leaves the mover's royal pieces on the board and safe.
template <int W>
bool CompoundMoves<W>::keeps_royals_safe(Move move) {
    if (!rules_.has_royal) return true;
    const Side us = state_.side_to_move;
    const int royals = royals_of(state_, us);
    state_.make(move, [&] { play(move); });
    const Takeback taken(state_);
    return royals_of(state_, us) >= royals && !CompoundMoves(state_, path_).royal_attacked(us);
}

// Takes those of the moves from `first` on away that leave a royal piece in danger.
template <int W>
void CompoundMoves<W>::keep_safe_moves(MoveList& moves, size_t first) {
    if (!rules_.has_royal) return;
    const auto unsafe = std::remove_if(moves.begin() + std::ptrdiff_t(first), moves.end(),
                                       [&](const Move& move) { return !keeps_royals_safe(move); });
    moves.erase(unsafe, moves.end());
}

template <int W>
void CompoundMoves<W>::drops(MoveList& moves) {
    const Side us = state_.side_to_move;
    using Royal = RoyalMoves<W>;
    Royal rules(state_, path_ == Path::FAST ? Royal::Path::FAST : Royal::Path::GENERIC, ignore_mate_rules_);
    // Without effects a drop opens no way to a royal piece.
    const bool safe = rules_.walks_alone && path_ == Path::FAST && !royal_reached(us);
    for (unsigned slots = state_.holding[us]; slots; slots &= slots - 1) {
        const int slot = std::countr_zero(slots);
        for (const int kind : rules_.drops[size_t(slot)]) {
            const Piece piece = piece_of(kind, us);
            const bool as_safe = safe && !rules_.info[piece].royal;
            rules_.info[piece].may_drop.without(state_.everyone()).each([&](Point point) {
                const Move drop{Cell(slot), rules_.cell_of[point], piece, DROP};
                if (rules.allows(drop) && (as_safe || keeps_royals_safe(drop))) moves.push_back(drop);
                return false;
            });
        }
    }
}

template <int W>
void CompoundMoves<W>::legal(MoveList& moves) {
    if (is_over()) return;
    const size_t before = moves.size();
    list_turns(moves);
    keep_safe_moves(moves, before);
    drops(moves);
}

template <int W>
void CompoundMoves<W>::legal_of(Point point, MoveList& moves) {
    if (is_over()) return;
    const size_t before = moves.size();
    RoomSink sink{scratch_.room};
    generate_each(Bits<W>::only(point), [&](Point, auto generate) { generate(sink); });
    sink.copy_to(moves);
    keep_safe_moves(moves, before);
}

template <int W>
Bits<W> CompoundMoves<W>::movers() {
    Bits<W> found;
    if (is_over()) return found;
    generate_each(state_.occupied[state_.side_to_move], [&](Point point, auto generate) {
        AnySink<W> sink{lands_quietly(point)};
        if (!sink.found) generate(sink);
        if (sink.found) found.set(point);
    });
    return found;
}

template <int W>
uint64_t CompoundMoves<W>::count() {
    if (is_over()) return 0;
    if (rules_.has_hands_or_royals()) {
        MoveList moves;
        legal(moves);
        return moves.size();
    }
    CountSink<W> sink;
    generate(sink);
    return sink.count;
}

template <int W>
bool CompoundMoves<W>::any() {
    if (is_over()) return false;
    if (rules_.has_hands_or_royals()) {
        MoveList moves;
        list_turns(moves);
        if (std::ranges::any_of(moves, [&](const Move& move) { return keeps_royals_safe(move); })) return true;
        moves.clear();
        drops(moves);
        return !moves.empty();
    }
    AnySink<W> sink;
    generate(sink);
    return sink.found;
}

KOMADAI_FOR_EACH_SIZE(class CompoundMoves)

}  // namespace komadai
