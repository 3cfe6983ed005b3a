// A variant as the core plays it: immutable tables, built once from its RuleTables.
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

template <int W>
struct Rules {
    struct Ray {
        int delta;
        uint8_t vector;
        uint8_t reach;
    };
    struct Rule {
        bool drops_only;  // applies to drops and to nothing else
        bool about_mate;
        std::vector<Bits<W>> where;  // by piece
        std::vector<Term> terms;
        bool about_check;  // some condition asks what the piece attacks
    };
    struct PieceInfo {
        std::vector<Ray> leaps, slides;
        uint64_t leap_bits = 0, slide_bits = 0;
        std::vector<uint8_t> reach;
        std::array<std::vector<Change>, 4> changes;
        Change usual{EMPTY, 0};      // the only one of quiet moves outside the zone; if there are several, to stay
        int zone_by = ZONE_TOUCH;    // the moves that count for the zone
        std::vector<Piece> results;  // those of `changes`, each once
        bool overlaps = false;       // two of its vectors may lead to the same point
        bool royal = false;
        bool may_slide = false;         // it slides, or something it may become does
        bool keeps_to_support = false;  // as anything it may become, a rule forbids it to land without support
        Role role = Role::NONE;
        int captured = -1;
        int value = 0;
        unsigned groups = 0;
        Bits<W> may_land, may_drop;
        bool lands_anywhere = false;
        std::vector<int> landing_rules, drop_rules;  // indices into `rules`
        std::vector<int> check_rules;                // those of drop_rules that are about check
        size_t drop_class = 0;
        bool never_checks = false;  // the only one of check_rules forbids every drop that gives check
        // Of compound moves:
        std::vector<WalkTable> walks;
        std::vector<ShotTable> shots;
        std::vector<uint8_t> cannot_capture;         // by piece; empty if it can capture every piece
        std::vector<uint8_t> promotes_by_capturing;  // by piece
        Piece captures_promote_to = EMPTY;
        uint64_t watched = 0;  // the watched sets that it belongs to
        bool critical = false;
        bool triggers_rules = false;  // a rule at all times, or one about becoming, is about it
        bool acts_on_arrival = false;
        bool placed = false;        // a rule at all times depends on where it stands
        bool judged = false;        // a rule about whole turns may forbid those of this piece, whatever they take
        bool upsets = false;        // what takes it may change more than points, or break a rule about whole turns
        Bits<W> may_arrive;         // where it may land as itself or as anything that it may be when its turn ends
        bool asks_landing = false;  // whether it may land somewhere depends on which of these it is, or on other pieces
        // Apart from danger and captures, its landings change nothing but two points: while its move goes on, and as
        // the last, by class as in `changes`.
        bool calm = false;
        std::array<bool, 4> inert{};
        bool single = false;        // each of its moves has one landing, on points that differ
        int range = -1;             // of its shots, in `ranges`
        bool far_reaching = false;  // its moves may matter to what is not in its reach
        std::vector<LegTable> special_legs;
    };
    // Pieces of one side that may be dropped on the same points, as far as no rule is about check.
    struct DropClass {
        Side side;
        Role role;
        Bits<W> may_drop;
        std::vector<int> rules;      // indices into `rules`
        std::vector<Bits<W>> where;  // each applies
        bool by_roles = true;        // pieces with a role and the kinds in hand alone decide where they apply
        bool operator==(const DropClass&) const = default;
    };
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
    struct Sight {
        std::array<int, 2> lookers;  // watched sets, by the side of the piece looked at
        std::array<uint64_t, 2> vectors;
        bool through;
    };
    struct CompoundRule {
        int number;  // the same for all ways in which one rule may hold, which follow each other
        std::vector<Bits<W>> where;
        std::vector<Term> terms;
        Action action;
        std::array<uint64_t, 2> barred;
        int into;
        bool others;
        std::array<std::vector<uint8_t>, 2> targets;
        std::vector<Bits<W>> around;  // point -> the points near enough
        int subjects = -1;            // the watched set of the pieces it may be about; -1: any piece
        int danger = -1;              // ARRIVES: the near table without which it does not apply; -1: none
    };
    struct Stands {
        std::array<std::vector<uint8_t>, 2> wanted;  // by the piece's side, and piece
        std::array<Bits<W>, 2> region;
        bool safe;
    };
    struct Takes {
        std::array<std::vector<uint8_t>, 2> wanted;  // by the mover's side and piece
        int least, most;
        bool is_protected, elsewhere;
    };
    struct Count {
        std::array<std::vector<uint8_t>, 2> wanted;  // by the side asked about, and piece
        int least, most;
        std::array<Bits<W>, 2> beyond;  // by the piece's side
    };
    struct Beside {
        std::array<std::vector<uint8_t>, 2> wanted, others;  // by the side asked about, and piece
    };
    struct Way {
        uint8_t vector, distance;
    };
    struct Near {
        bool supported;
        std::array<std::vector<uint8_t>, 2> wanted;  // by the mover's side and piece
        std::vector<Bits<W>> around;                 // point -> the points at the right distance
        Role among = Role::NONE;                     // the common role of all pieces wanted, if there is one
        std::array<int, 2> watch{-1, -1};            // compound: the watched sets of the pieces wanted
    };
    struct Dependency {
        std::array<std::vector<Piece>, 2> needed, dependents;  // by side
        int worth;                                             // of each dependent
    };

