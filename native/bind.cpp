// The Python module of the core.
#include "bind.hpp"

#include <exception>
#include <new>

#include "search.hpp"

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
        }
    });

    m.attr("MATE") = MATE;
    m.attr("MATE_BOUND") = MATE_BOUND;
    m.attr("MAX_DEPTH") = MAX_PLY - 1;
    m.attr("MAX_THREADS") = MAX_THREADS;
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
