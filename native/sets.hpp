// What pieces reach, as sets of points: tables by class of pieces and point, derived from the rules of a variant.
//
// Pieces are of one class if they are of one side, move alike and have as many results at each point. A *site* is a
// class on a point, class * points + point: the index of most tables.
#pragma once

#include "layout.hpp"

namespace komadai {

template <int W>
struct Rules;

template <int W>
struct SetTables {
    // Targets on an empty board.
    struct Reach {
        Bits<W> leaps, slides;
    };
    // Of those targets, the ones with a result, and with several.
    struct Results {
        Bits<W> any, several;
    };
    // The rays of a site, those towards higher points first.
    struct Fan {
        uint32_t first = 0;  // in `rays`
        uint8_t up = 0, down = 0;
    };
    // By piece: what a move of it changes.
    struct Mark {
        uint32_t site = 0;  // of its class on point 0
        uint16_t part = 0;
        uint8_t royal = 2;  // its side, if it is royal
        int8_t hand = -1;   // the slot that it goes to when captured
    };
    // The pieces on the board are kept in parts: those of one side with the same answers to these.
    struct Part {
        Side side;
        bool slides, may_slide, visited;
        unsigned groups;
        int shifting;  // the class, if all of it move at once; otherwise -1
        bool operator==(const Part&) const = default;
    };
    // A class that moves by a single leap.
    struct Shift {
        uint16_t part;
        int by;
        Bits<W> from;       // the points from which it stays on the board
        Bits<W> from_zone;  // the targets of those in the zone
        int number;         // of the class
    };
    using PartList = std::vector<uint16_t>;

    [[gnu::cold]] void fill(const Rules<W>& r);

    std::vector<Mark> marks;  // by piece
    std::vector<Part> parts;
    std::array<PartList, 2> sliding, may_slide;    // by side
    std::array<PartList, 2> visited;               // each of whose moves has to be looked at
    std::vector<std::array<PartList, 2>> groups;   // by file group and side
    std::array<std::vector<Shift>, 2> shifts;      // by side
    std::vector<Reach> reach;                      // by site
    std::vector<Bits<W>> leaps_onto, slides_onto;  // by site: the points from which its class moves there
    std::vector<Results> results;                  // by site; none where moves are visited
    std::vector<Bits<W>> usual;                    // by site: targets where its usual change is the only one
    std::vector<Fan> fans, fans_onto;              // by site; the latter lead to where its class slides from
    std::vector<Fan> sights;                       // by point: all rays from it
    std::vector<Bits<W>> rays;
    // By class and whether it begins in the zone: the points with more than k results.
    std::vector<std::array<std::vector<Bits<W>>, 2>> planes;
    // By vector and point: all points of the ray, of those vectors along which some piece slides.
    std::vector<Bits<W>> ray;
    // By side and point: the points from which some leap of the side leads there, from which two do, one after the
    // other, and from which one leads there or to a target of a leap of a royal piece of the other side on the point.
    std::array<std::vector<Bits<W>>, 2> leapt_from, leapt_from_twice, leapt_beside;

    // The points between two on a ray along `vector` from the first.
    [[nodiscard]] Bits<W> between(Point first, Point last, int vector) const {
        return ray[size_t(vector) * points + first] & ray[size_t(vector ^ 1) * points + last];
    }
    // The points that the slides of a site lead to, the first piece on each ray included.
    [[nodiscard]] Bits<W> slid(uint32_t site, const Bits<W>& pieces) const { return open(fans[site], pieces); }
    // The points from which its class slides there, likewise.
    [[nodiscard]] Bits<W> slid_onto(uint32_t site, const Bits<W>& pieces) const {
        return open(fans_onto[site], pieces);
    }
    // The points in sight from a point, along the vectors along which some piece slides.
    [[nodiscard]] Bits<W> seen(Point from, const Bits<W>& pieces) const { return open(sights[from], pieces); }
    [[nodiscard]] Bits<W> reached(uint32_t site, const Bits<W>& pieces) const {
        return reach[site].leaps | slid(site, pieces);
    }

 private:
    struct Class;
    struct Spread;
    [[nodiscard]] Class describe(const Rules<W>& r, Piece piece) const;
    void add_class(const Rules<W>& r, const Class& c);
    using Ways = std::vector<std::pair<int, int>>;  // vectors and reaches
    const std::vector<Fan>& fans_along(const Rules<W>& r, Ways ways, std::vector<Spread>& known);
    void make_parts(const Rules<W>& r, const std::vector<Class>& classes);
    void find_origins(const Rules<W>& r);
    [[nodiscard, gnu::always_inline]] Bits<W> open(const Fan& fan, const Bits<W>& pieces) const {
        Bits<W> found;
        const Bits<W>* at = rays.data() + fan.first;
        for (const Bits<W>* end = at + fan.up; at != end; ++at) found |= at->up_to_first(pieces);
        for (const Bits<W>* end = at + fan.down; at != end; ++at) found |= at->down_to_last(pieces);
        return found;
    }

    size_t points = 0;
};

KOMADAI_EXTERN_EACH_SIZE(struct SetTables)

}  // namespace komadai
