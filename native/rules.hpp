// A variant as the core plays it: immutable tables, built once from its RuleTables.
//
// Five structs hold them, each made from the tables and from those before it, and sound from then on: the board, the
// pieces, the rules of single landings and drops, the ends of the game, and the rules of compound moves. Rules is all
// five, with what follows from them together. A number without a bound is one that the compiler has checked.
#pragma once

#include <string>

#include "sets.hpp"

namespace komadai {

constexpr int MAX_HAND = 16;     // hand kinds
constexpr int MAX_FILES = 26;    // files, from 1
constexpr int MAX_VECTORS = 64;  // different vectors of all kinds and their opposites
constexpr int MAX_GROUPS = 4;    // different sets of kinds that rules look for on a file

// The part a piece has in giving support to others.
enum class Role : uint8_t { NONE, ROOT, LINK };

// One of the sets of pieces whose points State keeps, below 64; none: no piece is asked for.
using WatchedSet = std::optional<uint8_t>;

// One flag by piece, for pieces of both sides.
using Marked = std::vector<uint8_t>;
// Likewise by the side that something is asked of.
using MarkedBySide = std::array<Marked, 2>;

// The board: points in reading order, and the cells of the mailbox, where walls surround them.
//
// Every point has a cell of its own, and every other cell is a wall; a vector is one offset of cells, and its opposite
// the one whose number differs in the lowest bit. Tables by point have `points` items, by cell `cells`.
// What is made once for a variant is marked cold, here and elsewhere: the compiler then spends little on it.
template <int W>
struct Geometry {
    [[gnu::cold]] explicit Geometry(const RuleTables& t);

    int width, height, points, cells;
    std::vector<Cell> cell_of;
    std::vector<Point> point_of;
    std::vector<uint8_t> on_board;  // by cell: whether it is a point; the others are walls
    std::vector<int> file_of;       // point -> file from 1
    std::vector<int> deltas;
    std::array<Bits<W>, 2> zone, last_rank;
    std::array<std::vector<uint8_t>, 2> zone_cells;  // by cell: whether it is in the zone
    Bits<W> board;                                   // every point
    std::array<Bits<W>, MAX_FILES> file_points{};
    std::vector<Bits<W>> beside;      // point -> the points a king's step away
    std::vector<Bits<W>> link_reach;  // point -> the points where a root there supports links
    std::optional<Piece> anchor;      // of a board without edges: stands on `middle` once it is on the board
    Cell middle;
    std::vector<Bits<W>> window;  // point -> the points that stay on the board as the anchor moves from it to `middle`

