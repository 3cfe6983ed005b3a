// Legal moves of games whose moves have one landing: a side may not leave a royal piece attacked.
//
// Two paths give the same list. The fast one, for games in which each side has one royal piece, finds checkers and pins
// once and generates only legal moves, by sets of points. The generic one walks over the mailbox, makes every
// pseudo-legal move through the journal and looks whether a royal piece of the mover is attacked; it assumes nothing
// about the variant and uses no sets. Tests compare the two.
#pragma once

#include "compound.hpp"
#include "sinks.hpp"
#include "support.hpp"

namespace komadai {

// Sets of points by number, of which the first are kept, and others found each time.
template <int W>
class Kept {
 public:
    Kept() {}
    template <class Find>
    Bits<W> of(size_t number, Find find) {
        if (number >= KEPT) return find();
        if (!(known_ >> number & 1)) {
            points_[number] = find().word;
            known_ |= 1u << number;
        }
        return {points_[number]};
    }

 private:
    static constexpr size_t KEPT = 32;
    std::array<uint64_t, W> points_[KEPT];  // set where known
    uint32_t known_ = 0;
};

// What legal moves do, each target of a piece counted once, whatever the piece becomes there.
template <int W>
struct Kinds {
    uint32_t by_royal = 0, captures = 0, others = 0;  // the latter two by other pieces
    Bits<W> drops;                                    // the points where something can be dropped

    [[nodiscard]] bool any() const { return by_royal || captures || others || drops.any(); }
};

// One generation of moves for the side to move. Makes moves on the State while it tries them, and takes them back.
template <int W>
class RoyalMoves {
 public:
    // GENERIC: moves are tried in the way of the generic path.
    enum class Path { FAST, GENERIC };
    // Without the rules about mate, as when the replies to a mate are counted: such a rule does not refer to
    // itself.
    explicit RoyalMoves(State<W>& state, Path path = Path::FAST, bool ignore_mate_rules = false)
        : state_(state),
          rules_(*state.rules),
          generic_(path == Path::GENERIC || !rules_.single_royal || rules_.is_compound),
          walks_all_(path == Path::GENERIC),
          ignore_mate_rules_(ignore_mate_rules) {}

    void legal(MoveList& moves);
    void legal(std::vector<MovesTo<W>>& groups);
    // Legal captures and changes of kind on the board; with the drops that give check if asked for.
    void captures(MoveList& moves, bool with_checks);
    // Legal moves that give check. Only for rules().plain() games.
    void checks(MoveList& moves);
    [[nodiscard]] bool any();
    [[nodiscard]] uint64_t count();
    // True if no rule forbids a move that follows the piece's movement. Of compound moves this is asked of drops, and
    // of landings where the mover stands already.
    [[nodiscard]] bool allows(Move move) {
        const auto& info = rules_.info[move.piece];
        return !forbidden(move.is_drop() ? info.drop_rules : info.landing_rules, move);
    }
    // Only on the fast path.
    [[nodiscard]] Kinds<W> kinds();
    // False if no drop can parry every check, whatever is in hand.
    [[nodiscard]] bool drops_may_parry() const { return safety().target.without(state_.everyone()).any(); }

 private:
    using PieceInfo = typename Rules<W>::PieceInfo;
    // Checkers of the royal piece, the pieces pinned to it, and where it may leap.
    struct Safety {
        Safety() {}
        Bits<W> target;  // where a piece other than the royal one must land to parry every check
        Bits<W> pinned;
        Bits<W> leaps;  // of the royal piece: its targets that are not attacked
        bool checked = false;
        unsigned pins = 0;
        std::array<uint64_t, W> lines[64];  // `pins` of them, one a vector: the points up to a pinning piece

        void add_leapers(const State<W>& state, Point royal);
        [[gnu::always_inline]] inline void add_line(Bits<W> way, Point from, const Bits<W>& pieces,
                                                    const Bits<W>& ours);
        [[nodiscard]] Bits<W> targets_of_pinned(Point point) const {
            Bits<W> found = target;
            for (unsigned i = 0; i < pins; ++i)
                if (const Bits<W> line{lines[i]}; line.test(point)) found &= line;
            return found;
        }
    };

    // True if the game is over, so that there is no legal move.
    [[nodiscard]] bool is_over() const { return rules_.ends_on_board() && end_on_board(state_).end != End::NONE; }
    void push(Move move);
    [[nodiscard]] typename CompoundMoves<W>::Path compound_path() const;
    [[nodiscard]] bool royal_safe(Side side) const;
    [[nodiscard]] bool attacked_by_walking(Cell target, Side by) const;
    bool mates(Move move);
    bool holds(const Term& term, Move move);
    bool holds_at_length(const Term& term, Move move);
    bool applies(const typename Rules<W>::Rule& rule, Move move);
    bool forbidden(const std::vector<int>& indices, Move move);
    bool keeps_royal_safe(Move move);

