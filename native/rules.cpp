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

bool contains(const auto& items, const auto& item) { return std::ranges::find(items, item) != items.end(); }

uint64_t next_serial() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

}  // namespace

// --- The board ---

template <int W>
Geometry<W>::Geometry(const RuleTables& t)
    : width(t.width),
      height(t.height),
      points(t.width * t.height),
      cells(t.cells),
      point_of(size_t(t.cells), 0),
      on_board(size_t(t.cells), false),
      deltas(t.deltas) {
    if (points > 64 * W) throw std::invalid_argument("board too large for this instance of the core");
    if (int(deltas.size()) > MAX_VECTORS || width >= MAX_FILES)
        throw std::invalid_argument("the rule tables exceed the limits of the core");
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
    if (!t.anchor) return;
    anchor = Piece(*t.anchor);
    for (const Cell from : cell_of) {
        Bits<W>& stay = window.emplace_back();
        for (const Cell cell : cell_of) {
            const int to = cell + middle - from;
            if (to >= 0 && to < cells && on_board[to]) stay.set(point_of[cell]);
        }
    }
}

template <int W>
Bits<W> Geometry<W>::bits(const std::vector<int>& members) const {
    Bits<W> set;
    for (int point : members) set.set(Point(point));
    return set;
}

template <int W>
std::vector<Bits<W>> Geometry<W>::rings(int least, int most) const {
    std::vector<Bits<W>> found(size_t(points), Bits<W>{});
    for (int a = 0; a < points; ++a)
        for (int b = 0; b < points; ++b) {
            const int distance = std::max(std::abs(a % width - b % width), std::abs(a / width - b / width));
            if (distance >= least && distance <= most) found[a].set(Point(b));
        }
    return found;
}

// --- The pieces ---

template <int W>
PieceTable<W>::PieceTable(const RuleTables& t, const Geometry<W>& grid)
    : info(size_t(t.pieces)),
      drops(t.drops),
      hand_value(t.hand_value),
      groups(int(t.file_groups.size())),
      lent_by_own(t.lent_by_own),
      lent_by_enemy(t.lent_by_enemy),
      lent_besides(t.lent_besides) {
    if (hands() > MAX_HAND || groups > MAX_GROUPS)
        throw std::invalid_argument("the rule tables exceed the limits of the core");
    read_pieces(t, grid);
    find_rays(grid);
}

template <int W>
void PieceTable<W>::read_pieces(const RuleTables& t, const Geometry<W>& grid) {
    const int vectors = int(grid.deltas.size());
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
            if (p.leap_bits >> v & 1) p.leaps.push_back({grid.deltas[v], uint8_t(v), 1});
            if (p.slide_bits >> v & 1) p.slides.push_back({grid.deltas[v], uint8_t(v), reach});
        }
        p.special_legs = t.special_legs[piece];
        irregular |= !p.special_legs.empty();
        std::ranges::copy(t.changes[piece], p.changes.begin());
        p.usual = p.changes[0].size() == 1 ? p.changes[0][0] : Change{Piece(piece), 0};
        for (const auto& changes : p.changes)
            for (const Change& change : changes)
                if (!contains(p.results, change.piece)) p.results.push_back(change.piece);
        p.zone_by = t.zone_by[piece];
        p.royal = t.royal[piece];
        has_royal |= p.royal;
        if (p.royal) royal_pieces[side_of(Piece(piece))].push_back(Piece(piece));
        p.role = t.roots[piece] ? Role::ROOT : t.links[piece] ? Role::LINK : Role::NONE;
        p.overlaps = t.overlaps[piece];
        p.captured = t.captured[piece];
        p.value = t.value[piece];
        p.critical = t.critical[piece];
    }
    for (size_t side = 0; side < 2; ++side)
        for (const int vector : t.lender_vectors[side]) lender_deltas[side].push_back(grid.deltas[vector]);
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

