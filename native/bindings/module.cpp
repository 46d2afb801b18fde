// The module _kernels: a file for each game says what it offers to Python.
#include <stdexcept>

#include "bindings/bind.hpp"

using namespace worldwise;

NB_MODULE(_kernels, module) {
    module.doc() = "Compiled kernels; see worldwise._kernels.pyi.";
    // Arguments that a check refuses are the project's own error, the same as from a readable twin. The module keeps it
    // alive, as does this reference.
    nb::object input_error = nb::module_::import_("worldwise.errors").attr("InputError");
    nb::register_exception_translator(
        [](const std::exception_ptr &error, void *raised) {
            try {
                std::rethrow_exception(error);
            } catch (const std::invalid_argument &refused) {
                PyErr_SetString(static_cast<PyObject *>(raised), refused.what());
            }
        },
        input_error.release().ptr());
    nb::register_exception_translator([](const std::exception_ptr &error, void *) {
        try {
            std::rethrow_exception(error);
        } catch (const LimitReached &) {
            PyErr_SetString(PyExc_TimeoutError, "limit reached");
        }
    });
    bind_trees(module);
    bind_extensive(module);
    bind_suits(module);
    bind_bridge(module);
    bind_kriegspiel(module);
}