    [[nodiscard]] bool has_edges() const { return !anchor; }
    // Calls visit(cell) for each point that so many steps along a vector lead to, as far as the board goes.
    template <class Visit>
    void each_step(Cell from, int vector, int steps, Visit visit) const {
        Cell cell = Cell(from + deltas[vector]);
        for (; steps > 0 && on_board[cell]; --steps, cell = Cell(cell + deltas[vector])) visit(cell);
    }
    [[nodiscard]] Bits<W> bits(const std::vector<int>& members) const;
    // For every point, the points `least` to `most` king's steps away.
    [[nodiscard]] std::vector<Bits<W>> rings(int least, int most) const;
};

// The pieces, by number, and how they are held in hand.
//
// `info` and the tables by piece have an item for every number, those of EMPTY and WALL without meaning. Every result
// of a piece is a piece of its side. What lies on a ray in `ways` lies in `rays`, and the other way round.
template <int W>
struct PieceTable {
    // How a piece moves.
    struct Movement {
        struct Ray {
            int delta;
            uint8_t vector;
            uint8_t reach;
        };
        std::vector<Ray> leaps, slides;
        uint64_t leap_bits = 0, slide_bits = 0;
        std::vector<uint8_t> reach;  // by vector
        std::vector<LegTable> special_legs;
        bool overlaps = false;   // two of its vectors may lead to the same point
        bool may_slide = false;  // it slides, or something it may become does
    };
    // What a piece may become by its own moves.
    struct Results {
        std::array<std::vector<Change>, 4> changes;  // by class of the move
        Change usual{EMPTY, 0};      // the only one of quiet moves outside the zone; if there are several, to stay
        int zone_by = ZONE_TOUCH;    // the moves that count for the zone
        std::vector<Piece> results;  // those of `changes`, each once
    };
    // What a piece is to its side and to rules.
    struct Standing {
        bool royal = false;
        Role role = Role::NONE;
        bool keeps_to_support = false;  // as anything it may become, a rule forbids it to land without support
        int captured = -1;              // the hand slot that it goes to; -1: it leaves the game
        int value = 0;
        unsigned groups = 0;   // those of files that it belongs to
        uint64_t watched = 0;  // the watched sets that it belongs to
        bool critical = false;
    };
    // Where a piece may land and be dropped, as rules without a live condition say, and which others there are: numbers
    // of `rules`.
    struct Limits {
        Bits<W> may_land, may_drop;
        bool lands_anywhere = false;
        std::vector<int> landing_rules, drop_rules;
        std::vector<int> check_rules;  // those of drop_rules that are about check
        size_t drop_class = 0;
        bool never_checks = false;  // the only one of check_rules forbids every drop that gives check
    };
    // What it does in a game of compound moves; in others nothing of it is asked.
    struct CompoundTraits {
        std::vector<WalkTable> walks;
        std::vector<ShotTable> shots;
        Marked cannot_capture, promotes_by_capturing;
        Piece captures_promote_to = EMPTY;
        bool triggers_rules = false;  // a rule at all times, or one about becoming, is about it
        bool acts_on_arrival = false;
        bool placed = false;            // a rule at all times depends on where it stands
        bool judged = false;            // a rule about whole turns may forbid those of this piece, whatever they take
        bool loss_has_effects = false;  // what takes it may change more than points, or break a rule about whole turns
        Bits<W> may_arrive;             // where it may land as itself or as anything that it may be when its turn ends
        bool asks_landing = false;  // whether it may land somewhere depends on which of these it is, or on other pieces
        // Apart from danger and captures, its landings change nothing but two points: while its move goes on, and as
        // the last, by class as in `changes`.
        bool inert_midway = false;
        std::array<bool, 4> inert{};
        bool single = false;            // each of its moves has one landing, on points that differ
        std::optional<uint32_t> range;  // of its shots, in `ranges`
        bool far_reaching = false;      // its moves may matter to what is not in its reach
    };
    struct PieceInfo : Movement, Results, Standing, Limits, CompoundTraits {};
    struct Way {
        uint8_t vector, distance;
    };

    [[gnu::cold]] PieceTable(const RuleTables& t, const Geometry<W>& grid);

    std::vector<PieceInfo> info;
    std::vector<int> ray_vectors;   // vectors along which some piece slides
    std::vector<int> leap_vectors;  // vectors by which some piece leaps and none slides
    // point * points + point -> the ray from the one to the other; distance 0: there is none. Where some slide over two
    // steps at once and others over one, a second such table follows with the second ray, and so on.
    std::vector<Way> ways;
    bool rays_meet = false;     // there is such a second table
    std::vector<Bits<W>> rays;  // point -> the points on the rays from it
    std::vector<std::vector<int>> drops;
    std::vector<int> hand_value;
    int groups;
    int watches = 0;  // the number of watched sets
    bool has_royal = false;
    std::array<std::vector<Piece>, 2> royal_pieces;  // by side
    // Where a piece moves depends on more than its kind and what stands in its way: `sets` do not tell.
    bool irregular = false;
    // Of borrowed moves, see RuleTables:
    std::array<std::vector<int>, 2> lender_deltas;  // by the borrower's side
    bool lent_by_own, lent_by_enemy, lent_besides;