// Fills the tables of rays.
template <int W>
void PieceTable<W>::find_rays(const Geometry<W>& grid) {
    const auto points = size_t(grid.points), pairs = points * points;
    ways.resize(pairs);
    rays.resize(points);
    for (size_t point = 0; point < points; ++point)
        for (int v : ray_vectors) {
            uint8_t distance = 0;
            grid.each_step(grid.cell_of[point], v, UINT8_MAX, [&](Cell cell) {
                size_t at = point * points + grid.point_of[cell];
                while (at < ways.size() && ways[at].distance) at += pairs;
                if (at >= ways.size()) {
                    ways.resize(ways.size() + pairs);
                    rays_meet = true;
                }
                ways[at] = {uint8_t(v), ++distance};
                rays[point].set(grid.point_of[cell]);
            });
        }
}

template <int W>
WatchedSet PieceTable<W>::watch(const Marked& wanted) {
    if (!contains(wanted, uint8_t{true})) return {};
    for (int set = 0; set < watches; ++set) {
        bool same = true;
        for (size_t piece = 0; piece < info.size(); ++piece) same &= (info[piece].watched >> set & 1) == wanted[piece];
        if (same) return uint8_t(set);
    }
    if (watches == 64) throw std::invalid_argument("the rules watch more sets of pieces than the core holds");
    for (size_t piece = 0; piece < info.size(); ++piece)
        if (wanted[piece]) info[piece].watched |= uint64_t(1) << watches;
    return uint8_t(watches++);
}

template <int W>
Marked PieceTable<W>::marked(const std::vector<int>& pieces) const {
    Marked flags(info.size(), 0);
    for (int piece : pieces) flags[size_t(piece)] = 1;
    return flags;
}

// --- Rules about landings and drops ---

template <int W>
RoyalRules<W>::RoyalRules(const RuleTables& t, const Geometry<W>& grid, PieceTable<W>& pieces)
    : single_royal(t.single_royal) {
    auto& info = pieces.info;
    for (size_t piece = 0; piece < info.size(); ++piece) {
        info[piece].may_land = grid.bits(t.may_land[piece]);
        info[piece].lands_anywhere = info[piece].may_land == grid.board;
        info[piece].may_drop = grid.bits(t.may_drop[piece]);
    }
    for (const NearTable& table : t.nears) {
        Near near{table.supported, pieces.marked(table.wanted), grid.rings(table.least, table.most)};
        for (Role role : {Role::ROOT, Role::LINK}) {
            auto has_role = [&](int piece) { return info[piece].role == role; };
            if (std::ranges::all_of(table.wanted[0], has_role) && std::ranges::all_of(table.wanted[1], has_role))
                near.among = role;
        }
        nears.push_back(std::move(near));
    }
    for (const RuleTable& table : t.rules) {
        const bool drops = contains(table.events, Event::DROPS), lands = contains(table.events, Event::LANDS);
        const bool ends = contains(table.events, Event::TURN_END);
        const int number = int(rules.size());
        Rule rule{drops && table.events.size() == 1, table.about_mate, {}, table.terms, false};
        for (const Term& term : rule.terms)
            rule.about_check |= term.condition == Condition::GIVES_CHECK || term.condition == Condition::MATES;
        if (ends) end_rules.push_back(number);
        for (size_t piece = 0; piece < info.size(); ++piece) {
            const Bits<W>& where = rule.where.emplace_back(grid.bits(table.where[piece]));
            if (ends && is_piece(Piece(piece))) {
                // Roots, which always have support, are left out by rules about pieces without it.
                const bool spared = info[piece].role == Role::ROOT && !where.any() &&
                                    std::ranges::any_of(rule.terms, [](const Term& term) {
                                        return term.condition == Condition::SUPPORTED && !term.expected;
                                    });
                ends_everywhere &= spared || where == grid.board;
            }
            if (drops && where.any()) info[piece].drop_rules.push_back(number);
            if (lands && where.any()) info[piece].landing_rules.push_back(number);
        }
        rules.push_back(std::move(rule));
    }
    // True if the piece may not land anywhere without support.
    auto needs_support = [&](Piece piece) {
        return info[piece].role == Role::NONE && std::ranges::any_of(info[piece].landing_rules, [&](int index) {
                   const Rule& rule = rules[index];
                   return rule.where[piece] == grid.board && rule.terms.size() == 1 &&
                          rule.terms[0].condition == Condition::SUPPORTED && !rule.terms[0].expected;
               });
    };
    for (auto& p : info) p.keeps_to_support = p.role == Role::NONE && std::ranges::all_of(p.results, needs_support);
    find_drop_classes(grid, pieces);
}

