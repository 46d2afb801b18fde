// What the files that know Python share: those in this folder, and no others. Arrays in, arrays out, the GIL released
// while a kernel runs.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <utility>
#include <vector>

#include "bindings/checks.hpp"
#include "common/watch.hpp"

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

template <class T>
using Out = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

// What a kernel gives back: an array of numpy that nobody writes to.
template <class T>
using Array = nb::ndarray<nb::numpy, const T, nb::c_contig>;

// Python takes the vector over, and frees it with the last array that looks at it: nothing is copied.
template <class T, class Number>
Array<T> array_of(std::vector<Number> numbers, std::initializer_list<std::size_t> shape) {
    static_assert(sizeof(T) == sizeof(Number));
    auto *kept = new std::vector<Number>(std::move(numbers));
    nb::capsule owner(kept, [](void *vector) noexcept { delete static_cast<std::vector<Number> *>(vector); });
    return Array<T>(reinterpret_cast<const T *>(kept->data()), shape, owner);
}

template <class T>
Array<T> array_of(std::vector<T> numbers) {
    std::size_t size = numbers.size();
    return array_of<T>(std::move(numbers), {size});
}

// As many rows as there are.
template <class T>
Array<T> rows_of(std::vector<T> numbers, std::size_t width) {
    std::size_t rows = width ? numbers.size() / width : 0;
    return array_of<T>(std::move(numbers), {rows, width});
}

// An object of Python's that several threads may use: they take turns, a question each. Who waits for his turn holds no
// GIL, because the one whose turn it is needs it now and then, to look for Ctrl-C.
template <class Kernel>
class Shared {
  public:
    template <class... Arguments>
        requires std::constructible_from<Kernel, Arguments...>
    explicit Shared(Arguments &&...arguments) : kernel_(std::forward<Arguments>(arguments)...) {}

    template <class Question>
    auto ask(Question question) {
        nb::gil_scoped_release released;
        std::lock_guard turn(turn_);
        return question(kernel_);
    }

  private:
    std::mutex turn_;
    Kernel kernel_;
};

// Looks up from a long pass: throws when time is out, or what Python raises on an interrupt.
inline worldwise::Watch watch_of(std::int64_t most_nodes, double seconds) {
    worldwise::expect(!std::isnan(seconds), "a number of seconds");
    using Clock = std::chrono::steady_clock;
    auto start = Clock::now();
    auto last = start;
    return {most_nodes, [=]() mutable {
                auto now = Clock::now();
                if (seconds >= 0 && std::chrono::duration<double>(now - start).count() >= seconds)
                    throw worldwise::LimitReached{};
                if (now - last < std::chrono::milliseconds(50)) return;
                last = now;
                nb::gil_scoped_acquire held;
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
            }};
}

void bind_trees(nb::module_ &module);
void bind_extensive(nb::module_ &module);
void bind_suits(nb::module_ &module);
void bind_bridge(nb::module_ &module);
void bind_kriegspiel(nb::module_ &module);
