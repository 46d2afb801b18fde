// Extensive-form games for Python: IMP-minimax, and the first step of reading .efg files.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "bindings/bind.hpp"
#include "bindings/tree_checks.hpp"
#include "extensive/efg.hpp"
#include "extensive/imp.hpp"

using namespace worldwise;

namespace {

using ImpAnswer = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

// IMP-alpha-beta if there is an upper bound, otherwise IMP-minimax: the value and what was counted.
template <class ImpTree>
ImpAnswer imp(ImpTree &tree, std::optional<std::int64_t> upper, std::int64_t most_nodes, double seconds) {
    nb::gil_scoped_release released;
    Watch watch = watch_of(most_nodes, seconds);
    Imp<ImpTree> search(tree, watch);
    std::int64_t value = upper ? search.alpha_beta(*upper) : search.minimax();
    auto &counts = search.counts;
    return {value, counts.nodes, counts.leaves, counts.immediate, counts.information_set};
}

ImpAnswer bind_imp_game(In<std::int32_t> event, In<std::int32_t> offsets, In<std::int32_t> children,
                        In<std::int64_t> probs, In<std::int64_t> worths, In<std::int32_t> players,
                        In<std::int32_t> sizes, std::optional<std::int64_t> upper, std::int64_t most_nodes,
                        double seconds, Out<std::int32_t> chosen, Out<std::int32_t> met) {
    std::size_t nodes = event.size(), events = players.size();
    expect(offsets.size() == nodes + 1 && children.size() + 1 == nodes && probs.size() == nodes &&
               worths.size() == nodes && sizes.size() == events && chosen.size() == events && met.size() == events,
           "arrays of the same nodes and the same events");
    expect_apart({Stretch(chosen), Stretch(met)}, {Stretch(event), Stretch(offsets), Stretch(children), Stretch(probs),
                                                   Stretch(worths), Stretch(players), Stretch(sizes)});
    expect_apart({Stretch(chosen)}, {Stretch(met)});
    WholeGame game{event.data(),   offsets.data(), children.data(), probs.data(),  worths.data(),
                   players.data(), sizes.data(),   events,          chosen.data(), met.data()};
    check_game(game, nodes, upper.value_or(0));
    std::fill_n(chosen.data(), events, -1);
    std::fill_n(met.data(), events, 0);
    return imp(game, upper, most_nodes, seconds);
}

// The nodes of the model are numbers, and all that chance may draw lie on the stack at once.
void check_model(int k, int b, int d, std::uint64_t highest) {
    expect(k >= 1 && b >= 1, "k and b of at least 1");
    expect_within(d, 2, IMP_DEEPEST, "d");
    std::uint64_t draws = 1, nodes = 1;
    for (int level = 1; level < d; ++level) {
        const std::uint64_t draw = static_cast<std::uint64_t>(k), below = draw * static_cast<std::uint64_t>(b);
        expect(draws <= IMP_MOST_DRAWS / draw, "a model with fewer draws");
        expect(nodes <= static_cast<std::uint64_t>(IMP_LARGEST) / below, "a model with fewer leaves");
        draws *= draw, nodes *= below;
    }
    expect(highest <= static_cast<std::uint64_t>(IMP_LARGEST) / draws, "a smaller highest payoff");
}

ImpAnswer bind_imp_model(int k, int b, int d, std::uint64_t highest, std::uint64_t seed, bool prune,
                         std::int64_t most_nodes, double seconds) {
    check_model(k, b, d, highest);
    ImpModelTree model(k, b, d, highest, seed);
    return imp(model, prune ? std::optional<std::int64_t>(highest) : std::nullopt, most_nodes, seconds);
}

// Texts as Python has them; lone surrogates come from Python and go back to it.
nb::list strings_of(const std::vector<std::string_view> &texts, bool are_escaped) {
    nb::list list = nb::steal<nb::list>(PyList_New(Py_ssize_t(texts.size())));
    if (!list.is_valid()) throw nb::python_error();
    std::string kept;
    for (std::size_t at = 0; at < texts.size(); ++at) {
        std::string_view text = texts[at];
        if (are_escaped && text.find('\\') != text.npos) text = kept = plain(text);
        PyObject *string = PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "surrogatepass");
        if (!string) throw nb::python_error();
        PyList_SetItem(list.ptr(), Py_ssize_t(at), string);
    }
    return list;
}

nb::tuple mentions_of(Mentions &&mentions) {
    return nb::make_tuple(array_of(std::move(mentions.player)), array_of(std::move(mentions.number)),
                          strings_of(mentions.name, true), array_of(std::move(mentions.listed)),
                          strings_of(mentions.lists(), false));
}

nb::tuple bind_scan_efg(nb::bytes text) {
    ScannedEfg scanned;
    {
        nb::gil_scoped_release released;
        scanned = scan_efg({text.c_str(), text.size()});
    }
    return nb::make_tuple(array_of(std::move(scanned.event)), array_of(std::move(scanned.outcome)),
                          array_of(std::move(scanned.named)), strings_of(scanned.names, true),
                          mentions_of(std::move(scanned.sets)), mentions_of(std::move(scanned.outcomes)),
                          scanned.whole);
}

}  // namespace

void bind_extensive(nb::module_ &module) {
    module.def("imp_game", &bind_imp_game, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
               nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
               nb::arg().none(), nb::arg(), nb::arg(), nb::arg().noconvert(), nb::arg().noconvert());
    module.def("imp_model", &bind_imp_model);
    module.attr("IMP_DEEPEST") = IMP_DEEPEST;
    module.attr("IMP_LARGEST") = IMP_LARGEST;
    module.attr("IMP_MOST_DRAWS") = IMP_MOST_DRAWS;
    module.def("scan_efg", &bind_scan_efg);
}