template <int W>
void RoyalRules<W>::find_drop_classes(const Geometry<W>& grid, PieceTable<W>& pieces) {
    for (size_t piece = 0; piece < pieces.info.size(); ++piece) {
        if (!is_piece(Piece(piece))) continue;
        auto& p = pieces.info[piece];
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
            p.never_checks = rule.where[piece] == grid.board && !rule.about_mate && rule.terms.size() == 1 &&
                             rule.terms[0].condition == Condition::GIVES_CHECK && rule.terms[0].expected;
        }
        const auto same = std::ranges::find(drop_classes, found);
        p.drop_class = size_t(same - drop_classes.begin());
        if (same == drop_classes.end()) drop_classes.push_back(found);
    }
}

// --- The ends of the game ---

template <int W>
Ends<W>::Ends(const RuleTables& t, const Geometry<W>& grid, PieceTable<W>& pieces)
    : repetition(t.repetition),
      perpetual_check_loses(t.perpetual_check_loses),
      guarded(t.guarded),
      survives_if(t.survives_if),
      wins_if(t.wins_if),
      survival_set(pieces.watch({t.survival_pieces.begin(), t.survival_pieces.end()})) {
    if (t.repetition_loser) repetition_loser = Side(*t.repetition_loser);
    auto on_points = [&](const auto& sides) { return std::array{grid.bits(sides[0]), grid.bits(sides[1])}; };
    for (const PiecesBySide& wanted : t.has) has.push_back(pieces_of(wanted));
    for (const StandsTable& table : t.stands)
        stands.push_back({pieces.marked(table.wanted), on_points(table.region), table.safe});
    for (const CountTable& table : t.counts)
        counts.push_back({pieces.marked(table.wanted), table.least, table.most, on_points(table.beyond)});
    for (const BesideTable& table : t.besides)
        besides.push_back({pieces.marked(table.wanted), pieces.marked(table.others)});
}

// --- Compound moves ---

template <int W>
CompoundRules<W>::CompoundRules(const RuleTables& tables, const Geometry<W>& grid, PieceTable<W>& pieces,
                                RoyalRules<W>& landings, const Ends<W>& ends)
    : is_compound(tables.compound.has_value()) {
    if (!is_compound) return;
    const CompoundTables& t = *tables.compound;
    name_order.assign(t.name_order.begin(), t.name_order.end());
    vicinity = grid.rings(1, 3);
    for (const DependencyTable& table : t.dependencies)
        dependencies.push_back({pieces_of(table.needed), pieces_of(table.dependents), table.worth});
    auto watch = [&](const MarkedBySide& wanted) {
        return std::array{pieces.watch(wanted[0]), pieces.watch(wanted[1])};
    };
    for (auto& near : landings.nears) near.watch = watch(near.wanted);
    for (const SightTable& table : t.sights)
        sights.push_back({watch(pieces.marked(table.lookers)), table.vectors, table.through});
    for (const TakesTable& table : t.takes)
        takes.push_back({pieces.marked(table.wanted), table.least, table.most, table.is_protected, table.elsewhere});
    remembered = pieces.marked(t.remembered);
    captors = {t.captors.begin(), t.captors.end()};
    for (size_t piece = 0; piece < pieces.info.size(); ++piece) {
        auto& p = pieces.info[piece];
        p.walks = t.walks[piece];
        p.shots = t.shots[piece];
        p.cannot_capture = pieces.marked(t.cannot_capture[piece]);
        p.promotes_by_capturing = pieces.marked(t.promotes_by_capturing[piece]);
        p.captures_promote_to = Piece(t.captures_promote_to[piece]);
    }
    read_rules(t, grid, pieces, landings, ends);
    find_judged_pieces(pieces);
    find_landings(pieces);
    find_ranges(grid, pieces);
    find_inert_pieces(pieces, landings);
    walks_alone = landings.end_rules.empty() &&
                  std::ranges::all_of(compound_rules, [](const auto& same_event) { return same_event.empty(); }) &&
                  std::ranges::all_of(pieces.info, [](const auto& p) {
                      return p.shots.empty() && p.landing_rules.empty() && (p.walks.empty() || !p.asks_landing);
                  });
}