    [[nodiscard]] int hands() const { return int(drops.size()); }
    // True if the piece slides over that distance along a vector, if nothing stands between.
    [[nodiscard]] bool slides_over(Piece piece, int vector, int distance) const {
        const PieceInfo& p = info[piece];
        return p.slide_bits >> vector & 1 && p.reach[vector] >= distance;
    }
    [[nodiscard]] Marked marked(const std::vector<int>& pieces) const;
    [[nodiscard]] MarkedBySide marked(const PiecesBySide& pieces) const {
        return {marked(pieces[BLACK]), marked(pieces[WHITE])};
    }
    // The watched set of these pieces, which is added if it is new.
    WatchedSet watch(const Marked& wanted);

 private:
    void read_pieces(const RuleTables& t, const Geometry<W>& grid);
    void find_rays(const Geometry<W>& grid);
};

// What forbids single landings and drops, and what the end of a turn takes.
//
// Every number in a piece's lists of rules, in `end_rules` and in drop classes is one of `rules`; every piece has a
// drop class. An argument of a term is a number of the table that its condition names.
template <int W>
struct RoyalRules {
    struct Rule {
        bool drops_only;  // applies to drops and to nothing else
        bool about_mate;
        std::vector<Bits<W>> where;  // by piece
        std::vector<Term> terms;
        bool about_check;  // some condition asks what the piece attacks
    };
    // Pieces of one side that may be dropped on the same points, as far as no rule is about check.
    struct DropClass {
        Side side;
        Role role;
        Bits<W> may_drop;
        std::vector<int> rules;
        std::vector<Bits<W>> where;  // each applies
        bool by_roles = true;        // pieces with a role and the kinds in hand alone decide where they apply
        bool operator==(const DropClass&) const = default;
    };
    struct Near {
        bool supported;
        MarkedBySide wanted;                // by the mover's side
        std::vector<Bits<W>> around;        // point -> the points at the right distance
        Role among = Role::NONE;            // the common role of all pieces wanted, if there is one
        std::array<WatchedSet, 2> watch{};  // compound: the pieces wanted
    };

    // Adds to each piece its limits.
    [[gnu::cold]] RoyalRules(const RuleTables& t, const Geometry<W>& grid, PieceTable<W>& pieces);

    std::vector<Near> nears;
    std::vector<Rule> rules;
    std::vector<DropClass> drop_classes;
    std::vector<int> end_rules;   // those applied at the end of a turn
    bool ends_everywhere = true;  // they apply to every piece on every point
    bool single_royal;            // each side has one royal piece at most, in whose place no other can be

 private:
    void find_drop_classes(const Geometry<W>& grid, PieceTable<W>& pieces);
};

// How a game ends but by mate: by repetition, and by what stands on the board.
//
// Terms of `survives_if` and `wins_if` name tables that are here.
template <int W>
struct Ends {
    struct Stands {
        MarkedBySide wanted;  // by the piece's side
        std::array<Bits<W>, 2> region;
        bool safe;
    };
    struct Count {
        MarkedBySide wanted;  // by the side asked about
        int least, most;
        std::array<Bits<W>, 2> beyond;  // by the piece's side
    };
    struct Beside {
        MarkedBySide wanted, others;  // by the side asked about
    };

    // Watches the pieces that survival names.
    [[gnu::cold]] Ends(const RuleTables& t, const Geometry<W>& grid, PieceTable<W>& pieces);

    int repetition;
    bool perpetual_check_loses;
    std::optional<Side> repetition_loser;  // none: a draw
    bool guarded;                          // a side may not leave its survival attacked
    std::vector<std::array<std::vector<Piece>, 2>> has;
    std::vector<Stands> stands;
    std::vector<Count> counts;
    std::vector<Beside> besides;
    std::vector<std::vector<Term>> survives_if, wins_if;
    WatchedSet survival_set;  // the pieces that survives_if names

