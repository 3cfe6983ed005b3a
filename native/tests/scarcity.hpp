// Memory that runs out, and threads that cannot be started, at a chosen moment. The program's `operator new` and
// pthread_create are replaced by ones that can fail (scarcity.cpp).
#pragma once

#include <cstdint>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace komadai::test {

// While one lives, the `nth` request for memory or for a thread fails, and those after it if it `lasts`; 0: none does.
class Scarcity {
 public:
    Scarcity(uint64_t nth, bool lasts);
    Scarcity(const Scarcity&) = delete;
    Scarcity& operator=(const Scarcity&) = delete;
    ~Scarcity();

    // Requests so far.
    [[nodiscard]] static uint64_t requests();
};

// Blocks of memory that are in use.
int64_t live_blocks();

struct Tried {
    uint64_t requests = 0;    // of the operation, where none fails
    uint64_t failures = 0;    // requests made to fail
    uint64_t exceptions = 0;  // failures that ended the operation; the others it does without
    uint64_t wrong = 0;       // the first failure after which something was not as it should be
    uint64_t leaks = 0;       // the first failure after which memory was not given back
};

// Makes a subject and acts on it, with its first, second, ... request failing, once and for good, until every request
// has failed or `most` of them, evenly spread; `check(subject, thrown)` says whether all is as it should be after that.
// Each time has a thread of its own, so that what the core keeps for a thread is made anew and given back.
template <class Make, class Act, class Check>
Tried try_failures(uint64_t most, Make make, Act act, Check check) {
    Tried tried;
    auto once = [&](uint64_t nth, bool lasts) {
        uint64_t requests = 0;
        bool thrown = false, right = false;
        const int64_t before = live_blocks();
        std::thread([&] {
            auto subject = make();
            {
                const Scarcity scarcity(nth, lasts);
                try {
                    act(subject);
                } catch (const std::bad_alloc&) {
                    thrown = true;
                } catch (const std::system_error&) {
                    thrown = true;
                }
                requests = Scarcity::requests();
            }
            right = check(subject, thrown);
        }).join();
        tried.exceptions += thrown;
        if (!right && !tried.wrong) tried.wrong = nth;
        if (live_blocks() != before && !tried.leaks) tried.leaks = nth;
        return requests;
    };
    once(0, false);  // what is made once in the program's life
    tried.requests = once(0, false);
    const uint64_t step = most && tried.requests > most ? (tried.requests + most - 1) / most : 1;
    for (const bool lasts : {false, true})
        for (uint64_t nth = 1; once(nth, lasts) >= nth; nth += step) ++tried.failures;
    return tried;
}

}  // namespace komadai::test