template <int W>
void CompoundRules<W>::read_rules(const CompoundTables& t, const Geometry<W>& grid, PieceTable<W>& pieces,
                                  const RoyalRules<W>& landings, const Ends<W>& ends) {
    const auto& nears = landings.nears;
    auto& info = pieces.info;
    auto is_near = [](const Term& term) { return term.condition == Condition::NEAR; };
    for (const CompoundRuleTable& table : t.rules) {
        CompoundRule rule{.number = table.number,
                          .terms = table.terms,
                          .action = table.action,
                          .barred = table.barred,
                          .into = table.into,
                          .others = table.others,
                          .targets = pieces.marked(table.targets)};
        if (rule.others) rule.around = grid.rings(1, table.most);
        Marked subjects(info.size(), 0);
        bool any_piece = true;
        for (size_t piece = 0; piece < info.size(); ++piece) {
            rule.where.push_back(grid.bits(table.where[piece]));
            subjects[piece] = rule.where.back().any();
            any_piece &= subjects[piece] || piece <= WALL;
        }
        if (!any_piece) rule.subjects = pieces.watch(subjects);
        const bool always = table.event == Event::AT_ALL_TIMES;
        for (const Term& term : rule.terms) {
            const auto at = size_t(term.argument);
            if (is_near(term) && term.expected) rule.danger = uint32_t(at);
            for (size_t piece = 0; always && piece < info.size(); ++piece)
                for (size_t side = 0; side < 2; ++side) {
                    const bool is_wanted_near = is_near(term) && nears[at].wanted[side][piece];
                    info[piece].placed |= term.condition == Condition::IN_SIGHT || is_wanted_near;
                    info[piece].triggers_rules |= is_wanted_near || (term.condition == Condition::HAS &&
                                                                     contains(ends.has[at][side], Piece(piece)));
                }
        }
        for (size_t piece = 0; piece < info.size(); ++piece) {
            if (!subjects[piece]) continue;
            if (always || table.event == Event::BECAME) info[piece].triggers_rules = true;
            info[piece].placed |=
                always && (rule.where[piece] != grid.board || std::ranges::any_of(rule.terms, is_near));
            if (table.event == Event::ARRIVES && !rule.danger) info[piece].acts_on_arrival = true;
        }
        compound_rules[size_t(table.event)].push_back(std::move(rule));
    }
}

// Finds the pieces whose turns rules about whole turns may forbid, and those that such a rule asks to be taken.
template <int W>
void CompoundRules<W>::find_judged_pieces(PieceTable<W>& pieces) const {
    auto& info = pieces.info;
    for (auto& p : info) p.loss_has_effects = p.triggers_rules || p.captured >= 0;
    for (const CompoundRule& rule : on(Event::WHOLE_TURN)) {
        const auto asked = std::ranges::find_if(
            rule.terms, [](const Term& term) { return term.condition == Condition::TAKES && term.expected; });
        for (size_t piece = 0; piece < info.size(); ++piece) {
            if (asked == rule.terms.end())
                info[piece].judged |= rule.where[piece].any();
            else
                for (const Marked& wanted : takes[size_t(asked->argument)].wanted)
                    info[piece].loss_has_effects |= bool(wanted[piece]);
        }
    }
}

