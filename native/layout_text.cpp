#include "layout_text.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>

namespace komadai {

namespace {

template <class T>
concept Struct = requires(void (*visit)(const char*, int T::*)) { T::fields([](const char*, auto) {}); };

struct Writer {
    std::ostream& out;

    template <class T>
    void value(const T& item) {
        if constexpr (Struct<T>) {
            T::fields([&](const char* name, auto member) {
                out << name << ' ';
                value(item.*member);
                out << '\n';
            });
        } else if constexpr (std::is_enum_v<T>) {
            out << int(item) << ' ';
        } else {
            out << item << ' ';
        }
    }
    template <class T>
    void value(const std::vector<T>& items) {
        out << items.size() << ' ';
        for (const T& item : items) value(item);
    }
    template <class T, size_t N>
    void value(const std::array<T, N>& items) {
        for (const T& item : items) value(item);
    }
    template <class T>
    void value(const std::optional<T>& item) {
        out << item.has_value() << ' ';
        if (item) value(*item);
    }
};

struct Reader {
    std::istream& in;

    template <class T>
    void value(T& item) {
        if constexpr (Struct<T>) {
            T::fields([&](const char* name, auto member) {
                std::string word;
                if (!(in >> word) || word != name)
                    throw std::invalid_argument("expected " + std::string(name) + ", found " + word);
                value(item.*member);
            });
        } else if constexpr (std::is_enum_v<T>) {
            int number = 0;
            value(number);
            item = T(number);
        } else if (!(in >> item)) {
            throw std::invalid_argument("expected a number");
        }
    }
    template <class T>
    void value(std::vector<T>& items) {
        constexpr size_t MOST = 1 << 20;
        size_t count = 0;
        value(count);
        if (count > MOST) throw std::invalid_argument("a list is too long");
        items.resize(count);
        for (T& item : items) value(item);
    }
    template <class T, size_t N>
    void value(std::array<T, N>& items) {
        for (T& item : items) value(item);
    }
    template <class T>
    void value(std::optional<T>& item) {
        bool there = false;
        value(there);
        if (there) value(item.emplace());
    }
};

// A stream hides what its buffer throws, such as a lack of memory, unless it is asked to pass it on.
template <class T>
void write(std::ostream& out, const T& item) {
    out.exceptions(out.exceptions() | std::ios::badbit);
    Writer{out}.value(item);
}

template <class T>
void read(std::istream& in, T& item) {
    in.exceptions(in.exceptions() | std::ios::badbit);
    Reader{in}.value(item);
}

}  // namespace

void write_text(std::ostream& out, const RuleTables& tables) { write(out, tables); }
void write_text(std::ostream& out, const PositionTable& position) { write(out, position); }
void read_text(std::istream& in, RuleTables& tables) { read(in, tables); }
void read_text(std::istream& in, PositionTable& position) { read(in, position); }

}  // namespace komadai
