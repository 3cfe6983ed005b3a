// Compound moves: moves with several landings, shots, or effects on the way, and the drops of games that have them.
// Where a side has royal pieces no move may lose one, or leave it where a turn of the opponent's takes or removes it.
#pragma once

#include <algorithm>

#include "ends.hpp"
#include "kept_moves.hpp"
#include "support.hpp"

namespace komadai {

// --- For the evaluation and the search ---

// Calls visit(piece) for everything that the move captures by landing and by shot.
template <int W, class Visit>
void each_captured(const State<W>& s, Move move, Visit visit) {
    auto look = [&](Cell cell) {
        if (owned(s.board[cell], ~s.side_to_move)) visit(s.board[cell]);
    };
    for (uint64_t trail = move.trail; trail; trail >>= 16) look(Cell(trail & TRAIL_CELL));
    look(move.to);
}

// True if the move captures something by landing, by shot, or by the effect of its arrival.
template <int W>
[[nodiscard]] bool captures_anything(const State<W>& s, Move move) {
    const Rules<W>& r = *s.rules;
    bool found = false;
    each_captured(s, move, [&](Piece) { found = true; });
    if (found || move.piece == EMPTY || move.is_drop() || !r.info[s.board[move.from]].acts_on_arrival) return found;
    for (const auto& rule : r.on(Event::ARRIVES))
        if (rule.others && rule.where[move.piece].any())
            found |= (rule.around[r.point_of[move.to]] & s.occupied[~s.side_to_move]).any();
    return found;
}

// The material that the move wins, with the mover's own change and the effects of its arrival. A drop wins none.
template <int W>
[[nodiscard]] int material_swing(const State<W>& s, Move move) {
    const Rules<W>& r = *s.rules;
    const Side us = s.side_to_move;
    if (move.is_drop()) return 0;
    int won = move.piece == EMPTY ? -r.info[s.board[move.from]].value
                                  : r.info[move.piece].value - r.info[s.board[move.from]].value;
    each_captured(s, move, [&](Piece piece) {
        const auto& info = r.info[piece];
        won += info.value + (info.captured < 0 ? 0 : r.hand_value[size_t(info.captured)]);
    });
    if (move.piece == EMPTY || !r.info[s.board[move.from]].acts_on_arrival) return won;
    for (const auto& rule : r.on(Event::ARRIVES)) {
        if (!rule.others || rule.action != Action::REMOVE || !rule.where[move.piece].any()) continue;
        (rule.around[r.point_of[move.to]] & (s.occupied[BLACK] | s.occupied[WHITE])).each([&](Point point) {
            const Cell cell = r.cell_of[point];
            if (cell != move.from && rule.targets[us][s.board[cell]])
                won += (owned(s.board[cell], us) ? -1 : 1) * r.info[s.board[cell]].value;
            return false;
        });
    }
    return won;
}

// The extra worth of the side's dependent pieces.
template <int W>
[[nodiscard]] int dependency_worth(const State<W>& s, Side side) {
    int worth = 0;
    for (const auto& dependency : s.rules->dependencies) {
        if (std::ranges::none_of(dependency.needed[side], [&](Piece piece) { return s.piece_count[piece] > 0; }))
            continue;
        for (Piece piece : dependency.dependents[side]) worth += dependency.worth * s.piece_count[piece];
    }
    return worth;
}

// The worth of the ways to survive, and of the safety of the pieces they name.
template <int W>
[[nodiscard]] int survival_worth(const State<W>& s, Side side) {
    // Each way to survive beyond the first is a reserve. Enemies close to the pieces that survival depends on count
    // against the side and friends for it, the more the fewer ways are left.
    constexpr int RESERVE = 150, PRESSURE = 12, SHELTER = 4;
    const Rules<W>& r = *s.rules;
    const int ways = ways_to_survive(s, side);
    const int worth = RESERVE * std::min(ways, 3);
    if (!r.survival_set) return worth;
    int pressure = 0;
    (s.watched[*r.survival_set] & s.occupied[side]).each([&](Point point) {
        pressure += PRESSURE * (r.vicinity[point] & s.occupied[~side]).count() -
                    SHELTER * (r.beside[point] & s.occupied[side]).count();
        return false;
    });
    return worth - pressure * 2 / (1 + std::max(ways, 1));
}

// --- Moves ---

// A compound move under way.
struct CompoundState {
    Piece mover;                                 // at the start
    Cell from, at;                               // the start, and the present cell
    Piece now;                                   // at present; EMPTY once it has left the game
    int landings = 0, shots = 0;                 // shots since the last landing
    bool captured = false;                       // by landing
    bool in_zone = false, on_last_rank = false;  // by some landing
    bool judged = false;                         // a rule about whole turns may forbid it
    int taken_count = 0, items_count = 0;
    std::array<Piece, 8> taken{};
    std::array<Cell, 8> taken_at{};
    std::array<uint16_t, 8> items{};  // landings and shots in order, tagged as in a trail

