// The Python face of the fact store and the evaluators.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unordered_set.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include "bind_miner.hpp"
#include "../facts/coverage.hpp"
#include "../facts/proof.hpp"
#include "python_bits.hpp"
#include "python_poll.hpp"
#include "python_programs.hpp"
#include "python_terms.hpp"

namespace nb = nanobind;

namespace joiner {
namespace {

// What a program covers. Negatives are missing if they were not asked for.
struct Coverage {
    Bits pos;
    std::optional<Bits> neg;
    bool complete;
};

// The facts and examples of a task, and the evaluation of programs on them. One thread at a time may use it, except for
// `cancel`.
class Store {
  public:
    void declare(const std::string& name, uint32_t arity) { facts_.relation(name, arity); }
    void load(const Reading& reading, const std::vector<std::pair<std::string, uint32_t>>& wanted,
              nb::callable stop) {
        Poll poll = poll_of(stop);
        facts_.load(reading, wanted, poll);
        forget();
    }
    void add_asp(const std::string& name, uint32_t arity, std::string_view text) {
        facts_.add_asp(name, arity, text);
        forget();
    }
    void project(nb::handle head, nb::handle pattern);
    void set_examples(const std::string& name, uint32_t arity, nb::sequence pos, nb::sequence neg);
    TermId intern(nb::handle term) { return from_python(facts_.bank, term); }
    nb::object term(TermId number) const {
        if (number >= terms()) throw nb::index_error("no such term");
        return to_python(facts_.bank, number);
    }
    size_t terms() const { return facts_.bank.size(); }
    uint32_t count(const std::string& name, uint32_t arity) {
        const Relation* found = facts_.find(name, arity);
        return found ? found->rows().count : 0;
    }
    nb::list facts(const std::string& name, uint32_t arity, uint32_t most);
    std::string asp_facts(const std::string& name, uint32_t arity, const std::string& as) {
        return facts_.asp_facts(name, arity, as);
    }
    std::string asp_terms(const std::string& functor, uint32_t arity, const std::string& as) {
        return facts_.asp_terms(functor, arity, as);
    }
    std::string asp_universe(const std::string& as) { return facts_.asp_universe(as); }
    std::vector<TermId> evaluable(const std::unordered_set<std::string>& symbols,
                                  const std::vector<std::pair<std::string, uint32_t>>& functors) {
        return facts_.evaluable(symbols, {functors.begin(), functors.end()});
    }
    nb::list evaluate(nb::sequence programs, std::optional<uint64_t> limit, bool lazy, nb::object result);
    nb::object prove(nb::handle program, nb::handle name, nb::sequence args, std::optional<uint64_t> limit);
    nb::object miner(nb::handle space, size_t memory) { 
        const auto make = nb::cast<bool>(space.attr("wide")) ? make_miner_wide : make_miner_narrow;
        return make(facts_, pos_, neg_, head_arity_, space, memory);
    }
    void cancel() { cancel_.store(true, std::memory_order_relaxed); }

  private:
    // New facts change what literals cover.
    void forget() {
        pos_.forget();
        neg_.forget();
    }
    ExampleSet example_set(uint32_t arity, nb::sequence atoms);
    Budget budget();
    Coverage cover(Machine& machine, const Program& program, bool lazy);