    // The points where a condition holds for a move without a target, and where only that very move can tell.
    struct Answer {
        Bits<W> yes, maybe{};
    };
    [[nodiscard]] Answer answer(const Term& term, const Move& move, const Bits<W>& targets, const Bits<W>& doubtful);
    [[nodiscard]] Answer answer_near(int index, const Move& move, const Bits<W>& targets) const;
    [[nodiscard]] Answer answer_beyond_support(const Move& move) const;
    [[nodiscard]] Answer answer_check(const Move& move, bool mates, const Bits<W>& doubtful);
    [[nodiscard]] Support<W> support_without_mover(const Move& move) const;
    [[nodiscard]] Bits<W> allowed(const std::vector<int>& indices, Move move, Bits<W> targets, const Bits<W>& doubtful);
    [[nodiscard]] Bits<W> settled(Move move, Bits<W> targets);
    [[nodiscard]] bool settles_safely(const Move& move);

    [[nodiscard]] Safety safety() const;
    [[nodiscard]] Bits<W> files_with(int argument, Point but = NO_POINT);
    [[nodiscard]] Bits<W> droppable(const Move& drop, unsigned holding);
    [[nodiscard]] Bits<W> checking_drops(Piece piece);
    [[nodiscard]] bool anchored() const { return rules_.has_edges() || state_.board[rules_.middle] == rules_.anchor; }

    void legal_generic(MoveList& moves);
    template <class Visit>
    void pseudo_legal(Visit visit) const;
    [[nodiscard]] Bits<W> walk(Cell from) const;

    template <class Sink>
    void generate(Sink& sink, bool with_drops = true) {
        generate(sink, safety(), with_drops);
    }
    template <class Sink>
    void generate(Sink& sink, const Safety& safe, bool with_drops = true);
    [[nodiscard]] Bits<W> may_move_to(const Bits<W>& points) const;
    template <class Sink>
    bool generate_piece(Sink& sink, Point from, const Bits<W>& target);
    template <class Sink>
    bool generate_royal(Sink& sink, Point from, const Safety& safe, const Bits<W>& target);
    template <class Sink>
    bool generate_drops(Sink& sink, const Bits<W>& target);
    template <class Sink>
    bool land(Sink& sink, Point from, const Bits<W>& targets);
    template <class Sink>
    bool land_alike(Sink& sink, Point from, const Bits<W>& targets);

    [[nodiscard]] uint64_t count_in_place();
    [[nodiscard]] uint64_t further_results(Piece piece, bool inside, const Bits<W>& targets) const;

    State<W>& state_;
    const Rules<W>& rules_;
    const bool generic_, walks_all_, ignore_mate_rules_;
    Kept<W> files_;  // of files_with(), by group
    std::optional<Bits<W>> screens_;
    std::optional<Bits<W>> seen_;  // from the opponent's royal piece
    bool try_all_ = false;         // a piece of the mover is stranded: only trying shows what a move leads to
};

// Makes the changes of a move, for State::make().
template <int W>
void play_royal_move(State<W>& s, Move move) {
    const Rules<W>& r = *s.rules;
    const Side mover = s.side_to_move;
    const bool ends = !r.end_rules.empty();
    const uint64_t role_key = s.role_key;
    Bits<W> granted;
    if (ends) granted = support_now(s).links & s.occupied[~mover];
    if (move.is_drop()) {
        s.put_in_hand(mover, move.from, s.hand[mover][move.from] - 1);
    } else {
        const Piece taken = s.board[move.to];
        s.put(move.from, EMPTY);
        if (taken != EMPTY) {
            const int slot = r.info[taken].captured;
            if (slot >= 0) s.put_in_hand(mover, slot, s.hand[mover][slot] + 1);
            s.put(move.to, EMPTY);
        }
    }
    s.put(move.to, move.piece);
    if (ends) {
        granted.reset(r.point_of[move.to]);
        // While no piece with a role moves, support stays as it was.
        take_at_end(s, s.role_key == role_key ? Bits<W>{} : granted);
    }
    s.outside_window = s.board[move.to] == r.anchor && !recentre(s, move.to);
}

KOMADAI_EXTERN_EACH_SIZE(class RoyalMoves)

}  // namespace komadai