    void add(uint16_t item) { items[size_t(items_count++)] = item; }
    void take(Piece piece, Cell cell) {
        taken_at[size_t(taken_count)] = cell;
        taken[size_t(taken_count++)] = piece;
    }
    void arrive(Cell to, Piece there) {
        if (there != EMPTY) {
            take(there, to);
            captured = true;
        }
        at = to;
        shots = 0;
        ++landings;
        add(uint16_t(TRAIL_LANDING | to));
    }
    [[nodiscard]] bool cut_short() const { return now != mover; }
    [[nodiscard]] bool has_landed() const { return landings > 0; }
};

// The rules at the start of a turn, applied to the mover's pieces.
template <int W>
struct TurnStart {
    Bits<W> immobilized;
    std::vector<std::pair<Bits<W>, uint64_t>> barred;  // pieces, and the vectors that they may not move by
    Bits<W> danger;                                    // where an arrival may have effects

    [[nodiscard]] uint64_t barred_at(Point point) const {
        uint64_t all = 0;
        for (const auto& [points, vectors] : barred)
            if (points.test(point)) all |= vectors;
        return all;
    }
};

template <int W>
struct CompoundScratch;
template <int W>
class CompoundTree;

// The number of royal pieces of a side. Only where pieces are counted.
template <int W>
[[nodiscard]] int royals_of(const State<W>& s, Side side) {
    int found = 0;
    for (const Piece piece : s.rules->royal_pieces[side]) found += s.piece_count[piece];
    return found;
}

// One generation of compound moves for the side to move, or the replay of one move.
template <int W>
class CompoundMoves {
 public:
    // GENERIC: every turn is walked to its end, and every one of the opponent's where safety is asked about.
    enum class Path { FAST, GENERIC };
    // Without the rules about mate, as when the replies to a mate are counted.
    explicit CompoundMoves(State<W>& state, Path path = Path::FAST, bool ignore_mate_rules = false);

    [[nodiscard]] static TurnStart<W> start_of_turn(const State<W>& s);
    // Makes the changes of a move, for State::make().
    void play(Move move);

    void legal(MoveList& moves);
    // Those of the piece on a point.
    void legal_of(Point point, MoveList& moves);
    // Legal drops.
    void drops(MoveList& moves);
    // The pieces that have a legal move. Only where no side has a hand or a royal piece.
    [[nodiscard]] Bits<W> movers();
    [[nodiscard]] uint64_t count();
    [[nodiscard]] bool any();
    // True if the opponent of the side, if it were to move, could end the side's survival.
    [[nodiscard]] bool threatened(Side side);
    // True if it could take or remove a royal piece of the side.
    [[nodiscard]] bool royal_attacked(Side side);

 private:
    friend class CompoundTree<W>;  // which takes the same steps, and keeps them all
    using PieceInfo = typename Rules<W>::PieceInfo;
    using Rule = typename Rules<W>::CompoundRule;

    void act(const Rule& rule, Point point);
    void become(Cell cell, Piece into);
    void settle();
    void gain(Piece taken);
    void begin_turn();
    void find_granted();
    void end_turn();
    [[nodiscard]] bool is_over() const { return end_on_board(state_).end != End::NONE; }
    [[nodiscard]] bool keeps_royals_safe(Move move);
    [[nodiscard]] bool royal_reached(Side side);
    void keep_safe_moves(MoveList& moves, size_t first);
    void list_turns(MoveList& moves);
    template <class Harms>
    [[nodiscard]] bool harmed(Side side, Harms harms);
    void land(CompoundState& move, Cell to, bool inert = false);
    void take_effect(Cell to);
    void shoot(CompoundState& move, Cell target);
    void become(CompoundState& move, Piece into);
    void replay(CompoundState& played, Move move);
    // Notes of a landing what promotion and rules about whole turns ask for.
    void land_in_zone(CompoundState& move, Point point, Piece there) const {
        move.in_zone |= rules_.zone[state_.side_to_move].test(point);
        move.on_last_rank |= rules_.last_rank[state_.side_to_move].test(point);
        move.judged |= rules_.info[there].loss_has_effects || rules_.info[move.mover].judged;
    }
    [[nodiscard]] size_t move_class(const CompoundState& move) const {
        const bool starts = move.has_landed() && rules_.zone[state_.side_to_move].test(rules_.point_of[move.from]);
        return rules_.move_class(move.now, starts, move.in_zone, move.on_last_rank, move.taken_count > 0);
    }
    // Of a turn that ends now: whether a rule about whole turns forbids it.
    [[nodiscard]] bool forbidden(const CompoundState& move);
    [[nodiscard]] bool takes(const CompoundState& move, const typename Rules<W>::Takes& asked);
    [[nodiscard]] bool is_protected(const CompoundState& move, Cell target);
    [[nodiscard]] bool reaches(Cell from, Cell target);
    [[nodiscard]] bool walks_to(const WalkTable& walk, uint64_t vectors, int leaps, Cell at, Cell target, bool landed,
                                const Bits<W>& seen);
    [[nodiscard]] Point remembered(const CompoundState& move) const;
    [[nodiscard]] bool promotes_by_force(const CompoundState& move) const;
    [[nodiscard]] const std::vector<Change>& results(const CompoundState& move) const;

