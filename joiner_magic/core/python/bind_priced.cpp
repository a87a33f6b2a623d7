// The Python face of rules where errors have a price.
// Examples cross as Python integers, a bit for each; prices as whole numbers in one unit. Searches run without the interpreter
// lock.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "../priced/closure.hpp"
#include "../priced/local_search.hpp"
#include "../priced/underpriced.hpp"
#include "python_bits.hpp"
#include "python_poll.hpp"

namespace nb = nanobind;

namespace joiner {
namespace {

// A cut as (positive, dual, weights of negatives).
using PyCut = std::tuple<uint32_t, int64_t, std::vector<std::pair<uint32_t, int64_t>>>;

// The pieces of rules, and all questions about what they cost. Questions must not be asked by two threads at once.
class PyPricedPieces {
  public:
    PyPricedPieces(nb::int_ required, size_t demands, int64_t literal, const std::vector<int64_t>& missed,
                   const std::vector<int64_t>& wrong)
        : required_words_(words_for(nb::cast<size_t>(required.attr("bit_length")()))),
          demand_words_(words_for(demands)),
          pieces_(from_int(required, required_words_), demands, literal, missed, wrong) {}

    void add(uint32_t cost, nb::int_ pos, nb::int_ neg, nb::int_ head, nb::int_ progress, nb::int_ stuck) {
        pieces_.add({cost, positives(pos), negatives(neg), from_int(head, required_words_), from_int(progress, demand_words_),
                     from_int(stuck, demand_words_)});
    }
    void add_whole(uint32_t literals, nb::int_ pos, nb::int_ neg) {
        pieces_.add_whole(literals, positives(pos), negatives(neg));
    }
    nb::tuple cheaper(nb::list begin, uint64_t rounds, uint64_t most_work, uint64_t seed, nb::callable stop);
    nb::object closure(size_t most_kept, uint64_t most_work, nb::callable stop, nb::object proof);
    nb::tuple underpriced(const std::vector<PyCut>& cuts, int64_t whole, int64_t price, size_t most_rules, uint64_t most_work,
                          nb::callable stop);
    nb::object best_rule(const std::vector<int64_t>& earning, const std::vector<int64_t>& paying, int64_t above,
                         uint64_t most_nodes, nb::callable stop);

  private:
    Bits positives(nb::int_ set) const { return from_int(set, pieces_.positive_words()); }
    Bits negatives(nb::int_ set) const { return from_int(set, pieces_.negative_words()); }
    PricedRule rule_of(nb::handle value) const;
    static nb::tuple to_python(const PricedRule& rule);

