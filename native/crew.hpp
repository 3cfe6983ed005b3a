// Threads that wait for work which is split among them beforehand.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "calls.hpp"

namespace komadai {

class Crew {
 public:
    explicit Crew(int size) : size_(size) {}
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew() {
        if (!threads_.empty() && process_ == this_process()) dismiss();
        forget();
    }
    [[nodiscard]] int size() const { return size_; }

    // Calls work(0) to work(size - 1), each in a thread of its own, the first in this one. Throws what one of them
    // threw.
    void run(const std::function<void(int)>& work) {
        if (size_ == 1) return work(0);
        if (process_ != this_process()) forget();  // the child of a fork has none of the threads
        if (threads_.empty()) start();
        {
            const std::lock_guard lock(mutex());
            shared_->work = &work;
            shared_->left = size_ - 1;
            ++shared_->round;
        }
        shared_->begin.notify_all();
        shared_->attempt(0);
        std::unique_lock lock(mutex());
        shared_->end.wait(lock, [&] { return shared_->left == 0; });
        if (const std::exception_ptr thrown = std::exchange(shared_->thrown, nullptr)) std::rethrow_exception(thrown);
    }

 private:
    struct Shared {
        std::mutex mutex;
        std::condition_variable begin, end;
        const std::function<void(int)>* work = nullptr;
        unsigned round = 0;
        int left = 0;
        bool over = false;
        std::exception_ptr thrown;

        void attempt(int member) {
            try {
                (*work)(member);
            } catch (...) {
                const std::lock_guard lock(mutex);
                thrown = std::current_exception();
            }
        }
        void serve(int member) {
            for (unsigned done = 0;;) {
                {
                    std::unique_lock lock(mutex);
                    begin.wait(lock, [&] { return over || round != done; });
                    if (over) return;
                    done = round;
                }
                attempt(member);
                const std::lock_guard lock(mutex);
                if (--left == 0) end.notify_one();
            }
        }
    };

    [[nodiscard]] std::mutex& mutex() { return shared_->mutex; }
    void start() {
        shared_ = new Shared;
        process_ = this_process();
        for (int member = 1; member < size_; ++member)
            threads_.emplace_back([shared = shared_, member] { shared->serve(member); });
    }
    void dismiss() {
        {
            const std::lock_guard lock(mutex());
            shared_->over = true;
        }
        shared_->begin.notify_all();
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
        delete shared_;
    }
    // Leaves threads that exist in another process alone.
    void forget() {
        if (!threads_.empty()) new std::vector<std::thread>(std::move(threads_));
        threads_.clear();
        shared_ = nullptr;
    }

    const int size_;
    long process_ = this_process();
    std::vector<std::thread> threads_;
    Shared* shared_ = nullptr;  // left alone with the threads in the child of a fork
};

}  // namespace komadai
