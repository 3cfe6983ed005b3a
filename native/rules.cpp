#include "rules.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <stdexcept>

namespace komadai {

namespace {

// The pieces of each side.
std::array<std::vector<Piece>, 2> pieces_of(const PiecesBySide& wanted) {
    std::array<std::vector<Piece>, 2> found;
    for (size_t side = 0; side < 2; ++side)
        for (int piece : wanted[side]) found[side].push_back(Piece(piece));
    return found;
}

uint64_t next_serial() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

}  // namespace

template <int W>
Rules<W>::Rules(const RuleTables& t)
    : width(t.width),
      height(t.height),
      points(t.width * t.height),
      cells(t.cells),
      point_of(size_t(t.cells), 0),
      on_board(size_t(t.cells), false),
      deltas(t.deltas),
      info(size_t(t.pieces)),
      drops(t.drops),
      hand_value(t.hand_value),
      groups(int(t.file_groups.size())),
      anchor(Piece(t.anchor)),
      repetition(t.repetition),
      perpetual_check_loses(t.perpetual_check_loses),
      single_royal(t.single_royal),
      is_compound(t.compound.has_value()),
      repetition_loser(t.repetition_loser),
      guarded(t.guarded),
      lent_by_own(t.lent_by_own),
      lent_by_enemy(t.lent_by_enemy),
      lent_besides(t.lent_besides),
      serial(next_serial()) {
    if (points > 64 * W) throw std::invalid_argument("board too large for this instance of the core");
    if (hands() > MAX_HAND || groups > MAX_GROUPS || int(deltas.size()) > MAX_VECTORS || width >= MAX_FILES)
        throw std::invalid_argument("the rule tables exceed the limits of the core");
    read_geometry(t);
    read_pieces(t);
    read_rules(t);
    find_drop_classes();
    find_windows();
    make_keys();
    find_rays();
    read_ends(t);
    in_place = plain() && !counts_pieces() &&
               std::ranges::all_of(info, [](const PieceInfo& p) { return p.role == Role::NONE; });
    sets.fill(*this);
    if (t.compound) read_compound(*t.compound);
}

template <int W>
void Rules<W>::read_geometry(const RuleTables& t) {
    for (int point = 0; point < points; ++point) {
        cell_of.push_back(Cell(t.cell_of[point]));
        point_of[t.cell_of[point]] = Point(point);
        on_board[t.cell_of[point]] = true;
        file_of.push_back(width - point % width);
        board.set(Point(point));
        file_points[file_of.back()].set(Point(point));
    }
    middle = cell_of[points / 2];
    for (int side = 0; side < 2; ++side) {
        zone[side] = bits(t.zone[side]);
        for (int file = 0; file < width && !t.zone[side].empty(); ++file)
            last_rank[side].set(Point(side == BLACK ? file : points - 1 - file));
        zone_cells[side].resize(size_t(cells));
        for (int point : t.zone[side]) zone_cells[side][cell_of[point]] = true;
    }
    beside = rings(1, 1);
    link_reach = rings(1, t.link_reach);
}

template <int W>
void Rules<W>::read_pieces(const RuleTables& t) {
    const int vectors = int(deltas.size());
    uint64_t any_slide = 0, any_leap = 0;
    for (int piece = 0; piece < t.pieces; ++piece) {
        PieceInfo& p = info[piece];
        p.leap_bits = t.leaps[piece];
        p.slide_bits = t.slides[piece];
        any_leap |= p.leap_bits;
        any_slide |= p.slide_bits;
        for (int v = 0; v < vectors; ++v) {
            auto reach = uint8_t(t.reach[piece * vectors + v]);
            p.reach.push_back(reach);
            if (p.leap_bits >> v & 1) p.leaps.push_back({deltas[v], uint8_t(v), 1});
            if (p.slide_bits >> v & 1) p.slides.push_back({deltas[v], uint8_t(v), reach});
        }
        p.special_legs = t.special_legs[piece];
        irregular |= !p.special_legs.empty();
        for (size_t move_class = 0; move_class < 4; ++move_class) p.changes[move_class] = t.changes[piece][move_class];
        p.usual = p.changes[0].size() == 1 ? p.changes[0][0] : Change{Piece(piece), 0};
        for (const auto& changes : p.changes)
            for (const Change& change : changes)
                if (std::ranges::find(p.results, change.piece) == p.results.end()) p.results.push_back(change.piece);
        p.zone_by = t.zone_by[piece];
        p.royal = t.royal[piece];
        has_royal |= p.royal;
        if (p.royal) royal_pieces[side_of(Piece(piece))].push_back(Piece(piece));
        p.role = t.roots[piece] ? Role::ROOT : t.links[piece] ? Role::LINK : Role::NONE;
        p.overlaps = t.overlaps[piece];
        p.captured = t.captured[piece];
        p.value = t.value[piece];
        p.may_land = bits(t.may_land[piece]);
        p.lands_anywhere = p.may_land == board;
        p.may_drop = bits(t.may_drop[piece]);
    }
    for (size_t side = 0; side < 2; ++side)
        for (const int vector : t.lender_vectors[side]) lender_deltas[side].push_back(deltas[vector]);
    irregular |= !lender_deltas[0].empty();
    for (PieceInfo& p : info)
        p.may_slide = p.slide_bits || std::ranges::any_of(p.results, [&](Piece one) { return info[one].slide_bits; });
    for (int group = 0; group < groups; ++group)
        for (int kind : t.file_groups[group])
            for (Side side : {BLACK, WHITE}) info[piece_of(kind, side)].groups |= 1u << group;
    for (int v = 0; v < vectors; ++v) {
        // A piece is looked for along the opposites of the vectors by which it moves.
        if ((any_slide >> v | any_slide >> (v ^ 1)) & 1)
            ray_vectors.push_back(v);
        else if ((any_leap >> v | any_leap >> (v ^ 1)) & 1)
            leap_vectors.push_back(v);
    }
}

template <int W>
void Rules<W>::read_rules(const RuleTables& t) {
    for (const NearTable& table : t.nears) {
        Near near{table.supported, {marked(table.wanted[0]), marked(table.wanted[1])}, rings(table.least, table.most)};
        for (Role role : {Role::ROOT, Role::LINK}) {
            auto has_role = [&](int piece) { return info[piece].role == role; };
            if (std::ranges::all_of(table.wanted[0], has_role) && std::ranges::all_of(table.wanted[1], has_role))
                near.among = role;
        }
        nears.push_back(std::move(near));
    }
    for (const RuleTable& table : t.rules) {
        auto happens = [&](Event event) { return std::ranges::find(table.events, event) != table.events.end(); };
        Rule rule{happens(Event::DROPS) && table.events.size() == 1, table.about_mate, {}, table.terms, false};
        for (const Term& term : rule.terms)
            rule.about_check |= term.condition == Condition::GIVES_CHECK || term.condition == Condition::MATES;
        if (happens(Event::TURN_END)) end_rules.push_back(int(rules.size()));
        for (int piece = 0; piece < t.pieces; ++piece) {
            rule.where.push_back(bits(table.where[piece]));
            if (happens(Event::TURN_END) && is_piece(Piece(piece))) {
                // Roots, which always have support, are left out by rules about pieces without it.
                const bool spared = info[piece].role == Role::ROOT && !rule.where.back().any() &&
                                    std::ranges::any_of(rule.terms, [](const Term& term) {
                                        return term.condition == Condition::SUPPORTED && !term.expected;
                                    });
                ends_everywhere &= spared || rule.where.back() == board;
            }
            if (!rule.where.back().any()) continue;
            if (happens(Event::DROPS)) info[piece].drop_rules.push_back(int(rules.size()));
            if (happens(Event::LANDS)) info[piece].landing_rules.push_back(int(rules.size()));
        }
        rules.push_back(std::move(rule));
    }
    for (PieceInfo& p : info) p.keeps_to_support = p.role == Role::NONE && lands_on_support(p);
}

template <int W>
void Rules<W>::find_drop_classes() {
    for (size_t piece = 0; piece < info.size(); ++piece) {
        if (!is_piece(Piece(piece))) continue;
        PieceInfo& p = info[piece];
        DropClass found{side_of(Piece(piece)), p.role, p.may_drop, {}, {}};
        for (int index : p.drop_rules) {
            const Rule& rule = rules[index];
            (rule.about_check ? p.check_rules : found.rules).push_back(index);
            if (rule.about_check) continue;
            found.where.push_back(rule.where[piece]);
            found.by_roles &= !rule.about_mate && std::ranges::all_of(rule.terms, [&](const Term& term) {
                return term.condition == Condition::IN_HAND || term.condition == Condition::SUPPORTED ||
                       (term.condition == Condition::NEAR && nears[size_t(term.argument)].among != Role::NONE);
            });
        }
        if (p.check_rules.size() == 1) {
            const Rule& rule = rules[p.check_rules[0]];
            p.never_checks = rule.where[piece] == board && !rule.about_mate && rule.terms.size() == 1 &&
                             rule.terms[0].condition == Condition::GIVES_CHECK && rule.terms[0].expected;
        }
        const auto same = std::ranges::find(drop_classes, found);
        p.drop_class = size_t(same - drop_classes.begin());
        if (same == drop_classes.end()) drop_classes.push_back(found);
    }
}

template <int W>
void Rules<W>::find_windows() {
    if (anchor == EMPTY) return;
    for (const Cell from : cell_of) {
        Bits<W>& stay = window.emplace_back();
        for (const Cell cell : cell_of) {
            const int to = cell + middle - from;
            if (to >= 0 && to < cells && on_board[to]) stay.set(point_of[cell]);
        }
    }
}

template <int W>
void Rules<W>::make_keys() {
    for (size_t piece = 0; piece < info.size(); ++piece)
        for (int point = 0; point < points; ++point)
            piece_keys.push_back(piece == EMPTY ? 0 : mix(uint64_t(piece) << 32 | uint64_t(point)));
    for (uint64_t side = 0; side < 2; ++side)
        for (uint64_t slot = 0; slot < MAX_HAND; ++slot)
            for (uint64_t count = 0; count < 256; ++count)
                hand_keys[side][slot][count] = count ? mix(uint64_t(1) << 60 | side << 50 | slot << 40 | count) : 0;
    side_key = mix(uint64_t(1) << 61);
}

// Fills the tables of rays.
template <int W>
void Rules<W>::find_rays() {
    const size_t pairs = size_t(points) * size_t(points);
    ways.resize(pairs);
    rays.resize(size_t(points));
    for (int point = 0; point < points; ++point)
        for (int v : ray_vectors) {
            uint8_t distance = 0;
            each_step(cell_of[point], v, UINT8_MAX, [&](Cell cell) {
                auto at = size_t(point * points + point_of[cell]);
                while (at < ways.size() && ways[at].distance) at += pairs;
                if (at >= ways.size()) {
                    ways.resize(ways.size() + pairs);
                    rays_meet = true;
                }
                ways[at] = {uint8_t(v), ++distance};
                rays[size_t(point)].set(point_of[cell]);
            });
        }
}

template <int W>
void Rules<W>::read_ends(const RuleTables& t) {
    survives_if = t.survives_if;
    wins_if = t.wins_if;
    survival_set = watch({t.survival_pieces.begin(), t.survival_pieces.end()});
    for (const PiecesBySide& wanted : t.has) has.push_back(pieces_of(wanted));
    for (const StandsTable& table : t.stands)
        stands.push_back({{marked(table.wanted[0]), marked(table.wanted[1])},
                          {bits(table.region[0]), bits(table.region[1])},
                          table.safe});
    for (const CountTable& table : t.counts)
        counts.push_back({{marked(table.wanted[0]), marked(table.wanted[1])},
                          table.least,
                          table.most,
                          {bits(table.beyond[0]), bits(table.beyond[1])}});
    for (const BesideTable& table : t.besides)
        besides.push_back(
            {{marked(table.wanted[0]), marked(table.wanted[1])}, {marked(table.others[0]), marked(table.others[1])}});
    for (size_t piece = 0; piece < info.size(); ++piece) info[piece].critical = t.critical[piece];
}

template <int W>
void Rules<W>::read_compound(const CompoundTables& t) {
    for (int order : t.name_order) name_order.push_back(uint16_t(order));
    vicinity = rings(1, 3);
    for (const DependencyTable& table : t.dependencies)
        dependencies.push_back({pieces_of(table.needed), pieces_of(table.dependents), table.worth});
    for (Near& near : nears)
        for (size_t side = 0; side < 2; ++side) near.watch[side] = watch(near.wanted[side]);
    for (const SightTable& table : t.sights)
        sights.push_back(
            {{watch(marked(table.lookers[0])), watch(marked(table.lookers[1]))}, table.vectors, table.through});
    for (const TakesTable& table : t.takes)
        takes.push_back({{marked(table.wanted[0]), marked(table.wanted[1])},
                         table.least,
                         table.most,
                         table.is_protected,
                         table.elsewhere});
    remembered = {marked(t.remembered[0]), marked(t.remembered[1])};
    captors = {t.captors.begin(), t.captors.end()};
    for (size_t piece = 0; piece < info.size(); ++piece) {
        PieceInfo& p = info[piece];
        p.walks = t.walks[piece];
        p.shots = t.shots[piece];
        if (!t.cannot_capture[piece].empty()) p.cannot_capture = marked(t.cannot_capture[piece]);
        p.promotes_by_capturing = marked(t.promotes_by_capturing[piece]);
        p.captures_promote_to = Piece(t.captures_promote_to[piece]);
    }
    read_compound_rules(t);
    find_judged_pieces();
    find_landings();
    find_ranges();
    find_inert_pieces();
    walks_alone = end_rules.empty() &&
                  std::ranges::all_of(compound_rules, [](const auto& same_event) { return same_event.empty(); }) &&
                  std::ranges::all_of(info, [](const PieceInfo& p) {
                      return p.shots.empty() && p.landing_rules.empty() && (p.walks.empty() || !p.asks_landing);
                  });
}

template <int W>
void Rules<W>::read_compound_rules(const CompoundTables& t) {
    const size_t pieces = info.size();
    auto is_near = [](const Term& term) { return term.condition == Condition::NEAR; };
    for (const CompoundRuleTable& table : t.rules) {
        CompoundRule rule{table.number,
                          {},
                          table.terms,
                          table.action,
                          table.barred,
                          table.into,
                          table.others,
                          {marked(table.targets[0]), marked(table.targets[1])},
                          {}};
        if (rule.others) rule.around = rings(1, table.most);
        std::vector<uint8_t> subjects(pieces, 0);
        bool any_piece = true;
        for (size_t piece = 0; piece < pieces; ++piece) {
            rule.where.push_back(bits(table.where[piece]));
            subjects[piece] = rule.where.back().any();
            any_piece &= subjects[piece] || piece <= WALL;
        }
        if (!any_piece) rule.subjects = watch(subjects);
        const bool always = table.event == Event::AT_ALL_TIMES;
        for (const Term& term : rule.terms) {
            const auto at = size_t(term.argument);
            if (term.condition == Condition::NEAR && term.expected) rule.danger = term.argument;
            for (size_t piece = 0; always && piece < pieces; ++piece)
                for (size_t side = 0; side < 2; ++side) {
                    info[piece].placed |=
                        term.condition == Condition::IN_SIGHT || (is_near(term) && nears[at].wanted[side][piece]);
                    info[piece].triggers_rules |=
                        (term.condition == Condition::NEAR && nears[at].wanted[side][piece]) ||
                        (term.condition == Condition::HAS && std::ranges::count(has[at][side], Piece(piece)) > 0);
                }
        }
        for (size_t piece = 0; piece < pieces; ++piece) {
            if (!subjects[piece]) continue;
            if (always || table.event == Event::BECAME) info[piece].triggers_rules = true;
            info[piece].placed |= always && (rule.where[piece] != board || std::ranges::any_of(rule.terms, is_near));
            if (table.event == Event::ARRIVES && rule.danger < 0) info[piece].acts_on_arrival = true;
        }
        compound_rules[size_t(table.event)].push_back(std::move(rule));
    }
}

// Finds the pieces whose turns rules about whole turns may forbid, and those that such a rule asks to be taken.
template <int W>
void Rules<W>::find_judged_pieces() {
    for (PieceInfo& p : info) p.upsets = p.triggers_rules || p.captured >= 0;
    for (const CompoundRule& rule : on(Event::WHOLE_TURN)) {
        const auto asked = std::ranges::find_if(
            rule.terms, [](const Term& term) { return term.condition == Condition::TAKES && term.expected; });
        for (size_t piece = 0; piece < info.size(); ++piece) {
            if (asked == rule.terms.end())
                info[piece].judged |= rule.where[piece].any();
            else
                for (const auto& wanted : takes[size_t(asked->argument)].wanted)
                    info[piece].upsets |= bool(wanted[piece]);
        }
    }
}

// Finds what each piece may be when its turn ends, and where it may land as any of that.
template <int W>
void Rules<W>::find_landings() {
    for (size_t piece = 0; piece < info.size(); ++piece) {
        if (!is_piece(Piece(piece))) continue;
        PieceInfo& p = info[piece];
        std::vector<Piece> found{Piece(piece)};
        auto add = [&](Piece one) {
            if (one != EMPTY && std::ranges::find(found, one) == found.end()) found.push_back(one);
        };
        for (size_t done = 0; done < found.size();) {  // what is found in between comes after
            const Piece one = found[done++];
            for (const Piece result : info[one].results) add(result);
            add(info[one].captures_promote_to);
            for (const auto& same_event : compound_rules)
                for (const CompoundRule& rule : same_event)
                    if (rule.action == Action::BECOME &&
                        (rule.others ? rule.targets[0][one] || rule.targets[1][one] : rule.where[one].any()))
                        add(piece_of(rule.into, side_of(one)));
        }
        for (const Piece one : found) {
            p.may_arrive |= info[one].may_land;
            p.asks_landing |= info[one].may_land != p.may_land || !info[one].landing_rules.empty();
        }
    }
}

template <int W>
void Rules<W>::find_inert_pieces() {
    // Danger is found when a turn begins; where it might grow during the move, no landing of a walk is inert.
    bool danger_grows = false;
    for (const CompoundRule& arrival : on(Event::ARRIVES))
        for (const auto& same_event : compound_rules)
            for (const CompoundRule& rule : same_event)
                for (Side side : {BLACK, WHITE})
                    danger_grows |= rule.action == Action::BECOME && arrival.danger >= 0 &&
                                    (nears[size_t(arrival.danger)].wanted[0][piece_of(rule.into, side)] ||
                                     nears[size_t(arrival.danger)].wanted[1][piece_of(rule.into, side)]);
    quiet.resize(info.size());
    outlook.resize(info.size());
    for (size_t piece = 0; piece < info.size(); ++piece) {
        PieceInfo& p = info[piece];
        auto becomes_quietly = [&](Piece into) {
            return info[into].landing_rules.empty() &&
                   (into == piece || (!info[into].triggers_rules && !p.triggers_rules));
        };
        p.calm = !(danger_grows && !p.walks.empty()) && !p.acts_on_arrival && !p.placed && !p.judged;
        // What the end of a turn takes depends on the whole board.
        for (size_t move_class = 0; move_class < 4; ++move_class)
            p.inert[move_class] = p.calm && end_rules.empty() && p.landing_rules.empty() &&
                                  (move_class % 2 == 0 || becomes_quietly(p.captures_promote_to)) &&
                                  std::ranges::all_of(p.changes[move_class], becomes_quietly, &Change::piece);
        const bool shoots_at_once = !p.shots.empty() && p.shots.front().standing != StandingShot::NEVER;
        p.single = p.walks.empty() && !shoots_at_once && !p.overlaps && end_rules.empty();
        auto triggers = [&](Piece into) { return info[into].triggers_rules; };
        p.far_reaching = p.range >= 0 || p.acts_on_arrival || p.triggers_rules || triggers(p.captures_promote_to) ||
                         std::ranges::any_of(p.results, triggers);
        if (is_piece(Piece(piece)) && p.single) find_quiet_moves(Piece(piece));
        if (is_piece(Piece(piece))) find_outlook(Piece(piece));
    }
}

template <int W>
void Rules<W>::find_quiet_moves(Piece piece) {
    const PieceInfo& p = info[piece];
    Quiet& found = quiet[piece];
    auto stays = [&](const Change& change) { return change.piece == piece && !change.flags; };
    const auto &outside = p.changes[0], &touching = p.changes[2];
    const bool quiet_outside = p.inert[0] && outside.size() == 1 && stays(outside[0]);
    const bool quiet_in_zone = p.inert[2] && !touching.empty() && touching.size() <= 2 && stays(touching[0]);
    const bool fits = p.leaps.size() <= found.leaps.size() && p.slides.size() <= found.slides.size();
    if (!fits || !p.lands_anywhere || p.asks_landing) return;
    found.shoots = p.range >= 0;
    for (const Ray& leap : p.leaps) found.leaps[found.leap_count++] = int16_t(leap.delta);
    for (const Ray& slide : p.slides) found.slides[found.slide_count++] = {int16_t(slide.delta), slide.reach};
    if (touching.size() == 2 && p.zone_by == ZONE_TOUCH)
        found.further = Move{0, 0, touching[1].piece, touching[1].flags}.code();
    const Bits<W>& touched = zone[side_of(piece)];
    for (int point = 0; point < points; ++point) {
        const auto& leads = sets.reach[site(piece, Point(point))];
        const Bits<W> targets = leads.leaps | leads.slides;
        const bool inside = touched.test(Point(point)), may_touch = inside || targets.meets(touched);
        if (p.zone_by != ZONE_TOUCH) {
            // What counts for the zone depends on more than the two points; outside none of its moves does.
            if (quiet_outside && !may_touch) found.from.set(Point(point));
        } else if ((inside || quiet_outside) && (!may_touch || quiet_in_zone)) {
            found.from.set(Point(point));
        }
    }
}

template <int W>
void Rules<W>::find_outlook(Piece piece) {
    const PieceInfo& p = info[piece];
    if (p.walks.empty() && p.range < 0) return;
    for (int point = 0; point < points; ++point) {
        const auto& leads = sets.reach[site(piece, Point(point))];
        Bits<W>& all = outlook[piece].emplace_back(leads.leaps | leads.slides);
        if (p.range >= 0) {
            const Bits<W> targets = all;
            targets.each([&](Point to) { return all |= ranges[size_t(p.range)][to], false; });
        }
        for (const WalkTable& walk : p.walks) {
            uint64_t vectors = walk.first;
            for (const uint64_t next : walk.next) vectors |= next;
            Bits<W> last = Bits<W>::only(Point(point));
            for (int landing = 0; landing < walk.most; ++landing) {
                Bits<W> next;
                last.each([&](Point from) {
                    for (uint64_t left = vectors; left; left &= left - 1)
                        each_step(cell_of[from], std::countr_zero(left), 1, [&](Cell to) { next.set(point_of[to]); });
                    return false;
                });
                all |= last = next;
            }
        }
    }
}

template <int W>
void Rules<W>::find_ranges() {
    for (PieceInfo& p : info) {
        if (p.shots.empty()) continue;
        const ShotTable& shot = p.shots.front();
        std::vector<Bits<W>> range(static_cast<size_t>(points));
        for (int point = 0; point < points; ++point)
            for (int vector : shot.vectors)
                each_step(cell_of[point], vector, shot.reach, [&](Cell to) { range[size_t(point)].set(point_of[to]); });
        const auto known = std::ranges::find(ranges, range);
        p.range = int(known - ranges.begin());
        if (known == ranges.end()) ranges.push_back(std::move(range));
    }
}

// The index of the watched set of these pieces, which is added if it is new; -1 for no pieces.
template <int W>
int Rules<W>::watch(const std::vector<uint8_t>& wanted) {
    if (std::ranges::none_of(wanted, [](uint8_t is) { return is; })) return -1;
    for (int set = 0; set < watches; ++set) {
        bool same = true;
        for (size_t piece = 0; piece < info.size(); ++piece) same &= (info[piece].watched >> set & 1) == wanted[piece];
        if (same) return set;
    }
    if (watches == 64) throw std::invalid_argument("the rules watch more sets of pieces than the core holds");
    for (size_t piece = 0; piece < info.size(); ++piece)
        if (wanted[piece]) info[piece].watched |= uint64_t(1) << watches;
    return watches++;
}

template <int W>
Bits<W> Rules<W>::bits(const std::vector<int>& members) const {
    Bits<W> set;
    for (int point : members) set.set(Point(point));
    return set;
}

// One flag by piece: whether it is in the list.
template <int W>
std::vector<uint8_t> Rules<W>::marked(const std::vector<int>& pieces) const {
    std::vector<uint8_t> flags(info.size(), 0);
    for (int piece : pieces) flags[size_t(piece)] = 1;
    return flags;
}

template <int W>
bool Rules<W>::lands_on_support(const PieceInfo& mover) const {
    auto forbids = [&](Piece piece, int index) {
        const Rule& rule = rules[index];
        return rule.where[piece] == board && rule.terms.size() == 1 &&
               rule.terms[0].condition == Condition::SUPPORTED && !rule.terms[0].expected;
    };
    return std::ranges::all_of(mover.changes, [&](const std::vector<Change>& changes) {
        return std::ranges::all_of(changes, [&](const Change& change) {
            const PieceInfo& result = info[change.piece];
            return result.role == Role::NONE &&
                   std::ranges::any_of(result.landing_rules, [&](int index) { return forbids(change.piece, index); });
        });
    });
}

// For every point, the points `least` to `most` king's steps away.
template <int W>
std::vector<Bits<W>> Rules<W>::rings(int least, int most) const {
    std::vector<Bits<W>> found(size_t(points), Bits<W>{});
    for (int a = 0; a < points; ++a)
        for (int b = 0; b < points; ++b) {
            const int distance = std::max(std::abs(a % width - b % width), std::abs(a / width - b / width));
            if (distance >= least && distance <= most) found[a].set(Point(b));
        }
    return found;
}

KOMADAI_FOR_EACH_SIZE(struct Rules)

}  // namespace komadai
