#include "scarcity.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

namespace {

std::atomic<uint64_t> counted{0}, failing{0};
std::atomic<bool> watching{false}, lasting{false};
std::atomic<int64_t> blocks{0};

bool refused() {
    if (!watching.load(std::memory_order_relaxed)) return false;
    const uint64_t request = counted.fetch_add(1) + 1, nth = failing.load();
    return nth && (lasting.load() ? request >= nth : request == nth);
}

void* allocate(size_t size, size_t alignment = alignof(std::max_align_t)) noexcept {
    if (refused()) return nullptr;
    if (size > PTRDIFF_MAX - alignment) return nullptr;
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    void* found = std::aligned_alloc(alignment, rounded ? rounded : alignment);
    if (found) blocks.fetch_add(1, std::memory_order_relaxed);
    return found;
}

void* allocate_or_throw(size_t size, size_t alignment = alignof(std::max_align_t)) {
    if (void* found = allocate(size, alignment)) return found;
    throw std::bad_alloc();
}

void release(void* memory) noexcept {
    if (!memory) return;
    blocks.fetch_sub(1, std::memory_order_relaxed);
    std::free(memory);
}

}  // namespace

namespace komadai::test {

Scarcity::Scarcity(uint64_t nth, bool lasts) {
    counted = 0;
    failing = nth;
    lasting = lasts;
    watching = true;
}
Scarcity::~Scarcity() { watching = false; }
uint64_t Scarcity::requests() { return counted; }
int64_t live_blocks() { return blocks; }

}  // namespace komadai::test

using Alignment = std::align_val_t;
using Quiet = std::nothrow_t;

void* operator new(size_t size) { return allocate_or_throw(size); }
void* operator new[](size_t size) { return allocate_or_throw(size); }
void* operator new(size_t size, const Quiet&) noexcept { return allocate(size); }
void* operator new[](size_t size, const Quiet&) noexcept { return allocate(size); }
void* operator new(size_t size, Alignment at) { return allocate_or_throw(size, size_t(at)); }
void* operator new[](size_t size, Alignment at) { return allocate_or_throw(size, size_t(at)); }
void* operator new(size_t size, Alignment at, const Quiet&) noexcept { return allocate(size, size_t(at)); }
void* operator new[](size_t size, Alignment at, const Quiet&) noexcept { return allocate(size, size_t(at)); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, size_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t) noexcept { release(memory); }
void operator delete(void* memory, const Quiet&) noexcept { release(memory); }
void operator delete[](void* memory, const Quiet&) noexcept { release(memory); }
void operator delete(void* memory, Alignment) noexcept { release(memory); }
void operator delete[](void* memory, Alignment) noexcept { release(memory); }
void operator delete(void* memory, size_t, Alignment) noexcept { release(memory); }
void operator delete[](void* memory, size_t, Alignment) noexcept { release(memory); }
void operator delete(void* memory, Alignment, const Quiet&) noexcept { release(memory); }
void operator delete[](void* memory, Alignment, const Quiet&) noexcept { release(memory); }

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    return refused() ? EAGAIN : create(thread, attributes, start, argument);
}

// Read by the sanitizers: a request for more memory than there is fails as it does without them.
const char* __asan_default_options() { return "detect_leaks=1:allocator_may_return_null=1"; }
const char* __tsan_default_options() { return "allocator_may_return_null=1:halt_on_error=1"; }
}
// NOLINTEND(bugprone-reserved-identifier)
