// The Python face of the join.
// Pieces and examples cross as Python integers, a bit for each. Searches run without the interpreter lock.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "../join/conflicts.hpp"
#include "../join/coverages.hpp"
#include "../join/maximal.hpp"
#include "../join/most_covering.hpp"
#include "python_bits.hpp"
#include "python_poll.hpp"
#include "../join/smallest.hpp"

namespace nb = nanobind;

namespace joiner {
namespace {

// A front whose merits are Python integers of at most `width` bits.
class PyFront {
  public:
    explicit PyFront(size_t width) : merit_(words_for(width)), front_(merit_.size()) {}
    bool add(uint64_t cost, nb::int_ merit) { return front_.add(cost, words(merit)); }
    bool dominates(uint64_t cost, nb::int_ merit) { return front_.dominates(cost, words(merit)); }
    std::optional<size_t> dominator(uint64_t cost, nb::int_ merit) { return front_.dominator(cost, words(merit)); }
    size_t size() const { return front_.size(); }

  private:
    const uint64_t* words(nb::int_ merit) {
        from_int(merit, merit_.data(), merit_.size());
        return merit_.data();
    }

    Bits merit_;
    Front front_;
};

// The pieces of the join, and all questions about their conjunctions. Questions must not be asked by two threads at
// once.
class PyConjunctions {
  public:
    PyConjunctions(size_t positives, size_t negatives, nb::int_ required, size_t demands)
        : negatives_(negatives),
          required_words_(words_for(nb::cast<size_t>(required.attr("bit_length")()))),
          demands_(demands),
          obligations_(positives, negatives, from_int(required, required_words_), demands),
          reach_(obligations_),
          known_(words_for(positives)) {}

    void add(uint32_t cost, nb::int_ pos, nb::int_ neg, nb::int_ head, nb::int_ progress, nb::int_ stuck) {
        const size_t demands = words_for(demands_);
        obligations_.add({cost, examples(pos), from_int(neg, words_for(negatives_)), from_int(head, required_words_),
                          from_int(progress, demands), from_int(stuck, demands)});
    }
    void block(nb::int_ pos, uint64_t size) { known_.add(size, examples(pos).data()); }
    nb::tuple maximal(uint64_t bound, nb::int_ including, nb::callable stop);
    nb::object most_covering(nb::int_ uncovered, bool exact, nb::callable stop);
    nb::list smallest(nb::int_ covering, nb::callable stop);
    nb::object coverages(size_t most, nb::callable stop);
    bool can_cover(nb::int_ set) {
        Bits among = obligations_.covering_all(examples(set).data());
        return obligations_.narrow(among);
    }
    nb::list conflicts(nb::callable stop);
    nb::object all() const { return to_int(obligations_.meeting(0)); }
    nb::list owed();
    nb::list demands() const;
    nb::list covering() const;

  private:
    Bits examples(nb::int_ set) const { return from_int(set, obligations_.coverage_words()); }

