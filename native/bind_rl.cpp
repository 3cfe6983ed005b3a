// The bindings of encodings and environments. Arrays come as whatever has a buffer; src/komadai/lab/rl makes them.
#include <algorithm>
#include <climits>
#include <mutex>

#include "bind.hpp"
#include "environment.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <nanobind/ndarray.h>
#pragma GCC diagnostic pop

namespace komadai {
namespace {

using WritableArray = nb::ndarray<nb::c_contig, nb::device::cpu>;

// The memory of an array that must have so many items.
template <class Item>
Item* items_of(const WritableArray& array, size_t count) {
    if (array.nbytes() != count * sizeof(Item)) throw std::invalid_argument("an array has the wrong size");
    return static_cast<Item*>(array.data());
}

// An encoding with the rules whose positions it sees.
class PyEncoding {
    template <class Do>
    auto with(const PyPosition& position, Do do_it) const {
        require(position);
        return std::visit(
            [&]<int W>(const std::shared_ptr<const Encoding<W>>& encoding) {
                return do_it(*encoding, std::get<Position<W>>(position.any()));
            },
            encoding_);
    }

 public:
    PyEncoding(std::shared_ptr<PyRules> rules, const EncodingTables& tables) : rules_(std::move(rules)) {
        std::visit(
            [&]<int W>(const std::shared_ptr<const Rules<W>>& r) {
                encoding_ = std::make_shared<const Encoding<W>>(r, tables);
            },
            rules_->any());
    }
    [[nodiscard]] size_t planes() const {
        return std::visit([](const auto& e) { return e->planes(); }, encoding_);
    }
    [[nodiscard]] size_t actions() const {
        return std::visit([](const auto& e) { return e->actions(); }, encoding_);
    }
    [[nodiscard]] size_t cells() const {
        return std::visit([](const auto& e) { return e->cells(); }, encoding_);
    }
    // The legal actions after those taken; writes the observation.
    ActionList observe(const PyPosition& position, const ActionList& taken, const WritableArray& planes) const {
        auto* to = items_of<uint8_t>(planes, this->planes() * cells());
        return with(position, [&]<int W>(const Encoding<W>& encoding, const Position<W>& p) {
            return Environments<W>::look(encoding, p, taken, to).actions;
        });
    }
    ActionList legal(const PyPosition& position, const ActionList& taken) const {
        return with(position, [&]<int W>(const Encoding<W>& encoding, const Position<W>& p) {
            return Environments<W>::look(encoding, p, taken, nullptr).actions;
        });
    }
    // The actions that make a move, none if it is not legal.
    ActionList path(const PyPosition& position, uint64_t code, uint64_t trail) const {
        const Move move = Move::from_code(code, trail);
        return with(position, [&]<int W>(const Encoding<W>& encoding, const Position<W>& p) {
            Position<W> copy = p;
            MoveList legal;
            copy.legal_moves(legal);
            ActionList found;
            if (std::ranges::find(legal, move) == legal.end()) return found;
            if (encoding.tables().steps) return Turn<W>::path(encoding, copy, move);
            encoding.flat(p.state(), {move}, found);
            return found;
        });
    }
    // The move that actions make, or nothing if they do not make one yet.
    nb::object move(const PyPosition& position, ActionList taken) const {
        if (taken.empty()) return nb::none();
        const ActionId last = taken.back();
        taken.pop_back();
        const std::optional<Move> made =
            with(position, [&]<int W>(const Encoding<W>& encoding, const Position<W>& p) -> std::optional<Move> {
                Turn<W> turn = Environments<W>::look(encoding, p, taken, nullptr);
                if (std::ranges::find(turn.actions, last) == turn.actions.end())
                    throw std::invalid_argument("an action of the turn cannot be taken");
                Position<W> copy = p;
                return turn.take(encoding, copy, last);
            });
        return made ? rules_->move(*made) : nb::none();
    }
    [[nodiscard]] std::unique_ptr<Batch> batch(const PyPosition& start, const Batch::Settings& settings) const {
        return with(start, [&]<int W>(const Encoding<W>&, const Position<W>& p) {
            return Environments<W>::make(std::get<std::shared_ptr<const Encoding<W>>>(encoding_), p, settings);
        });
    }
    void require(const PyPosition& position) const {
        if (position.rules() != rules_) throw std::invalid_argument("the position is one of other rules");
    }
    [[nodiscard]] const std::shared_ptr<PyRules>& rules() const { return rules_; }

