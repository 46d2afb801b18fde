// What the files that know Python share: those in this folder, and no others. Arrays in, arrays out, the GIL released
// while a kernel runs.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "trees/tree.hpp"

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

template <class T>
using Out = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <class T>
nb::bytes bytes_of(const std::vector<T> &numbers) {
    return nb::bytes(numbers.data(), numbers.size() * sizeof(T));
}

// Looks up from a long pass: throws when time is out, or what Python raises on an interrupt.
inline worldwise::Watch watch_of(std::int64_t most_nodes, double seconds) {
    using Clock = std::chrono::steady_clock;
    auto start = Clock::now();
    auto last = start;
    return {most_nodes, [=]() mutable {
                auto now = Clock::now();
                if (seconds >= 0 && std::chrono::duration<double>(now - start).count() >= seconds) throw worldwise::LimitReached{};
                if (now - last < std::chrono::milliseconds(50)) return;
                last = now;
                nb::gil_scoped_acquire held;
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
            }};
}

void bind_trees(nb::module_ &module);
void bind_extensive(nb::module_ &module);
void bind_bridge(nb::module_ &module);
void bind_kriegspiel(nb::module_ &module);