// Finds what each piece may be when its turn ends, and where it may land as any of that.
template <int W>
void CompoundRules<W>::find_landings(PieceTable<W>& pieces) const {
    auto& info = pieces.info;
    for (size_t piece = 0; piece < info.size(); ++piece) {
        if (!is_piece(Piece(piece))) continue;
        auto& p = info[piece];
        std::vector<Piece> found{Piece(piece)};
        auto add = [&](Piece one) {
            if (one != EMPTY && !contains(found, one)) found.push_back(one);
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
void CompoundRules<W>::find_ranges(const Geometry<W>& grid, PieceTable<W>& pieces) {
    for (auto& p : pieces.info) {
        if (p.shots.empty()) continue;
        const ShotTable& shot = p.shots.front();
        std::vector<Bits<W>> range;
        for (const Cell from : grid.cell_of) {
            Bits<W>& reached = range.emplace_back();
            for (int vector : shot.vectors)
                grid.each_step(from, vector, shot.reach, [&](Cell to) { reached.set(grid.point_of[to]); });
        }
        const auto known = std::ranges::find(ranges, range);
        p.range = uint32_t(known - ranges.begin());
        if (known == ranges.end()) ranges.push_back(std::move(range));
    }
}

template <int W>
void CompoundRules<W>::find_inert_pieces(PieceTable<W>& pieces, const RoyalRules<W>& landings) const {
    auto& info = pieces.info;
    const bool ends = !landings.end_rules.empty();
    // Danger is found when a turn begins; where it might grow during the move, no landing of a walk is inert.
    bool danger_grows = false;
    for (const CompoundRule& arrival : on(Event::ARRIVES))
        for (const auto& same_event : compound_rules)
            for (const CompoundRule& rule : same_event)
                for (Side side : {BLACK, WHITE})
                    danger_grows |= rule.action == Action::BECOME && arrival.danger &&
                                    (landings.nears[*arrival.danger].wanted[0][piece_of(rule.into, side)] ||
                                     landings.nears[*arrival.danger].wanted[1][piece_of(rule.into, side)]);
    for (size_t piece = 0; piece < info.size(); ++piece) {
        auto& p = info[piece];
        auto becomes_quietly = [&](Piece into) {
            return info[into].landing_rules.empty() &&
                   (into == piece || (!info[into].triggers_rules && !p.triggers_rules));
        };
        p.inert_midway = !(danger_grows && !p.walks.empty()) && !p.acts_on_arrival && !p.placed && !p.judged;
        // What the end of a turn takes depends on the whole board.
        for (size_t move_class = 0; move_class < 4; ++move_class)
            p.inert[move_class] = p.inert_midway && !ends && p.landing_rules.empty() &&
                                  (move_class % 2 == 0 || becomes_quietly(p.captures_promote_to)) &&
                                  std::ranges::all_of(p.changes[move_class], becomes_quietly, &Change::piece);
        const bool shoots_at_once = !p.shots.empty() && p.shots.front().standing != StandingShot::NEVER;
        p.single = p.walks.empty() && !shoots_at_once && !p.overlaps && !ends;
        auto triggers = [&](Piece into) { return info[into].triggers_rules; };
        p.far_reaching = p.range || p.acts_on_arrival || p.triggers_rules || triggers(p.captures_promote_to) ||
                         std::ranges::any_of(p.results, triggers);
    }
}

// --- All of them together ---

template <int W>
Rules<W>::Rules(const RuleTables& t)
    : Geometry<W>(t),
      PieceTable<W>(t, *this),
      RoyalRules<W>(t, *this, *this),
      Ends<W>(t, *this, *this),
      CompoundRules<W>(t, *this, *this, *this, *this),
      in_place(plain() && !counts_pieces() &&
               std::ranges::all_of(this->info, [](const PieceInfo& p) { return p.role == Role::NONE; })),
      serial(next_serial()) {
    make_keys();
    sets.fill(*this);
    if (!this->is_compound) return;
    quiet.resize(this->info.size());
    outlook.resize(this->info.size());
    for (size_t piece = 0; piece < this->info.size(); ++piece) {
        if (!is_piece(Piece(piece))) continue;
        if (this->info[piece].single) find_quiet_moves(Piece(piece));
        find_outlook(Piece(piece));
    }
}

template <int W>
void Rules<W>::make_keys() {
    for (size_t piece = 0; piece < this->info.size(); ++piece)
        for (int point = 0; point < this->points; ++point)
            piece_keys.push_back(piece == EMPTY ? 0 : mix(uint64_t(piece) << 32 | uint64_t(point)));
    for (uint64_t side = 0; side < 2; ++side)
        for (uint64_t slot = 0; slot < MAX_HAND; ++slot)
            for (uint64_t count = 0; count < 256; ++count)
                hand_keys[side][slot][count] = count ? mix(uint64_t(1) << 60 | side << 50 | slot << 40 | count) : 0;
    side_key = mix(uint64_t(1) << 61);
}

template <int W>
void Rules<W>::find_quiet_moves(Piece piece) {
    const PieceInfo& p = this->info[piece];
    Quiet& found = quiet[piece];
    auto stays = [&](const Change& change) { return change.piece == piece && !change.flags; };
    const auto &outside = p.changes[0], &touching = p.changes[2];
    const bool quiet_outside = p.inert[0] && outside.size() == 1 && stays(outside[0]);
    const bool quiet_in_zone = p.inert[2] && !touching.empty() && touching.size() <= 2 && stays(touching[0]);
    const bool fits = p.leaps.size() <= found.leaps.size() && p.slides.size() <= found.slides.size();
    if (!fits || !p.lands_anywhere || p.asks_landing) return;
    found.shoots = p.range.has_value();
    for (const auto& leap : p.leaps) found.leaps[found.leap_count++] = int16_t(leap.delta);
    for (const auto& slide : p.slides) found.slides[found.slide_count++] = {int16_t(slide.delta), slide.reach};
    if (touching.size() == 2 && p.zone_by == ZONE_TOUCH)
        found.further = Move{0, 0, touching[1].piece, touching[1].flags}.code();
    const Bits<W>& touched = this->zone[side_of(piece)];
    this->board.each([&](Point point) {
        const bool inside = touched.test(point);
        const bool may_touch = inside || (leaps(piece, point) | slides(piece, point)).meets(touched);
        // By other ways than touching, what counts for the zone depends on more than the two points; outside none of
        // its moves does.
        const bool is_quiet = p.zone_by != ZONE_TOUCH ? quiet_outside && !may_touch
                                                      : (inside || quiet_outside) && (!may_touch || quiet_in_zone);
        if (is_quiet) found.from.set(point);
        return false;
    });
}

template <int W>
void Rules<W>::find_outlook(Piece piece) {
    const PieceInfo& p = this->info[piece];
    if (p.walks.empty() && !p.range) return;
    for (int point = 0; point < this->points; ++point) {
        const Bits<W> targets = leaps(piece, Point(point)) | slides(piece, Point(point));
        Bits<W>& all = outlook[piece].emplace_back(targets);
        if (p.range) targets.each([&](Point to) { return all |= this->ranges[*p.range][to], false; });
        for (const WalkTable& walk : p.walks) {
            uint64_t vectors = walk.first;
            for (const uint64_t next : walk.next) vectors |= next;
            Bits<W> last = Bits<W>::only(Point(point));
            for (int landing = 0; landing < walk.most; ++landing) {
                Bits<W> next;
                last.each([&](Point from) {
                    for (uint64_t left = vectors; left; left &= left - 1)
                        this->each_step(this->cell_of[from], std::countr_zero(left), 1,
                                        [&](Cell to) { next.set(this->point_of[to]); });
                    return false;
                });
                all |= last = next;
            }
        }
    }
}

KOMADAI_FOR_EACH_SIZE(struct Geometry)
KOMADAI_FOR_EACH_SIZE(struct PieceTable)
KOMADAI_FOR_EACH_SIZE(struct RoyalRules)
KOMADAI_FOR_EACH_SIZE(struct Ends)
KOMADAI_FOR_EACH_SIZE(struct CompoundRules)
KOMADAI_FOR_EACH_SIZE(struct Rules)

}  // namespace komadai
