// How the outside stops a kernel: a limit of nodes, of time, or Ctrl-C.
#pragma once

#include <cstdint>
#include <functional>

namespace worldwise {

// Thrown when a limit runs out.
struct LimitReached {};

// Lets the outside stop a long pass: `poll` may throw.
struct Watch {
    std::int64_t most_nodes;  // negative: no limit
    std::function<void()> poll;

    void node(std::int64_t nodes) const {
        if (most_nodes >= 0 && nodes >= most_nodes) throw LimitReached{};
        if (nodes % 1024 == 1) poll();  // the very first, then every so often
    }

    // Counts several at once.
    void nodes(std::int64_t &counted, std::int64_t more) const {
        std::int64_t before = counted;
        counted += more;
        if (most_nodes >= 0 && counted >= most_nodes) throw LimitReached{};
        if ((before + 1023) / 1024 != (counted + 1023) / 1024) poll();
    }
};

}  // namespace worldwise