    // True if the game may end by extinction or by a goal.
    [[nodiscard]] bool ends_on_board() const { return !survives_if.empty() || !wins_if.empty(); }
};

// What rules do to moves of several landings and shots. Where there are none all of it is empty.
//
// `compound_rules` has the rules of one number in succession.
template <int W>
struct CompoundRules {
    struct Sight {
        std::array<WatchedSet, 2> lookers;  // by the side of the piece looked at
        std::array<uint64_t, 2> vectors;
        bool through;
    };
    struct CompoundRule {
        int number;  // the same for all ways in which one rule may hold, which follow each other
        std::vector<Bits<W>> where{};
        std::vector<Term> terms;
        Action action;
        std::array<uint64_t, 2> barred;
        int into;
        bool others;
        MarkedBySide targets;
        std::vector<Bits<W>> around{};     // point -> the points near enough
        WatchedSet subjects{};             // the pieces it may be about; none: any piece
        std::optional<uint32_t> danger{};  // ARRIVES: the near table without which it does not apply
    };
    struct Takes {
        MarkedBySide wanted;  // by the mover's side
        int least, most;
        bool is_protected, elsewhere;
    };
    struct Dependency {
        std::array<std::vector<Piece>, 2> needed, dependents;  // by side
        int worth;                                             // of each dependent
    };

    // Adds to each piece its traits.
    [[gnu::cold]] CompoundRules(const RuleTables& t, const Geometry<W>& grid, PieceTable<W>& pieces,
                                RoyalRules<W>& landings, const Ends<W>& ends);

    bool is_compound;
    std::array<std::vector<CompoundRule>, EVENTS> compound_rules;
    std::vector<Sight> sights;
    std::vector<Takes> takes;
    // No piece shoots, and no rule acts during a turn or at its end: what a piece can capture follows from its legs,
    // its walks and the pieces on the board.
    bool walks_alone = false;
    MarkedBySide remembered;  // see CompoundTables
    Marked captors;
    std::vector<Dependency> dependencies;
    std::vector<Bits<W>> vicinity;  // point -> the points up to three king's steps away
    std::vector<uint16_t> name_order;
    std::vector<std::vector<Bits<W>>> ranges;  // of shots: point -> the points that one may reach

    [[nodiscard]] const std::vector<CompoundRule>& on(Event event) const { return compound_rules[size_t(event)]; }

 private:
    void read_rules(const CompoundTables& t, const Geometry<W>& grid, PieceTable<W>& pieces,
                    const RoyalRules<W>& landings, const Ends<W>& ends);
    void find_judged_pieces(PieceTable<W>& pieces) const;
    void find_landings(PieceTable<W>& pieces) const;
    void find_ranges(const Geometry<W>& grid, PieceTable<W>& pieces);
    void find_inert_pieces(PieceTable<W>& pieces, const RoyalRules<W>& landings) const;
};

template <int W>
struct Rules : Geometry<W>, PieceTable<W>, RoyalRules<W>, Ends<W>, CompoundRules<W> {
    using typename PieceTable<W>::PieceInfo;
    // The moves of a piece where one to an empty point changes nothing but two points: it stays what it is or, where it
    // touches the zone, may become one thing else. All that generation reads in two lines of a cache; other pieces have
    // no such points.
    struct Quiet {
        struct Slide {
            int16_t delta, reach;
        };
        Bits<W> from;          // the points from which all its moves are such, apart from shots
        uint64_t further = 0;  // what else it may become and the flags, as in the code of a move; 0: nothing
        bool shoots = false;
        uint8_t leap_count = 0, slide_count = 0;
        std::array<int16_t, 12> leaps{};
        std::array<Slide, 8> slides{};
    };

    [[gnu::cold]] explicit Rules(const RuleTables& t);

