// The Python face of covers: the cheapest one, and what can be covered within a budget.
// Sets of examples cross as Python integers, a bit for each example. Searches run without the interpreter lock.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "../combine/cover.hpp"
#include "python_bits.hpp"
#include "python_poll.hpp"
#include "../combine/unions.hpp"

namespace nb = nanobind;

namespace joiner {
namespace {

// The words that a set needs, at least one.
size_t words_of(nb::handle set) {
    const size_t bits = nb::cast<size_t>(set.attr("bit_length")());
    return std::max<size_t>(words_for(bits), 1);
}

// A covering problem that was reduced once, and can then be solved with different limits.
class PyCovering {
  public:
    PyCovering(nb::int_ target, nb::sequence parts, std::vector<std::vector<uint32_t>> forbidden, nb::callable stop)
        : table_(reduced(target, parts, std::move(forbidden), stop)) {}
    const std::vector<uint32_t>& numbers() const { return table_.numbers; }
    const std::vector<std::vector<uint32_t>>& covering() const { return table_.covering; }
    std::pair<bool, std::optional<std::vector<uint32_t>>> cheapest(std::optional<Price> below, uint64_t work,
                                                                  nb::callable stop) const;

  private:
    static CoverTable reduced(nb::int_ target, nb::sequence parts, std::vector<std::vector<uint32_t>> forbidden,
                              nb::callable stop);

    CoverTable table_;
};

// Coverages are cut down to the target, so that only what is to be covered counts.
CoverTable PyCovering::reduced(nb::int_ target, nb::sequence parts, std::vector<std::vector<uint32_t>> forbidden,
                               nb::callable stop) {
    CoverProblem problem;
    problem.target = from_int(target, words_of(target));
    for (nb::handle part : parts) {
        problem.prices.push_back(nb::cast<Price>(part[0]));
        problem.coverages.push_back(from_int(nb::object(part[1]) & target, problem.target.size()));
    }
    for (const auto& together : forbidden)
        for (uint32_t number : together)
            if (number >= problem.prices.size()) throw nb::index_error("no such part");
    problem.forbidden = std::move(forbidden);
    Poll poll = poll_of(stop);
    nb::gil_scoped_release free;
    return CoverTable(problem, poll);
}

// Whether the answer is final, and the numbers of the parts of the cheapest cover, if one below the limit was found.
std::pair<bool, std::optional<std::vector<uint32_t>>> PyCovering::cheapest(std::optional<Price> below, uint64_t work,
                                                                          nb::callable stop) const {
    Poll poll = poll_of(stop);
    CoverSearch search(table_, std::min(below.value_or(CoverSearch::no_limit), CoverSearch::no_limit), work, poll);
    bool decided;
    {
        nb::gil_scoped_release free;
        decided = search.run();
    }
    if (!search.found()) return {decided, std::nullopt};
    std::vector<uint32_t> chosen;
    for (uint32_t place : search.best()) chosen.push_back(table_.numbers[place]);
    std::sort(chosen.begin(), chosen.end());
    return {decided, std::move(chosen)};
}

// The unions of parts by budget. Nothing is computed before the first question.
class PyUnions {
  public:
    PyUnions(nb::sequence parts, size_t most);
    nb::object within(uint32_t budget, nb::callable stop);

  private:
    static size_t words_of_all(nb::sequence parts) {
        size_t words = 1;
        for (nb::handle part : parts) words = std::max(words, words_of(part[1]));
        return words;
    }

    Unions unions_;
};

PyUnions::PyUnions(nb::sequence parts, size_t most) : unions_(words_of_all(parts), most) {
    const size_t words = words_of_all(parts);
    for (nb::handle part : parts) {
        const uint32_t price = nb::cast<uint32_t>(part[0]);
        if (!price) throw nb::value_error("a part costs something");
        unions_.add(price, from_int(part[1], words));
    }
}

// None where the core has given up.
nb::object PyUnions::within(uint32_t budget, nb::callable stop) {
    Poll poll = poll_of(stop);
    const std::vector<Bits>* found;
    {
        nb::gil_scoped_release free;
        found = unions_.within(budget, poll);
    }
    if (!found) return nb::none();
    nb::list sets;
    for (const Bits& set : *found) sets.append(to_int(set));
    return nb::object(sets);
}

}  // namespace

void bind_cover(nb::module_& m) {
    nb::class_<PyCovering>(m, "Covering")
        .def(nb::init<nb::int_, nb::sequence, std::vector<std::vector<uint32_t>>, nb::callable>(), nb::arg("target"),
             nb::arg("parts"), nb::arg("forbidden"), nb::arg("stop"))
        .def_prop_ro("numbers", &PyCovering::numbers)
        .def_prop_ro("covering", &PyCovering::covering)
        .def("cheapest", &PyCovering::cheapest, nb::arg("below").none(), nb::arg("work"), nb::arg("stop"));
    nb::class_<PyUnions>(m, "Unions")
        .def(nb::init<nb::sequence, size_t>(), nb::arg("parts"), nb::arg("most"))
        .def("within", &PyUnions::within, nb::arg("budget"), nb::arg("stop"));
}

}  // namespace joiner