    FactBase facts_;
    std::string head_name_;
    uint32_t head_arity_ = 0;
    ExampleSet pos_, neg_;
    std::atomic<bool> cancel_{false};
};

// Both are literals, tuples (name, args); variable 0 of the head is the whole term.
void Store::project(nb::handle head, nb::handle pattern) {
    Compiler compiler(facts_);
    uint32_t bound = 1, used = 0;
    const auto args = compiler.arguments(PyTuple_GET_ITEM(pattern.ptr(), 1), bound);
    const auto row = compiler.arguments(PyTuple_GET_ITEM(head.ptr(), 1), used);
    if (used > bound) throw nb::value_error("the pattern does not bind a variable of the head");
    facts_.project(std::string(utf8(PyTuple_GET_ITEM(head.ptr(), 0))), row, utf8(PyTuple_GET_ITEM(pattern.ptr(), 0)), args);
    forget();
}

// Each example is a tuple of ground terms.
ExampleSet Store::example_set(uint32_t arity, nb::sequence atoms) {
    ExampleSet examples(arity);
    std::vector<TermId> row;
    for (nb::handle args : atoms) {
        row.clear();
        for (nb::handle arg : nb::cast<nb::tuple>(args)) row.push_back(intern(arg));
        if (row.size() != arity) throw nb::value_error("an example does not fit the predicate's arity");
        examples.add(row.data());
    }
    return examples;
}

void Store::set_examples(const std::string& name, uint32_t arity, nb::sequence pos, nb::sequence neg) {
    if (arity > most_arguments) throw nb::value_error("a predicate has at most 63 arguments here");
    head_name_ = name;
    head_arity_ = arity;
    pos_ = example_set(arity, pos);
    neg_ = example_set(arity, neg);
}

// The first facts of a predicate as tuples of terms.
nb::list Store::facts(const std::string& name, uint32_t arity, uint32_t most) {
    nb::list result;
    const Relation* found = facts_.find(name, arity);
    if (!found) return result;
    const Rows rows = found->rows();
    for (uint32_t i = 0; i < std::min(rows.count, most); ++i) {
        nb::list row;
        for (uint32_t c = 0; c < arity; ++c) row.append(term(rows.first[size_t(i) * arity + c]));
        result.append(nb::tuple(row));
    }
    return result;
}

// Looks at Python's signals now and then, so that an interrupt ends even one long program.
Budget Store::budget() {
    cancel_.store(false, std::memory_order_relaxed);
    auto last = std::chrono::steady_clock::now();
    return Budget(cancel_, [last]() mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(50)) return;
        last = now;
        nb::gil_scoped_acquire python;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
}

// With `lazy`, negatives are not tested if no positive is covered.
Coverage Store::cover(Machine& machine, const Program& program, bool lazy) {
    Tester tester(program, machine, facts_.bank);
    Coverage coverage{tester.covered(pos_), std::nullopt, true};
    if (!lazy || any(coverage.pos.data(), coverage.pos.size())) coverage.neg = tester.covered(neg_);
    coverage.complete = !machine.budget().exhausted();
    return coverage;
}

// Evaluates programs one after the other. Each has `limit` rows. `result` is called with the coverage of the positives,
// that of the negatives or None, and whether the evaluation is complete.
nb::list Store::evaluate(nb::sequence programs, std::optional<uint64_t> limit, bool lazy, nb::object result) {
    Budget budget = this->budget();
    Machine machine(facts_.bank, budget);
    Compiler compiler(facts_);
    nb::list evaluations;
    const size_t total = nb::len(programs);
    constexpr size_t chunk = 1024;  // between chunks Python's other threads get their turn
    for (size_t first = 0; first < total; first += chunk) {
        std::vector<Program> compiled;
        for (size_t i = first; i < std::min(total, first + chunk); ++i)
            compiled.push_back(compiler.compile(nb::object(programs[i]), head_name_, head_arity_));
        std::vector<Coverage> coverages;
        {
            nb::gil_scoped_release free;
            for (const Program& program : compiled) {
                budget.start(limit.value_or(std::numeric_limits<uint64_t>::max()));
                coverages.push_back(cover(machine, program, lazy));
            }
        }
        for (const Coverage& c : coverages)
            evaluations.append(result(to_int(c.pos), c.neg ? to_int(*c.neg) : nb::none(), c.complete));
    }
    return evaluations;
}

// The steps of a derivation as (rule, values, premises), premises first, or None if the atom does not follow.
nb::object Store::prove(nb::handle source, nb::handle name, nb::sequence args, std::optional<uint64_t> limit) {
    std::vector<TermId> row;
    for (nb::handle arg : args) row.push_back(intern(arg));
    const Program program = Compiler(facts_).compile(source, utf8(name), static_cast<uint32_t>(row.size()));
    if (program.target < 0) return nb::none();
    Budget budget = this->budget();
    budget.start(limit.value_or(std::numeric_limits<uint64_t>::max()));
    Machine machine(facts_.bank, budget);
    std::vector<ProofStep> steps;
    {
        nb::gil_scoped_release free;
        steps = derive(program, machine, facts_.bank, row);
    }
    if (steps.empty() && budget.exhausted()) throw std::bad_alloc();  // a proof may be there, beyond what tables hold
    if (steps.empty()) return nb::none();
    nb::list result;
    for (const ProofStep& step : steps) {
        nb::list values, premises;
        for (TermId value : step.values) values.append(value == no_term ? nb::none() : term(value));
        for (const auto& premise : step.premises) premises.append(premise);
        result.append(nb::make_tuple(step.rule, nb::tuple(values), nb::tuple(premises)));
    }
    return result;
}

}  // namespace

void bind_store(nb::module_& m) {
    nb::exception<Stopped>(m, "Stopped");
    nb::class_<Store>(m, "Store")
        .def(nb::init<>())
        .def("declare", &Store::declare, nb::arg("name"), nb::arg("arity"))
        .def("load", &Store::load, nb::arg("reading"), nb::arg("wanted"), nb::arg("stop"))
        .def("add_asp", &Store::add_asp, nb::arg("name"), nb::arg("arity"), nb::arg("text"))
        .def("project", &Store::project, nb::arg("head"), nb::arg("pattern"))
        .def("set_examples", &Store::set_examples, nb::arg("name"), nb::arg("arity"), nb::arg("pos"), nb::arg("neg"))
        .def("intern", &Store::intern, nb::arg("term"))
        .def("term", &Store::term, nb::arg("number"))
        .def("terms", &Store::terms)
        .def("count", &Store::count, nb::arg("name"), nb::arg("arity"))
        .def("facts", &Store::facts, nb::arg("name"), nb::arg("arity"), nb::arg("most"))
        .def("asp_facts", &Store::asp_facts, nb::arg("name"), nb::arg("arity"), nb::arg("as_"))
        .def("asp_terms", &Store::asp_terms, nb::arg("functor"), nb::arg("arity"), nb::arg("as_"))
        .def("asp_universe", &Store::asp_universe, nb::arg("as_"))
        .def("evaluable", &Store::evaluable, nb::arg("symbols"), nb::arg("functors"))
        .def("evaluate", &Store::evaluate, nb::arg("programs"), nb::arg("limit").none(), nb::arg("lazy"), nb::arg("result"))
        .def("prove", &Store::prove, nb::arg("program"), nb::arg("name"), nb::arg("args"), nb::arg("limit").none())
        .def("miner", &Store::miner, nb::arg("space"), nb::arg("memory"), nb::keep_alive<0, 1>())
        .def("cancel", &Store::cancel);
}

}  // namespace joiner
