// A few threads that share out the parts of a job, again and again: leaves of a search, thousands a second.
//
// Race policy: one caller at a time. What a part writes is its own until `share` returns, and everything that parts
// wrote is then visible to the caller: `busy_` is counted down after, and waited for. If a part throws, parts that
// nobody has begun are left out, and the caller gets the first error when all threads are done with theirs.
//
// Threads are help, not a promise: there are never more than `most_threads`, and fewer where the system gives no more.
#pragma once

#include <algorithm>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace worldwise {

class Workers {
  public:
    // The caller works too, so one thread fewer is started.
    explicit Workers(int threads) {
        threads = std::min(threads, most_threads());
        threads_.reserve(static_cast<std::size_t>(std::max(threads, 1)));
        try {
            for (int number = 1; number < threads; ++number) threads_.emplace_back([this] { serve(); });
        } catch (const std::exception &) {
            // As many as there are will do: what they share does not depend on their number.
        }
    }

    // Four for every processor, and never more than 64: beyond that they only wait for each other.
    static int most_threads() {
        return std::clamp(4 * static_cast<int>(std::thread::hardware_concurrency()), 4, 64);
    }

    ~Workers() {
        stopping_ = true;
        wake();
        for (std::thread &thread : threads_) thread.join();
    }

    Workers(const Workers &) = delete;
    Workers &operator=(const Workers &) = delete;

    // Whether the caller has nobody to share with.
    bool alone() const { return threads_.empty(); }

    // Calls `part` with every number below `parts`, each once, and returns when all are done.
    void share(int parts, const std::function<void(int)> &part) {
        if (threads_.empty() || parts < 2) {
            for (int number = 0; number < parts; ++number) part(number);
            return;
        }
        part_ = &part;
        parts_ = parts;
        busy_ = static_cast<int>(threads_.size());
        next_ = 0;
        wake();
        work();
        while (busy_.load() != 0) std::this_thread::yield();
        if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
    }

  private:
    void wake() {
        {
            std::lock_guard lock(mutex_);
            ++round_;
        }
        ready_.notify_all();
    }

    void work() {
        try {
            for (int number = next_++; number < parts_; number = next_++) (*part_)(number);
        } catch (...) {
            std::lock_guard lock(mutex_);
            if (!failed_) failed_ = std::current_exception();
            next_ = parts_;
        }
    }

    void serve() {
        unsigned seen = 0;
        for (;;) {
            // A leaf follows upon a leaf, so look about for a while before falling asleep.
            for (int look = 0; look < 2000 && round_.load() == seen; ++look) std::this_thread::yield();
            if (round_.load() == seen) {
                std::unique_lock lock(mutex_);
                ready_.wait(lock, [&] { return round_.load() != seen; });
            }
            seen = round_.load();
            if (stopping_) return;
            work();
            --busy_;
        }
    }

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable ready_;
    std::atomic<unsigned> round_{0};
    std::atomic<bool> stopping_{false};
    std::atomic<int> next_{0}, busy_{0};
    const std::function<void(int)> *part_ = nullptr;
    int parts_ = 0;
    std::exception_ptr failed_;  // under the lock, until all are done
};

}  // namespace worldwise