    // True if the move may end here; if it may be followed by a shot where there is a target; by another leap.
    [[nodiscard]] bool may_end(const CompoundState& move, const WalkTable* walk) const {
        return move.has_landed() ? !walk || move.landings >= walk->least || move.cut_short() : move.shots > 0;
    }
    [[nodiscard]] bool may_shoot(const CompoundState& move, const WalkTable* walk) const;
    [[nodiscard]] bool may_leap(const CompoundState& move, const WalkTable* walk) const {
        const auto& shots = rules_.info[move.mover].shots;
        const bool has_shot = move.shots > 0 && (shots.empty() || !shots.front().each_landing);
        return walk && !move.cut_short() && !has_shot && move.landings < walk->most && may_stand(move, move.mover);
    }
    // True if no rule keeps the mover from having landed where it stands, as that piece.
    [[nodiscard]] bool may_stand(const CompoundState& move, Piece piece) const;
    // The trail of a move that ends here, and the rank of its string among all: that of the fewest points comes first.
    struct Written {
        uint64_t trail, order;
    };
    [[nodiscard]] Written written(const CompoundState& move) const;
    // One step by which a move goes on, and what is left of its walk then.
    struct Onward {
        bool shot;
        Cell to;
        const WalkTable* walk;
        int vector;
        Bits<W> seen;
    };
    void go_on(const CompoundState& move, const WalkTable* walk, int vector, const Bits<W>& seen,
               std::vector<Onward>& found) const;
    template <class Visit>
    void each_leap(const CompoundState& move, uint64_t vectors, const Bits<W>& seen, Visit visit) const;
    template <class Visit>
    bool each_shot(const ShotTable& shot, const CompoundState& move, Visit visit) const;
    template <class Sink>
    void generate(Sink& sink);
    template <class Each>
    void generate_each(const Bits<W>& among, Each each);
    [[nodiscard]] Bits<W> reached(Piece piece, Point point) const;
    [[nodiscard]] bool lands_quietly(Point point) const;
    template <class Sink>
    bool generate_piece(Sink& sink, Point point, bool asks);
    template <class Sink>
    void generate_kept(Sink& sink, KeptMoves<W>& kept, Point point);
    template <class Sink>
    bool generate_single(Sink& sink, Cell from);
    template <class Sink>
    bool generate_quiet(Sink& sink, Cell from, bool may_aim);
    [[nodiscard]] bool hits_from(const PieceInfo& info, Cell from, Cell to);
    template <class Sink>
    bool arrive(Sink& sink, Cell from, Cell to, Piece there);
    // Calls visit(piece, flags) for each piece that the mover may be once it has landed there, until it returns true.
    template <class Visit>
    [[gnu::always_inline]] bool each_result(const PieceInfo& info, size_t move_class, Point to, Piece there,
                                            Visit visit) const {
        auto stands = [&](Piece piece) { return !info.asks_landing || rules_.info[piece].may_land.test(to); };
        if (there != EMPTY && info.promotes_by_capturing[there])
            return stands(info.captures_promote_to) && visit(info.captures_promote_to, uint16_t{0});
        for (const Change& change : info.changes[move_class])
            if (stands(change.piece) && visit(change.piece, change.flags)) return true;
        return false;
    }
    void explore(Cell from, bool every_walk);
    void walk_from(Cell from, bool every_walk);
    void extend(CompoundState& move, const WalkTable* walk, int vector, const Bits<W>& seen, bool every_walk);
    void leap(const CompoundState& move, const WalkTable& walk, uint64_t vectors, const Bits<W>& seen, bool every_walk);
    void finish(const CompoundState& move, uint64_t key);
    bool finish_inert(CompoundState& move, Cell to);
    void visit(const CompoundState& move, Cell to, const WalkTable* walk, int vector, const Bits<W>& seen,
               bool every_walk);
    // True if a landing may change more than two points.
    [[nodiscard]] bool has_effects(Point point, Piece there) const {
        return start_.danger.test(point) || rules_.info[there].loss_has_effects;
    }
    // True if a shot from there may hit something.
    [[nodiscard]] bool in_range(const PieceInfo& info, Point point) const {
        return info.range && rules_.ranges[*info.range][point].meets(state_.occupied[~state_.side_to_move]);
    }
    [[nodiscard]] bool blocks(const PieceInfo& info, Piece there) const {
        return owned(there, state_.side_to_move) || info.cannot_capture[there];
    }
    template <class Sink>
    bool flush(Sink& sink);
    template <class Visit>
    bool each_way(Cell from, uint64_t barred, Visit visit) const;

    State<W>& state_;
    const Rules<W>& rules_;
    CompoundScratch<W>& scratch_;
    const Path path_;
    const bool ignore_mate_rules_;
    TurnStart<W> start_;
    Bits<W> granted_;           // the opponent's links that were supported when the turn began
    bool lifts_ = false;        // landings are made on the mailbox and the key alone
    bool had_effects_ = false;  // one was met that may do more than change two points
};

KOMADAI_EXTERN_EACH_SIZE(class CompoundMoves)

}  // namespace komadai
