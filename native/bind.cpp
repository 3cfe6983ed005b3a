// The Python module of the core.
#include "bind.hpp"

#include <exception>
#include <new>

#include "environment.hpp"
#include "search.hpp"

namespace {

constexpr std::chrono::seconds PATIENCE(2);  // with a call that does not look at whether the process ends

}  // namespace

NB_MODULE(_core, m) {
    using namespace komadai;
    m.doc() =
        "The native core: positions, move generation and search over compiled tables. Use komadai.Position instead.";

    // Compiled variants are cached until the process ends, by design.
    nb::set_leak_warnings(false);

    // Programs that drive the engine show the text to people.
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::bad_alloc&) {
            PyErr_SetString(PyExc_MemoryError, "there is not enough memory for that");
        } catch (const Ended&) {  // quietly: this is a thread that the interpreter does not wait for
            PyErr_SetNone(PyExc_SystemExit);
        }
    });

    // Before what the calls use goes.
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
        const Unlocked unlocked;
        calls.end(PATIENCE);
    }));
    if (const nb::module_ os = nb::module_::import_("os"); nb::hasattr(os, "register_at_fork"))
        os.attr("register_at_fork")("before"_a = nb::cpp_function([] { calls.before_fork(); }),
                                    "after_in_parent"_a = nb::cpp_function([] { calls.after_fork(); }),
                                    "after_in_child"_a = nb::cpp_function([] { calls.after_fork_in_child(); }));

    m.attr("MATE") = MATE;
    m.attr("MATE_BOUND") = MATE_BOUND;
    m.attr("MAX_DEPTH") = MAX_PLY - 1;
    m.attr("MAX_THREADS") = MAX_THREADS;
    m.attr("MAX_MEGABYTES") = MAX_MEGABYTES;
    m.attr("MAX_GAMES") = MAX_GAMES;
    m.attr("MAX_HAND") = MAX_HAND;
    m.attr("MAX_GROUPS") = MAX_GROUPS;
    m.attr("MAX_VECTORS") = MAX_VECTORS;
    m.attr("MAX_TRAIL") = MAX_TRAIL;

    bind_tables(m);
    bind_position(m);
    bind_evaluation(m);
    bind_search(m);
    bind_solve(m);
    bind_rl(m);
}