    explicit Rules(const RuleTables& t);

    int width, height, points, cells;
    std::vector<Cell> cell_of;
    std::vector<Point> point_of;
    std::vector<uint8_t> on_board;  // by cell: whether it is a point; the others are walls
    std::vector<int> file_of;       // point -> file from 1
    std::vector<int> deltas;
    std::vector<int> ray_vectors;   // vectors along which some piece slides
    std::vector<int> leap_vectors;  // vectors by which some piece leaps and none slides
    std::vector<PieceInfo> info;
    // point * points + point -> the ray from the one to the other; distance 0: there is none. Where some slide over two
    // steps at once and others over one, a second such table follows with the second ray, and so on.
    std::vector<Way> ways;
    bool rays_meet = false;     // there is such a second table
    std::vector<Bits<W>> rays;  // point -> the points on the rays from it
    SetTables<W> sets;
    std::array<Bits<W>, 2> zone, last_rank;
    std::array<std::vector<uint8_t>, 2> zone_cells;  // by cell: whether it is in the zone
    Bits<W> board;                                   // every point
    std::array<Bits<W>, MAX_FILES> file_points{};
    std::vector<std::vector<int>> drops;
    std::vector<int> hand_value;
    int groups;
    std::vector<Near> nears;
    std::vector<Bits<W>> beside;      // point -> the points a king's step away
    std::vector<Bits<W>> link_reach;  // point -> the points where a root there supports links
    std::vector<Rule> rules;
    std::vector<DropClass> drop_classes;
    std::vector<int> end_rules;   // indices into `rules` of those applied at the end of a turn
    bool ends_everywhere = true;  // they apply to every piece on every point
    Piece anchor;                 // stands on `middle` once it is on the board; EMPTY: the board has edges
    Cell middle;
    std::vector<Bits<W>> window;  // point -> the points that stay on the board as the anchor moves from it to `middle`
    int repetition;
    bool perpetual_check_loses, single_royal;
    bool has_royal = false;
    std::array<std::vector<Piece>, 2> royal_pieces;  // by side
    // The game is plain, and no piece has a role or is counted: moves are made and counted without a journal.
    bool in_place = false;
    std::vector<uint64_t> piece_keys;  // piece * points + point
    std::array<std::array<std::array<uint64_t, 256>, MAX_HAND>, 2> hand_keys;
    uint64_t side_key;
    // Of ends by what stands on the board:
    std::vector<std::array<std::vector<Piece>, 2>> has;
    std::vector<Stands> stands;
    std::vector<Count> counts;
    std::vector<Beside> besides;
    std::vector<std::vector<Term>> survives_if, wins_if;
    int survival_set = -1;  // the watched set of the pieces that survives_if names
    // Of compound moves:
    bool is_compound;
    std::array<std::vector<CompoundRule>, EVENTS> compound_rules;
    std::vector<Sight> sights;
    std::vector<Takes> takes;
    // No piece shoots, and no rule acts during a turn or at its end: what a piece can capture follows from its legs,
    // its walks and the pieces on the board.
    bool walks_alone = false;
    std::array<std::vector<uint8_t>, 2> remembered;  // see CompoundTables
    std::vector<uint8_t> captors;
    std::vector<Dependency> dependencies;
    std::vector<Bits<W>> vicinity;  // point -> the points up to three king's steps away
    int watches = 0;                // the number of watched sets
    std::vector<uint16_t> name_order;
    std::vector<std::vector<Bits<W>>> ranges;  // of shots: point -> the points that one may reach
    std::vector<Quiet> quiet;                  // by piece
    // By piece and point: the points on which its moves depend while they change two points at most; empty where these
    // are the ones that it reaches on an empty board.
    std::vector<std::vector<Bits<W>>> outlook;
    int repetition_loser;
    bool guarded;  // a side may not leave its survival attacked
    // Where a piece moves depends on more than its kind and what stands in its way: `sets` do not tell.
    bool irregular = false;
    // Of borrowed moves, see RuleTables:
    std::array<std::vector<int>, 2> lender_deltas;  // by the borrower's side
    bool lent_by_own, lent_by_enemy, lent_besides;
    const uint64_t serial;  // of no other rules of this program