 private:
    std::shared_ptr<PyRules> rules_;
    AnyEncoding encoding_;
};

// Games played at once. Calls from several threads wait for each other.
class PyBatch {
    // Without the GIL, and with no other call.
    template <class Do>
    auto alone(Do do_it) const {
        const Unlocked unlocked;
        const Calls::Change change(calls);
        const std::lock_guard lock(mutex_);
        return do_it(*batch_);
    }

 public:
    PyBatch(std::shared_ptr<PyEncoding> encoding, const PyPosition& start, int games, int threads, int max_plies,
            int autoreset, uint64_t seed)
        : encoding_(std::move(encoding)), games_(size_t(within("games", games, 1, MAX_GAMES))) {
        within("threads", threads, 1, MAX_THREADS);
        within("max_plies", max_plies, 1, INT_MAX);
        within("autoreset", autoreset, 0, 2);
        batch_ = encoding_->batch(start, {games, threads, max_plies, Autoreset(autoreset), seed});
    }
    PyBatch(const PyBatch& other)
        : encoding_(other.encoding_), games_(other.games_), batch_(other.alone([](Batch& b) { return b.clone(); })) {}

    int reset(const WritableArray& which, const std::vector<PyPosition*>& starts, std::optional<uint64_t> seed) {
        const auto* marks = items_of<const uint8_t>(which, games_);
        if (!starts.empty() && starts.size() != games_) throw std::invalid_argument("not a start for each game");
        std::vector<AnyPosition> kept;  // copies, since others may change a position meanwhile
        kept.reserve(starts.size());
        std::vector<const AnyPosition*> positions;
        for (const PyPosition* start : starts) {
            encoding_->require(*start);
            positions.push_back(&kept.emplace_back(start->any()));
        }
        return alone([&](Batch& b) { return b.reset(marks, positions, seed); });
    }
    void look(const std::vector<WritableArray>& arrays) {
        const StepArrays out = read(arrays);
        alone([&](Batch& b) { b.look(out); });
    }
    // Of an action that cannot be taken: the game, why, and the action.
    std::optional<std::tuple<int, int, int64_t>> step(const WritableArray& actions, bool turns,
                                                      const std::vector<WritableArray>& arrays) {
        const StepArrays out = read(arrays);
        const auto* taken = items_of<const int32_t>(actions, games_);
        const Batch::Refusal refused = alone([&](Batch& b) { return b.step(taken, turns, out); });
        if (refused.game < 0) return std::nullopt;
        return std::tuple(refused.game, refused.code, refused.action);
    }
    void allow(const WritableArray& declarations) {
        const auto* given = items_of<const int8_t>(declarations, games_);
        alone([&](Batch& b) { b.allow(given); });
    }
    void random_actions(const WritableArray& actions) {
        auto* to = items_of<int32_t>(actions, games_);
        alone([&](Batch& b) { b.random_actions(to); });
    }
    void count_turns(const WritableArray& counts) {
        auto* to = items_of<int64_t>(counts, games_);
        alone([&](Batch& b) { b.count_turns(to); });
    }
    void list_turns(const WritableArray& words) {
        alone([&](Batch& b) {
            std::vector<int64_t> counts(games_);
            b.count_turns(counts.data());
            size_t all = 0;
            for (const int64_t count : counts) all += size_t(std::max<int64_t>(count, 0));
            b.list_turns(items_of<uint64_t>(words, 2 * all));
        });
    }
    [[nodiscard]] PyPosition position(int game) const {
        require(game);
        return {encoding_->rules(), alone([&](Batch& b) { return b.position(game); })};
    }
    [[nodiscard]] ActionList taken(int game) const {
        require(game);
        return alone([&](Batch& b) { return b.taken(game); });
    }
    [[nodiscard]] std::vector<uint64_t> save() const {
        return alone([](Batch& b) { return b.save(); });
    }
    void load(const std::vector<uint64_t>& words) {
        alone([&](Batch& b) { b.load(words); });
    }