    size_t required_words_, demand_words_;
    PricedPieces pieces_;
};

// A rule as (pieces, whole, size, positives, negatives): of a whole rule its number, and no pieces.
nb::tuple PyPricedPieces::to_python(const PricedRule& rule) {
    nb::list pieces;
    for (const uint32_t piece : rule.pieces) pieces.append(piece);
    nb::object whole = rule.is_whole() ? nb::cast(rule.whole) : nb::none();
    return nb::make_tuple(nb::tuple(pieces), whole, rule.size, to_int(rule.pos), to_int(rule.neg));
}

// From (pieces, whole), what a rule was told as.
PricedRule PyPricedPieces::rule_of(nb::handle value) const {
    const nb::tuple told = nb::cast<nb::tuple>(value);
    if (!told[1].is_none()) {
        const size_t number = nb::cast<size_t>(told[1]);
        if (number >= pieces_.whole().size()) throw nb::index_error("there is no such whole rule");
        return pieces_.whole()[number];
    }
    const auto numbers = nb::cast<std::vector<uint32_t>>(told[0]);
    for (const uint32_t number : numbers)
        if (number >= pieces_.size()) throw nb::index_error("there is no such piece");
    return pieces_.conjunction(numbers);
}

// A cheaper hypothesis, or the one to begin with as it becomes without rules that do not pay: its rules and its cost.
nb::tuple PyPricedPieces::cheaper(nb::list begin, uint64_t rounds, uint64_t most_work, uint64_t seed, nb::callable stop) {
    std::vector<PricedRule> rules;
    for (nb::handle value : begin) rules.push_back(rule_of(value));
    Poll poll = poll_of(stop);
    PricedHypothesis found;
    {
        nb::gil_scoped_release free;
        found = cheaper_hypothesis(pieces_, std::move(rules), rounds, most_work, seed, poll);
    }
    nb::list result;
    for (const PricedRule& rule : found.rules) result.append(to_python(rule));
    return nb::make_tuple(result, found.cost);
}

// None where there are too many rules, or too much work.
nb::object PyPricedPieces::closure(size_t most_kept, uint64_t most_work, nb::callable stop, nb::object proof) {
    std::optional<DualProof> duals;
    if (!proof.is_none()) {
        auto [earning, price, slack] = nb::cast<std::tuple<std::vector<int64_t>, int64_t, int64_t>>(proof);
        duals = DualProof{Weights(earning), price, slack};
        if (duals->earning.words() != pieces_.positive_words()) throw nb::value_error("a worth for each positive");
    }
    Poll poll = poll_of(stop);
    std::optional<std::vector<PricedRule>> rules;
    {
        nb::gil_scoped_release free;
        rules = joiner::closure(pieces_, most_kept, most_work, poll, duals ? &*duals : nullptr);
    }
    if (!rules) return nb::none();
    nb::list result;
    for (const PricedRule& rule : *rules) result.append(to_python(rule));
    return result;
}

// Rules that earn more than their price by the cuts, and whether all were looked at.
nb::tuple PyPricedPieces::underpriced(const std::vector<PyCut>& told, int64_t whole, int64_t price, size_t most_rules,
                                      uint64_t most_work, nb::callable stop) {
    Cuts cuts{{}, whole};
    for (const auto& [positive, dual, weights] : told) {
        if (positive >= pieces_.positives()) throw nb::index_error("there is no such positive");
        for (const auto& [negative, weight] : weights)
            if (negative >= pieces_.negatives()) throw nb::index_error("there is no such negative");
        cuts.each.push_back({positive, dual, weights});
    }
    Poll poll = poll_of(stop);
    Underpriced found;
    {
        nb::gil_scoped_release free;
        found = underpriced_rules(pieces_, cuts, price, most_rules, most_work, poll);
    }
    nb::list result;
    for (const PricedRule& rule : found.rules) result.append(to_python(rule));
    return nb::make_tuple(result, found.is_complete);
}

// The rule that is worth most, by what each positive earns and each negative costs, its worth, and whether that is proven; None
// in place of the rule if none is worth more than `above`.
nb::object PyPricedPieces::best_rule(const std::vector<int64_t>& earning, const std::vector<int64_t>& paying, int64_t above,
                                     uint64_t most_nodes, nb::callable stop) {
    const Weights earns(earning), pays(paying);
    if (earns.words() != pieces_.positive_words() || pays.words() != pieces_.negative_words())
        throw nb::value_error("a price for each example");
    Poll poll = poll_of(stop);
    const PricedRule all = pieces_.nothing();
    BestRule best;
    {
        nb::gil_scoped_release free;
        best = joiner::best_rule(pieces_, {all.pos, all.neg, earns, pays}, above, most_nodes, poll);
    }
    nb::object rule = nb::none();
    if (best.rule) rule = to_python(*best.rule);
    return nb::make_tuple(rule, best.worth, best.is_best);
}

}  // namespace

void bind_priced(nb::module_& m) {
    nb::class_<PyPricedPieces>(m, "PricedPieces")
        .def(nb::init<nb::int_, size_t, int64_t, const std::vector<int64_t>&, const std::vector<int64_t>&>(),
             nb::arg("required"), nb::arg("demands"), nb::arg("literal"), nb::arg("missed"), nb::arg("wrong"))
        .def("add", &PyPricedPieces::add, nb::arg("cost"), nb::arg("pos"), nb::arg("neg"), nb::arg("head"),
             nb::arg("progress"), nb::arg("stuck"))
        .def("add_whole", &PyPricedPieces::add_whole, nb::arg("literals"), nb::arg("pos"), nb::arg("neg"))
        .def("cheaper", &PyPricedPieces::cheaper, nb::arg("begin"), nb::arg("rounds"), nb::arg("most_work"),
             nb::arg("seed"), nb::arg("stop"))
        .def("closure", &PyPricedPieces::closure, nb::arg("most_kept"), nb::arg("most_work"), nb::arg("stop"),
             nb::arg("proof") = nb::none())
        .def("underpriced", &PyPricedPieces::underpriced, nb::arg("cuts"), nb::arg("whole"), nb::arg("price"),
             nb::arg("most_rules"), nb::arg("most_work"), nb::arg("stop"))
        .def("best_rule", &PyPricedPieces::best_rule, nb::arg("earning"), nb::arg("paying"), nb::arg("above"),
             nb::arg("most_nodes"), nb::arg("stop"));
}

}  // namespace joiner
