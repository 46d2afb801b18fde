// The module _kernels: a file for each game says what it offers to Python.
#include "bindings/bind.hpp"

using namespace worldwise;

NB_MODULE(_kernels, module) {
    module.doc() = "Compiled kernels; see worldwise._kernels.pyi.";
    nb::register_exception_translator([](const std::exception_ptr &error, void *) {
        try {
            std::rethrow_exception(error);
        } catch (const LimitReached &) {
            PyErr_SetString(PyExc_TimeoutError, "limit reached");
        }
    });
    bind_trees(module);
    bind_extensive(module);
    bind_bridge(module);
    bind_kriegspiel(module);
}