    // The game is plain, and no piece has a role or is counted: moves are made and counted without a journal.
    bool in_place;
    SetTables<W> sets;
    std::vector<Quiet> quiet;  // of compound moves, by piece
    // By piece and point: the points on which its moves depend while they change two points at most; empty where these
    // are the ones that it reaches on an empty board.
    std::vector<std::vector<Bits<W>>> outlook;
    const uint64_t serial;  // of no other rules of this program
    // The keys of positions, at the end: they take 64 KiB, and what is read most is to lie close together.
    uint64_t side_key;
    std::vector<uint64_t> piece_keys;  // piece * points + point
    std::array<std::array<std::array<uint64_t, 256>, MAX_HAND>, 2> hand_keys;

    [[nodiscard]] uint64_t key(Piece piece, Point point) const { return piece_keys[piece * this->points + point]; }

    // True if pieces of some kinds are counted, or watched as sets of points.
    [[nodiscard]] bool counts_pieces() const { return this->is_compound || !this->has.empty(); }
    // Of compound moves: whether the turns that pieces may take are not all the legal moves that there are.
    [[nodiscard]] bool has_hands_or_royals() const { return this->has_royal || this->hands() > 0; }
    // True if a move changes nothing but its origin, target and a hand, and each side may have one royal piece at most,
    // whose safety is all that check is about.
    [[nodiscard]] bool plain() const {
        return this->single_royal && !this->is_compound && this->survives_if.empty() && this->end_rules.empty() &&
               this->has_edges();
    }
    // True if a game is about mating the one royal piece of each side, by single landings.
    [[nodiscard]] bool mates() const { return this->single_royal && !this->is_compound && this->has_royal; }
    // The class of a move of the piece in its `changes`. It starts or ends in the zone, or on the farthest rank.
    [[nodiscard]] size_t move_class(Piece piece, bool starts, bool ends, bool on_last_rank, bool captures) const {
        const int by = this->info[piece].zone_by;
        const bool in_zone = (by & ZONE_TOUCH && (starts || ends)) || (by & ZONE_ENTRY && ends && !starts) ||
                             (by & ZONE_CAPTURE && captures && (starts || ends)) ||
                             (by & ZONE_LAST_RANK && on_last_rank);
        return size_t(in_zone * 2 + captures);
    }
    [[nodiscard]] size_t move_class(Piece piece, Point from, Point to, bool captures) const {
        const Side side = side_of(piece);
        const Bits<W>& own_zone = this->zone[side];
        return move_class(piece, own_zone.test(from), own_zone.test(to), this->last_rank[side].test(to), captures);
    }
    [[nodiscard]] uint32_t site(Piece piece, Point point) const { return sets.marks[piece].site + point; }
    [[nodiscard]] const Bits<W>& leaps(Piece piece, Point from) const { return sets.reach[site(piece, from)].leaps; }
    [[nodiscard]] const Bits<W>& slides(Piece piece, Point from) const { return sets.reach[site(piece, from)].slides; }
    // Calls visit(vector, distance) for each ray from one point to another until it returns true; returns whether it
    // did.
    template <class Visit>
    [[gnu::always_inline]] bool each_ray(Point from, Point to, Visit visit) const {
        const auto across = size_t(this->points);
        for (size_t at = from * across + to; at < this->ways.size(); at += across * across) {
            const auto [vector, distance] = this->ways[at];
            if (!distance) return false;
            if (visit(vector, distance)) return true;
        }
        return false;
    }

 private:
    void make_keys();
    void find_quiet_moves(Piece piece);
    void find_outlook(Piece piece);
};

KOMADAI_EXTERN_EACH_SIZE(struct Geometry)
KOMADAI_EXTERN_EACH_SIZE(struct PieceTable)
KOMADAI_EXTERN_EACH_SIZE(struct RoyalRules)
KOMADAI_EXTERN_EACH_SIZE(struct Ends)
KOMADAI_EXTERN_EACH_SIZE(struct CompoundRules)
KOMADAI_EXTERN_EACH_SIZE(struct Rules)

}  // namespace komadai
