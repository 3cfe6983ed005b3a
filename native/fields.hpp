// The names of fields and values, written once: the bindings and the text form are made of them.
#pragma once

// Calls apply(of, name) for each of the names, which are 64 at most.
#define KOMADAI_EACH(apply, of, ...) KOMADAI_SCAN64(KOMADAI_NEXT(apply, of, __VA_ARGS__))
#define KOMADAI_NEXT(apply, of, name, ...) \
    apply(of, name) __VA_OPT__(KOMADAI_AGAIN KOMADAI_NO_ARGUMENT(apply, of, __VA_ARGS__))
#define KOMADAI_AGAIN() KOMADAI_NEXT
#define KOMADAI_NO_ARGUMENT ()
#define KOMADAI_SCAN64(...) KOMADAI_SCAN16(KOMADAI_SCAN16(KOMADAI_SCAN16(KOMADAI_SCAN16(__VA_ARGS__))))
#define KOMADAI_SCAN16(...) KOMADAI_SCAN4(KOMADAI_SCAN4(KOMADAI_SCAN4(KOMADAI_SCAN4(__VA_ARGS__))))
#define KOMADAI_SCAN4(...) KOMADAI_SCAN1(KOMADAI_SCAN1(KOMADAI_SCAN1(KOMADAI_SCAN1(__VA_ARGS__))))
#define KOMADAI_SCAN1(...) __VA_ARGS__

// Within a struct: fields(visit), which calls visit(name, pointer to member) for each of the fields in order.
#define KOMADAI_FIELDS(of, ...)                            \
    template <class Visit>                                 \
    static void fields(Visit visit) {                      \
        KOMADAI_EACH(KOMADAI_VISIT_FIELD, of, __VA_ARGS__) \
    }
#define KOMADAI_VISIT_FIELD(of, name) visit(#name, &of::name);