 private:
    void require(int game) const {
        if (game < 0 || size_t(game) >= games_) throw std::invalid_argument("no such game");
    }
    [[nodiscard]] StepArrays read(const std::vector<WritableArray>& arrays) const {
        constexpr size_t every_time = 11, all = 16;
        if (arrays.size() != every_time && arrays.size() != all)
            throw std::invalid_argument("not the arrays of a step");
        const size_t planes = games_ * encoding_->planes() * encoding_->cells(), mask = games_ * encoding_->actions();
        StepArrays out{items_of<uint8_t>(arrays[0], planes), items_of<uint8_t>(arrays[1], mask),
                       items_of<float>(arrays[2], games_),   items_of<uint8_t>(arrays[3], games_),
                       items_of<uint8_t>(arrays[4], games_), items_of<int8_t>(arrays[5], games_),
                       items_of<int8_t>(arrays[6], games_),  items_of<int8_t>(arrays[7], games_),
                       items_of<uint8_t>(arrays[8], games_), items_of<int32_t>(arrays[9], games_),
                       items_of<int32_t>(arrays[10], games_)};
        if (arrays.size() == all) {
            out.final_observations = items_of<uint8_t>(arrays[11], planes);
            out.final_masks = items_of<uint8_t>(arrays[12], mask);
            out.final_to_play = items_of<int8_t>(arrays[13], games_);
            out.final_plies = items_of<int32_t>(arrays[14], games_);
            out.final_legal_counts = items_of<int32_t>(arrays[15], games_);
        }
        return out;
    }

    std::shared_ptr<PyEncoding> encoding_;
    size_t games_;
    mutable std::mutex mutex_;
    std::unique_ptr<Batch> batch_;
};

}  // namespace

void bind_rl(nb::module_& m) {
    bind_record<EncodingTables>(m, "EncodingTables", "What the planes and actions of an encoding are.");
    nb::class_<PyEncoding>(m, "Encoding", "Positions as planes of bytes, and moves as numbers of actions.")
        .def(nb::init<std::shared_ptr<PyRules>, const EncodingTables&>(), "rules"_a, "tables"_a)
        .def_prop_ro("planes", &PyEncoding::planes)
        .def("observe", &PyEncoding::observe, "position"_a, "taken"_a, "planes"_a,
             "Write the observation after the actions taken in this turn, and return the legal actions.",
             nb::sig("def observe(self, position: Position, taken: collections.abc.Sequence[int], planes: "
                     "object) -> list[int]"))
        .def("legal", &PyEncoding::legal, "position"_a, "taken"_a, "The legal actions after those taken in this turn.")
        .def("path", &PyEncoding::path, "position"_a, "code"_a, "trail"_a,
             "The actions that make a move; none if it is not legal.")
        .def("move", &PyEncoding::move, "position"_a, "taken"_a,
             "The move that the actions of a turn make, or nothing if they do not make one yet.",
             nb::sig("def move(self, position: Position, taken: collections.abc.Sequence[int]) -> "
                     "komadai.spec.move.Move | None"));
    nb::class_<PyBatch>(m, "Batch", "Many games played at once; src/komadai/lab/rl makes the arrays.")
        .def(nb::init<std::shared_ptr<PyEncoding>, const PyPosition&, int, int, int, int, uint64_t>(), "encoding"_a,
             "start"_a, "games"_a, "threads"_a, "max_plies"_a, "autoreset"_a, "seed"_a)
        .def("copy", [](const PyBatch& self) { return std::make_unique<PyBatch>(self); })
        .def("reset", &PyBatch::reset, "which"_a, "starts"_a, "seed"_a.none(),
             "Begin games anew; return the number of a start where the game is over, or -1.",
             nb::sig("def reset(self, which: object, starts: collections.abc.Sequence[Position], "
                     "seed: int | None) -> int"))
        .def("look", &PyBatch::look, "arrays"_a, "Write the present state.",
             nb::sig("def look(self, arrays: collections.abc.Sequence[object]) -> None"))
        .def("step", &PyBatch::step, "actions"_a, "turns"_a, "arrays"_a,
             "Take an action in every game; return the game, the reason and the action of one that cannot be taken.",
             nb::sig("def step(self, actions: object, turns: bool, arrays: "
                     "collections.abc.Sequence[object]) -> tuple[int, int, int] | None"))
        .def("allow", &PyBatch::allow, "declarations"_a,
             "Say what a declaration would be now: the winner, -1 for a draw, -2 where none holds.",
             nb::sig("def allow(self, declarations: object) -> None"))
        .def("random_actions", &PyBatch::random_actions, "actions"_a,
             nb::sig("def random_actions(self, actions: object) -> None"))
        .def("count_turns", &PyBatch::count_turns, "counts"_a, nb::sig("def count_turns(self, counts: object) -> None"))
        .def("list_turns", &PyBatch::list_turns, "words"_a, nb::sig("def list_turns(self, words: object) -> None"))
        .def("position", &PyBatch::position, "game"_a)
        .def("taken", &PyBatch::taken, "game"_a)
        .def("save", &PyBatch::save)
        .def("load", &PyBatch::load, "words"_a);
}

}  // namespace komadai
