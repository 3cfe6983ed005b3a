// Calls that go on beside the interpreter: when the process ends they are stopped and waited for, and a fork cuts no
// change of theirs in two. All of it is atomic numbers and short sleeps, since the child of a fork has no other threads
// that could give a lock back.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#ifndef _WIN32
#include <unistd.h>
#endif

namespace komadai {

// Thrown by a call that gives up because the process ends.
struct Ended {};

// The number of this process: in the child of a fork it is another.
[[nodiscard]] inline long this_process() {
#ifdef _WIN32
    return 0;
#else
    return long(getpid());
#endif
}

// For a thread that has nothing left to do, and cannot end. Not [[noreturn]]: there AddressSanitizer looks at the whole
// stack, of which it does not know what CPython has unwound.
inline void rest() { std::this_thread::sleep_for(std::chrono::hours(1)); }

class Calls {
    static constexpr auto MOMENT = std::chrono::microseconds(200);

 public:
    // A call, as long as it lasts. Once the process ends no other thread than the one that ends it begins any.
    class Call {
     public:
        explicit Call(Calls& calls) : calls_(calls) {
            ++calls_.running_;
            if (calls_.stopped()) {
                --calls_.running_;
                if (nested_ > 0) throw Ended{};  // out of the call around it, which is waited for
                for (;;) rest();
            }
            ++nested_;
        }
        Call(const Call&) = delete;
        ~Call() {
            --nested_;
            --calls_.running_;
        }

     private:
        Calls& calls_;
    };

    // A short change of what the child of a fork goes on with.
    class Change {
     public:
        explicit Change(Calls& calls) : calls_(calls) {
            while (++calls_.changing_, calls_.forking_) {
                --calls_.changing_;
                std::this_thread::sleep_for(MOMENT);
            }
        }
        Change(const Change&) = delete;
        ~Change() { --calls_.changing_; }

     private:
        Calls& calls_;
    };

    // To be asked by long calls now and then: throws Ended once the process ends.
    void check() const {
        if (stopped()) throw Ended{};
    }
    // Stops the calls of all other threads, and waits until there are none, but no longer than that. Returns whether
    // there are none.
    bool end(std::chrono::milliseconds patience) {
        ender_ = std::this_thread::get_id();
        ending_ = true;
        const auto latest = std::chrono::steady_clock::now() + patience;
        while (running_ > nested_ && std::chrono::steady_clock::now() < latest) std::this_thread::sleep_for(MOMENT);
        return running_ <= nested_;
    }

    // Around a fork, in the thread that forks.
    void before_fork() {
        forking_ = true;
        while (changing_ > 0) std::this_thread::sleep_for(MOMENT);
    }
    void after_fork() { forking_ = false; }
    // Of the threads only this one is there.
    void after_fork_in_child() {
        changing_ = 0;
        running_ = nested_;
        forking_ = false;
    }

 private:
    [[nodiscard]] bool stopped() const { return ending_ && ender_ != std::this_thread::get_id(); }

    static inline thread_local int nested_ = 0;  // calls of this thread
    std::atomic<int> running_{0}, changing_{0};
    std::atomic<bool> ending_{false}, forking_{false};
    std::thread::id ender_;  // written before ending_
};

inline Calls calls;

}  // namespace komadai
