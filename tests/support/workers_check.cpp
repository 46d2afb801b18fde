// Parts of a job that fail, on any thread and at any time: the caller hears of it, every other part that has begun is
// done, and the same workers go on with the next job. It prints what is wrong, and then ends with 1.
#include <atomic>
#include <cstdio>
#include <new>
#include <stdexcept>

#include "common/workers.hpp"

using worldwise::Workers;

static int fail(const char *what) {
    std::printf("%s\n", what);
    return 1;
}

// One job of so many parts, of which some fail; whether it went as it must.
static bool run(Workers &workers, int parts, int failing) {
    std::atomic<int> begun{0}, ended{0};
    bool heard = false;
    try {
        workers.share(parts, [&](int number) {
            ++begun;
            struct Ends {
                std::atomic<int> &count;
                ~Ends() { ++count; }
            } ends{ended};
            if (failing > 0 && number % failing == failing - 1) throw std::runtime_error("a part that fails");
            if (failing < 0 && number == parts / 2) throw std::bad_alloc();
        });
    } catch (const std::exception &) {
        heard = true;
    }
    bool fails = (failing > 0 && parts >= failing) || (failing < 0 && parts > 0);
    return heard == fails && begun == ended && begun <= parts && (fails || begun == parts);
}

int main() {
    for (int threads : {1, 2, 4, 5000}) {
        Workers workers(threads);
        for (int round = 0; round < 300; ++round)
            for (int failing : {0, 1, 3, 0, -1, 0})
                if (!run(workers, round % 23, failing)) return fail("a job did not go as it must");
    }
    for (int round = 0; round < 300; ++round) Workers unused(4);
    std::printf("all jobs ended\n");
    return 0;
}