    [[nodiscard]] int hands() const { return int(drops.size()); }
    [[nodiscard]] const std::vector<CompoundRule>& on(Event event) const { return compound_rules[size_t(event)]; }
    [[nodiscard]] uint64_t key(Piece piece, Point point) const { return piece_keys[piece * points + point]; }

    // True if the game may end by extinction or by a goal.
    [[nodiscard]] bool ends_on_board() const { return !survives_if.empty() || !wins_if.empty(); }
    // True if pieces of some kinds are counted, or watched as sets of points.
    [[nodiscard]] bool counts_pieces() const { return is_compound || !has.empty(); }
    // Of compound moves: whether the turns that pieces may take are not all the legal moves that there are.
    [[nodiscard]] bool has_hands_or_royals() const { return has_royal || hands() > 0; }
    // True if a move changes nothing but its origin, target and a hand, and each side may have one royal piece at most,
    // whose safety is all that check is about.
    [[nodiscard]] bool plain() const {
        return single_royal && !is_compound && survives_if.empty() && end_rules.empty() && anchor == EMPTY;
    }
    // True if a game is about mating the one royal piece of each side, by single landings.
    [[nodiscard]] bool mates() const { return single_royal && !is_compound && has_royal; }
    // The class of a move of the piece in PieceInfo::changes. It starts or ends in the zone, or on the farthest rank.
    [[nodiscard]] size_t move_class(Piece piece, bool starts, bool ends, bool on_last_rank, bool captures) const {
        const int by = info[piece].zone_by;
        const bool in_zone = (by & ZONE_TOUCH && (starts || ends)) || (by & ZONE_ENTRY && ends && !starts) ||
                             (by & ZONE_CAPTURE && captures && (starts || ends)) ||
                             (by & ZONE_LAST_RANK && on_last_rank);
        return size_t(in_zone * 2 + captures);
    }
    [[nodiscard]] size_t move_class(Piece piece, Point from, Point to, bool captures) const {
        const Side side = side_of(piece);
        return move_class(piece, zone[side].test(from), zone[side].test(to), last_rank[side].test(to), captures);
    }
    [[nodiscard]] uint32_t site(Piece piece, Point point) const { return sets.marks[piece].site + point; }
    [[nodiscard]] const Bits<W>& leaps(Piece piece, Point from) const { return sets.reach[site(piece, from)].leaps; }
    [[nodiscard]] const Bits<W>& slides(Piece piece, Point from) const { return sets.reach[site(piece, from)].slides; }
    // True if the piece slides over that distance along a vector, if nothing stands between.
    [[nodiscard]] bool slides_over(Piece piece, int vector, int distance) const {
        const PieceInfo& p = info[piece];
        return p.slide_bits >> vector & 1 && p.reach[vector] >= distance;
    }
    // Calls visit(cell) for each point that so many steps along a vector lead to, as far as the board goes.
    template <class Visit>
    void each_step(Cell from, int vector, int steps, Visit visit) const {
        Cell cell = Cell(from + deltas[vector]);
        for (; steps > 0 && on_board[cell]; --steps, cell = Cell(cell + deltas[vector])) visit(cell);
    }
    // Calls visit(vector, distance) for each ray from one point to another until it returns true; returns whether it
    // did.
    template <class Visit>
    [[gnu::always_inline]] bool each_ray(Point from, Point to, Visit visit) const {
        const size_t each = size_t(points) * size_t(points);
        for (size_t at = size_t(from * points + to); at < ways.size(); at += each) {
            if (!ways[at].distance) return false;
            if (visit(ways[at].vector, ways[at].distance)) return true;
        }
        return false;
    }

 private:
    void read_geometry(const RuleTables& t);
    void read_pieces(const RuleTables& t);
    void read_rules(const RuleTables& t);
    void find_drop_classes();
    void find_windows();
    void make_keys();
    void find_rays();
    void read_ends(const RuleTables& t);
    void read_compound(const CompoundTables& t);
    void read_compound_rules(const CompoundTables& t);
    void find_judged_pieces();
    void find_landings();
    void find_ranges();
    void find_inert_pieces();
    void find_quiet_moves(Piece piece);
    void find_outlook(Piece piece);
    int watch(const std::vector<uint8_t>& wanted);
    [[nodiscard]] Bits<W> bits(const std::vector<int>& members) const;
    [[nodiscard]] std::vector<uint8_t> marked(const std::vector<int>& pieces) const;
    [[nodiscard]] bool lands_on_support(const PieceInfo& mover) const;
    [[nodiscard]] std::vector<Bits<W>> rings(int least, int most) const;
};

KOMADAI_EXTERN_EACH_SIZE(struct Rules)

}  // namespace komadai