    size_t negatives_, required_words_, demands_;
    Obligations obligations_;
    Reach reach_;
    Front known_;  // by size, what programs without negatives cover
};

// Conjunctions as (pieces, coverage, size), and whether the search came to its end. If it was stopped, what was found
// until then is returned and counts as known from then on.
nb::tuple PyConjunctions::maximal(uint64_t bound, nb::int_ including, nb::callable stop) {
    const Bits required = examples(including);
    Poll poll = poll_of(stop);
    std::vector<Conjunction> found;
    bool finished = true;
    try {
        nb::gil_scoped_release free;
        find_maximal(obligations_, known_, bound, required, poll, found);
    } catch (const Stopped&) {
        finished = false;
    }
    found = outermost(std::move(found));
    nb::list result;
    for (const Conjunction& conjunction : found) {
        nb::list pieces;
        for (const uint32_t piece : conjunction.pieces) pieces.append(piece);
        result.append(nb::make_tuple(nb::tuple(pieces), to_int(conjunction.pos), conjunction.size));
    }
    // Not before: an exception on the way leaves everything to be found again.
    for (const Conjunction& conjunction : found) known_.add(conjunction.size, conjunction.pos.data());
    return nb::make_tuple(result, finished);
}

// The positives that a conjunction covers, and whether it is proven that none covers more.
nb::object PyConjunctions::most_covering(nb::int_ uncovered, bool exact, nb::callable stop) {
    const Bits wanted = examples(uncovered);
    Poll poll = poll_of(stop);
    Coverable coverable;
    {
        nb::gil_scoped_release free;
        coverable = joiner::most_covering(obligations_, reach_, wanted, exact, poll);
    }
    return nb::make_tuple(to_int(coverable.examples), coverable.is_most);
}

// The pieces of a smallest conjunction that covers these positives. Raises ValueError if there is none.
nb::list PyConjunctions::smallest(nb::int_ covering, nb::callable stop) {
    constexpr uint64_t most_work = 10'000'000;  // words looked at: some ten milliseconds
    Bits among = obligations_.covering_all(examples(covering).data());
    if (!obligations_.narrow(among)) throw nb::value_error("no conjunction covers these examples");
    Poll poll = poll_of(stop);
    std::vector<uint32_t> pieces;
    {
        nb::gil_scoped_release free;
        pieces = joiner::smallest(obligations_, among, most_work, poll);
    }
    nb::list result;
    for (const uint32_t piece : pieces) result.append(piece);
    return result;
}

// None where there are too many sets, or too much work.
nb::object PyConjunctions::coverages(size_t most, nb::callable stop) {
    Poll poll = poll_of(stop);
    std::optional<std::vector<Bits>> sets;
    {
        nb::gil_scoped_release free;
        sets = joiner::coverages(reach_, obligations_.positives(), most, poll);
    }
    if (!sets) return nb::none();
    nb::list result;
    for (const Bits& set : *sets) result.append(to_int(set));
    return result;
}

nb::list PyConjunctions::conflicts(nb::callable stop) {
    constexpr uint64_t most_work = 100'000'000;  // words looked at: a tenth of a second
    Poll poll = poll_of(stop);
    std::vector<Bits> sets;
    {
        nb::gil_scoped_release free;
        sets = joiner::conflicts(reach_, obligations_, most_work, poll);
    }
    nb::list result;
    for (const Bits& set : sets) result.append(to_int(set));
    return result;
}

// By obligation, the pieces that meet it, as bits. This and the two below are for the join by other solvers.
nb::list PyConjunctions::owed() {
    nb::list rows;
    for (const Bits& row : obligations_.owed()) rows.append(to_int(row));
    return rows;
}

nb::list PyConjunctions::demands() const {
    nb::list pairs;
    for (const Demand& demand : obligations_.demands())
        pairs.append(nb::make_tuple(to_int(demand.bringing), to_int(demand.meeting)));
    return pairs;
}

nb::list PyConjunctions::covering() const {
    nb::list rows;
    for (size_t i = 0; i < obligations_.positives(); ++i) rows.append(to_int(obligations_.covering(i)));
    return rows;
}

}  // namespace

void bind_join(nb::module_& m) {
    nb::class_<PyFront>(m, "Front")
        .def(nb::init<size_t>(), nb::arg("width"))
        .def("__len__", &PyFront::size)
        .def("add", &PyFront::add, nb::arg("cost"), nb::arg("merit"))
        .def("dominates", &PyFront::dominates, nb::arg("cost"), nb::arg("merit"))
        .def("dominator", &PyFront::dominator, nb::arg("cost"), nb::arg("merit"));
    nb::class_<PyConjunctions>(m, "Conjunctions")
        .def(nb::init<size_t, size_t, nb::int_, size_t>(), nb::arg("positives"), nb::arg("negatives"),
             nb::arg("required"), nb::arg("demands"))
        .def("add", &PyConjunctions::add, nb::arg("cost"), nb::arg("pos"), nb::arg("neg"), nb::arg("head"),
             nb::arg("progress"), nb::arg("stuck"))
        .def("block", &PyConjunctions::block, nb::arg("pos"), nb::arg("size"))
        .def("maximal", &PyConjunctions::maximal, nb::arg("bound"), nb::arg("including"), nb::arg("stop"))
        .def("most_covering", &PyConjunctions::most_covering, nb::arg("uncovered"), nb::arg("exact"), nb::arg("stop"))
        .def("smallest", &PyConjunctions::smallest, nb::arg("covering"), nb::arg("stop"))
        .def("coverages", &PyConjunctions::coverages, nb::arg("most"), nb::arg("stop"))
        .def("can_cover", &PyConjunctions::can_cover, nb::arg("positives"))
        .def("conflicts", &PyConjunctions::conflicts, nb::arg("stop"))
        .def("all", &PyConjunctions::all)
        .def("owed", &PyConjunctions::owed)
        .def("demands", &PyConjunctions::demands)
        .def("covering", &PyConjunctions::covering);
}

}  // namespace joiner
