// The Python face of the fact store and the evaluators.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <chrono>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

#include "evaluate.hpp"
#include "python_terms.hpp"
#include "reader.hpp"
#include "tabling.hpp"

namespace nb = nanobind;

namespace joiner {
namespace {

constexpr uint32_t most_arguments = 32;
constexpr long most_variables = 1 << 16;

std::string_view utf8(nb::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) throw nb::python_error();
    return {data, static_cast<size_t>(size)};
}

nb::object to_int(const Bits& bits) {
    if (bits.size() <= 1) return nb::steal(PyLong_FromUnsignedLongLong(bits.empty() ? 0 : bits[0]));
    std::vector<unsigned char> bytes(bits.size() * 8);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(bits[i / 8] >> (i % 8 * 8));
#if PY_VERSION_HEX >= 0x030D0000
    return nb::steal(PyLong_FromUnsignedNativeBytes(bytes.data(), bytes.size(), Py_ASNATIVEBYTES_LITTLE_ENDIAN));
#else
    return nb::steal(_PyLong_FromByteArray(bytes.data(), bytes.size(), 1, 0));
#endif
}

Bits all_ones(uint32_t count) {
    Bits bits((count + 63) / 64, ~uint64_t(0));
    if (count % 64) bits.back() = (uint64_t(1) << (count % 64)) - 1;
    return bits;
}

bool any(const Bits& bits) {
    for (uint64_t word : bits)
        if (word) return true;
    return false;
}

struct Coverage {
    Bits pos, neg;
    bool tested_neg = false;
    bool complete = true;
};

class Store {
  public:
    Store() { bank_.symbol("[]"); }  // so that "all terms" is never nobody

    void declare(const std::string& name, uint32_t arity) { relation(name, arity); }
    void load(const Reading& reading, const std::vector<std::pair<std::string, uint32_t>>& wanted);
    void add_asp(const std::string& name, uint32_t arity, std::string_view text);
    void set_examples(const std::string& name, uint32_t arity, nb::sequence pos, nb::sequence neg);
    TermId intern(nb::handle term) { return from_python(bank_, term); }
    nb::object term(TermId id) const { return to_python(bank_, checked(id)); }
    size_t terms() const { return bank_.size(); }
    uint32_t count(const std::string& name, uint32_t arity) {
        const Relation* found = find(name, arity);
        return found ? found->rows().count : 0;
    }
    nb::list facts(const std::string& name, uint32_t arity, uint32_t most);
    std::string asp_facts(const std::string& name, uint32_t arity, const std::string& as);
    std::string asp_terms(const std::string& functor, uint32_t arity, const std::string& as) const;
    std::string asp_universe(const std::string& as) const;
    nb::list evaluate(nb::sequence programs, std::optional<uint64_t> limit, bool lazy, nb::object result);
    nb::object prove(nb::handle program, nb::handle name, nb::sequence args, std::optional<uint64_t> limit);
    void cancel() { cancel_.store(true, std::memory_order_relaxed); }

  private:
    // New facts change what literals cover.
    void forget() {
        pos_.forget();
        neg_.forget();
    }
    TermId checked(TermId id) const {
        if (id >= bank_.size()) throw nb::index_error("no such term");
        return id;
    }
    Relation* find(std::string_view name, uint32_t arity);
    Relation& known(std::string_view name, uint32_t arity);
    Relation& relation(const std::string& name, uint32_t arity);
    std::string asp(TermId id) const;

    Program compile(nb::handle program, std::string_view target, uint32_t arity);
    Arg compile_arg(nb::handle arg, uint32_t& variables);
    std::vector<Arg> compile_args(nb::handle args, uint32_t& variables);
    void compile_body(Program& program, Rule& rule, nb::handle body);
    Budget budget();
    Coverage cover(Machine& machine, const Program& program, bool lazy);
    Bits cover(Machine& machine, const Program& program, std::vector<Plan>& plans, ExampleSet& examples);

    TermBank bank_;
    std::deque<Relation> relations_;
    std::unordered_map<std::string_view, std::vector<Relation*>> by_name_;
    std::string head_name_;
    uint32_t head_arity_ = 0;
    ExampleSet pos_, neg_;
    std::atomic<bool> cancel_{false};
};

Relation* Store::find(std::string_view name, uint32_t arity) {
    auto known = by_name_.find(name);
    if (known == by_name_.end()) return nullptr;
    for (Relation* relation : known->second)
        if (relation->arity == arity) return relation;
    return nullptr;
}

// A predicate nobody declared is a mistake in the program, not one that is never true.
Relation& Store::known(std::string_view name, uint32_t arity) {
    if (Relation* relation = find(name, arity)) return *relation;
    throw nb::key_error((std::string(name) + "/" + std::to_string(arity)).c_str());
}

Relation& Store::relation(const std::string& name, uint32_t arity) {
    if (Relation* known = find(name, arity)) return *known;
    if (arity > most_arguments) throw nb::value_error("a predicate has at most 32 arguments here");
    Relation& fresh = relations_.emplace_back(name, arity);
    by_name_[fresh.name].push_back(&fresh);
    return fresh;
}

void Store::load(const Reading& reading, const std::vector<std::pair<std::string, uint32_t>>& wanted) {
    forget();
    std::vector<Relation*> targets(reading.predicates().size(), nullptr);
    for (size_t p = 0; p < targets.size(); ++p)
        for (const auto& [name, arity] : wanted)
            if (reading.predicates()[p].name == name && reading.predicates()[p].arity == arity)
                targets[p] = &relation(name, arity);
    std::vector<TermId> known(reading.bank().size(), no_term);
    std::vector<TermId> row;
    for (const ClauseInfo& clause : reading.clauses()) {
        if (!clause.ground || !targets[clause.predicate]) continue;
        row.clear();
        for (uint32_t i = 0; i < targets[clause.predicate]->arity; ++i)
            row.push_back(bank_.copy(reading.bank(), reading.args(clause)[i], known));
        targets[clause.predicate]->add(row.data());
    }
}

// The inverse of asp_facts: "p0(t(17),-5)" a line, whatever name the atoms have.
void Store::add_asp(const std::string& name, uint32_t arity, std::string_view text) {
    Relation& target = relation(name, arity);
    forget();
    std::vector<TermId> row;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        line.remove_prefix(std::min(line.find('('), line.size()));
        row.clear();
        for (uint32_t i = 0; i < arity; ++i) {
            line.remove_prefix(std::min<size_t>(1, line.size()));  // "(" or ","
            const bool opaque = line.substr(0, 2) == "t(";
            if (opaque) line.remove_prefix(2);
            int64_t value = 0;
            const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
            if (error != std::errc()) throw nb::value_error("not the ASP text of facts");
            line.remove_prefix(static_cast<size_t>(end - line.data()) + (opaque ? 1 : 0));
            row.push_back(opaque ? checked(static_cast<TermId>(value)) : bank_.integer(value));
        }
        target.add(row.data());
    }
}

void Store::set_examples(const std::string& name, uint32_t arity, nb::sequence pos, nb::sequence neg) {
    if (arity > most_arguments) throw nb::value_error("a predicate has at most 32 arguments here");
    head_name_ = name;
    head_arity_ = arity;
    const auto fill = [&](nb::sequence atoms) {
        ExampleSet examples(arity);
        std::vector<TermId> row;
        for (nb::handle args : atoms) {
            row.clear();
            for (nb::handle arg : nb::cast<nb::tuple>(args)) row.push_back(intern(arg));
            if (row.size() != arity) throw nb::value_error("an example does not fit the predicate's arity");
            examples.add(row.data());
        }
        return examples;
    };
    pos_ = fill(pos);
    neg_ = fill(neg);
}

nb::list Store::facts(const std::string& name, uint32_t arity, uint32_t most) {
    nb::list result;
    const Relation* found = find(name, arity);
    if (!found) return result;
    const Rows rows = found->rows();
    for (uint32_t i = 0; i < std::min(rows.count, most); ++i) {
        nb::list row;
        for (uint32_t c = 0; c < arity; ++c) row.append(term(rows.first[size_t(i) * arity + c]));
        result.append(nb::tuple(row));
    }
    return result;
}

// clingo's numbers have 32 bits; every other term is an opaque t(ID), which it orders above all numbers.
std::string Store::asp(TermId id) const {
    if (bank_.kind(id) == Kind::integer) {
        const int64_t value = bank_.integer_value(id);
        if (value > std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max())
            return std::to_string(value);
    }
    return "t(" + std::to_string(id) + ")";
}

std::string Store::asp_facts(const std::string& name, uint32_t arity, const std::string& as) {
    std::string text;
    const Relation* found = find(name, arity);
    if (!found) return text;
    const Rows rows = found->rows();
    for (uint32_t i = 0; i < rows.count; ++i) {
        text += as;
        for (uint32_t c = 0; c < arity; ++c) {
            text += c ? ',' : '(';
            text += asp(rows.first[size_t(i) * arity + c]);
        }
        text += arity ? ").\n" : ".\n";
    }
    return text;
}

std::string Store::asp_terms(const std::string& functor, uint32_t arity, const std::string& as) const {
    std::string text;
    for (TermId id = 0; id < bank_.size(); ++id) {
        if (bank_.kind(id) != Kind::compound || bank_.arity(id) != arity || bank_.text(id) != functor) continue;
        text += as + "(" + asp(id);
        for (uint32_t i = 0; i < arity; ++i) text += "," + asp(bank_.args(id)[i]);
        text += ").\n";
    }
    return text;
}

std::string Store::asp_universe(const std::string& as) const {
    std::string text;
    for (TermId id = 0; id < bank_.size(); ++id) text += as + "(" + asp(id) + ").\n";
    return text;
}

Arg Store::compile_arg(nb::handle arg, uint32_t& variables) {
    if (!PyLong_Check(arg.ptr())) return {false, intern(arg)};
    const long variable = PyLong_AsLong(arg.ptr());
    if (variable < 0 || variable >= most_variables) {
        PyErr_Clear();
        throw nb::value_error("a variable's number is out of range");
    }
    variables = std::max(variables, static_cast<uint32_t>(variable) + 1);
    return {true, static_cast<uint32_t>(variable)};
}

std::vector<Arg> Store::compile_args(nb::handle args, uint32_t& variables) {
    if (!PyTuple_Check(args.ptr())) throw nb::type_error("a literal's arguments are a tuple");
    const Py_ssize_t size = PyTuple_GET_SIZE(args.ptr());
    if (size > static_cast<Py_ssize_t>(most_arguments)) throw nb::value_error("a predicate has at most 32 arguments here");
    std::vector<Arg> result;
    result.reserve(size);
    for (Py_ssize_t i = 0; i < size; ++i) result.push_back(compile_arg(PyTuple_GET_ITEM(args.ptr(), i), variables));
    return result;
}

void Store::compile_body(Program& program, Rule& rule, nb::handle body) {
    const Py_ssize_t size = PyTuple_GET_SIZE(body.ptr());
    rule.body.reserve(size);
    for (Py_ssize_t i = 0; i < size; ++i) {
        PyObject* literal = PyTuple_GET_ITEM(body.ptr(), i);
        const std::string_view name = utf8(PyTuple_GET_ITEM(literal, 0));
        Literal compiled{nullptr, -1, compile_args(PyTuple_GET_ITEM(literal, 1), rule.variables)};
        const auto arity = static_cast<uint32_t>(compiled.args.size());
        for (size_t p = 0; p < program.predicates.size(); ++p)
            if (program.predicates[p].arity == arity && program.predicates[p].name == name)
                compiled.predicate = static_cast<int32_t>(p);
        if (compiled.predicate < 0) compiled.relation = &known(name, arity);
        program.tabled = program.tabled || compiled.predicate >= 0;
        rule.body.push_back(std::move(compiled));
    }
}

// Rules are tuples (head, body) and literals tuples (name, args): see joiner_magic.logic.programs.
Program Store::compile(nb::handle source, std::string_view target, uint32_t arity) {
    static PyObject* const rules_name = PyUnicode_InternFromString("rules");
    const nb::object rules = nb::steal(PyObject_GetAttr(source.ptr(), rules_name));
    if (!rules.is_valid()) throw nb::python_error();
    if (!PyTuple_Check(rules.ptr())) throw nb::type_error("a program's rules are a tuple");
    Program program;
    const Py_ssize_t size = PyTuple_GET_SIZE(rules.ptr());
    program.rules.resize(size);
    for (Py_ssize_t r = 0; r < size; ++r) {
        PyObject* head = PyTuple_GET_ITEM(PyTuple_GET_ITEM(rules.ptr(), r), 0);
        Rule& rule = program.rules[r];
        rule.variables = 0;
        rule.head = compile_args(PyTuple_GET_ITEM(head, 1), rule.variables);
        const std::string_view name = utf8(PyTuple_GET_ITEM(head, 0));
        size_t p = 0;
        while (p < program.predicates.size() &&
               (program.predicates[p].arity != rule.head.size() || program.predicates[p].name != name))
            ++p;
        if (p == program.predicates.size())
            program.predicates.push_back({std::string(name), static_cast<uint32_t>(rule.head.size()), {}});
        program.predicates[p].rules.push_back(static_cast<uint32_t>(r));
        rule.predicate = static_cast<uint32_t>(p);
        if (name == target && rule.head.size() == arity) program.target = static_cast<int32_t>(p);
    }
    for (Py_ssize_t r = 0; r < size; ++r)
        compile_body(program, program.rules[r], PyTuple_GET_ITEM(PyTuple_GET_ITEM(rules.ptr(), r), 1));
    return program;
}

// Looks at Python's signals now and then, so that an interrupt ends even one long program.
Budget Store::budget() {
    auto last = std::chrono::steady_clock::now();
    return Budget(cancel_, [last]() mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(50)) return;
        last = now;
        nb::gil_scoped_acquire python;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
}

Bits Store::cover(Machine& machine, const Program& program, std::vector<Plan>& plans, ExampleSet& examples) {
    Bits covered(all_ones(examples.count()).size(), 0);
    const auto& rules = program.predicates[program.target].rules;
    for (size_t i = 0; i < rules.size(); ++i) {
        Bits bits = all_ones(examples.count());
        for (size_t w = 0; w < bits.size(); ++w) bits[w] &= ~covered[w];
        machine.load(plans[i], nullptr, 0);
        machine.forget(plans[i], true);
        keep_covered(machine, program.rules[rules[i]], plans[i], examples, bits);
        for (size_t w = 0; w < bits.size(); ++w) covered[w] |= bits[w];
    }
    return covered;
}

Coverage Store::cover(Machine& machine, const Program& program, bool lazy) {
    Coverage result;
    std::function<Bits(ExampleSet&)> covered;
    std::optional<Tabling> tabling;
    std::vector<Plan> plans;
    if (program.target < 0) {
        covered = [](ExampleSet& examples) { return Bits((examples.count() + 63) / 64, 0); };
    } else if (program.tabled) {
        tabling.emplace(program, machine, bank_);
        covered = [&](ExampleSet& examples) {
            Bits bits((examples.count() + 63) / 64, 0);
            for (uint32_t e = 0; e < examples.count(); ++e)
                if (tabling->holds(static_cast<uint32_t>(program.target), examples.row(e)))
                    bits[e >> 6] |= uint64_t(1) << (e & 63);
            return bits;
        };
    } else {
        for (uint32_t r : program.predicates[program.target].rules)
            plans.push_back(Planner().for_examples(program.rules[r]));
        covered = [&](ExampleSet& examples) { return cover(machine, program, plans, examples); };
    }
    result.pos = covered(pos_);
    if (!lazy || any(result.pos)) {
        result.neg = covered(neg_);
        result.tested_neg = true;
    }
    result.complete = !machine.budget().exhausted();
    return result;
}

nb::list Store::evaluate(nb::sequence programs, std::optional<uint64_t> limit, bool lazy, nb::object result) {
    cancel_.store(false, std::memory_order_relaxed);
    Budget budget = this->budget();
    Machine machine(bank_, budget);
    nb::list evaluations;
    const size_t total = nb::len(programs);
    constexpr size_t chunk = 1024;  // between chunks Python's other threads get their turn
    for (size_t first = 0; first < total; first += chunk) {
        std::vector<Program> compiled;
        for (size_t i = first; i < std::min(total, first + chunk); ++i)
            compiled.push_back(compile(nb::object(programs[i]), head_name_, head_arity_));
        std::vector<Coverage> coverages;
        {
            nb::gil_scoped_release free;
            for (const Program& program : compiled) {
                budget.start(limit.value_or(std::numeric_limits<uint64_t>::max()));
                coverages.push_back(cover(machine, program, lazy));
            }
        }
        for (const Coverage& c : coverages)
            evaluations.append(result(to_int(c.pos), c.tested_neg ? to_int(c.neg) : nb::none(), c.complete));
    }
    return evaluations;
}

// The derivation of a ground atom as a list of steps, premises before what they support. A step is
// (rule, values of its variables, for each body literal the number of the step that proves it or
// None for a fact). None when the atom does not follow within the limit.
nb::object Store::prove(nb::handle source, nb::handle name, nb::sequence args, std::optional<uint64_t> limit) {
    cancel_.store(false, std::memory_order_relaxed);
    std::vector<TermId> row;
    for (nb::handle arg : args) row.push_back(intern(arg));
    const Program program = compile(source, utf8(name), static_cast<uint32_t>(row.size()));
    if (program.target < 0) return nb::none();
    Budget budget = this->budget();
    budget.start(limit.value_or(std::numeric_limits<uint64_t>::max()));
    Machine machine(bank_, budget);
    Tabling tabling(program, machine, bank_);
    tabling.keep_reasons();
    {
        nb::gil_scoped_release free;
        if (!tabling.holds(static_cast<uint32_t>(program.target), row.data())) row.clear();
    }
    const auto arity = program.predicates[program.target].arity;
    if (row.size() != arity || !tabling.reason(static_cast<uint32_t>(program.target), row.data())) return nb::none();

    struct Atom { uint32_t predicate; std::vector<TermId> row; };
    std::vector<RowSet> seen;
    for (const auto& predicate : program.predicates) seen.emplace_back(predicate.arity);
    std::vector<std::vector<size_t>> number(program.predicates.size());
    const auto step_of = [&](const Atom& atom) -> std::optional<size_t> {
        const uint32_t at = seen[atom.predicate].find(atom.row.data());
        return at == no_term ? std::nullopt : std::optional<size_t>(number[atom.predicate][at]);
    };
    nb::list steps;
    std::vector<Atom> todo{{static_cast<uint32_t>(program.target), row}};
    while (!todo.empty()) {
        const Atom atom = todo.back();
        if (step_of(atom)) { todo.pop_back(); continue; }
        const auto* reason = tabling.reason(atom.predicate, atom.row.data());
        nb::list premises;
        bool ready = true;
        for (const Literal& literal : program.rules[reason->rule].body) {
            if (literal.predicate < 0) { premises.append(nb::none()); continue; }
            Atom premise{static_cast<uint32_t>(literal.predicate), {}};
            for (const Arg& arg : literal.args)
                premise.row.push_back(arg.is_variable ? reason->values[arg.value] : arg.value);
            const auto step = step_of(premise);
            if (step) premises.append(*step);
            else { todo.push_back(std::move(premise)); ready = false; }
        }
        if (!ready) continue;
        nb::list values;
        for (TermId value : reason->values) values.append(value == no_term ? nb::none() : term(value));
        number[atom.predicate].push_back(nb::len(steps));
        seen[atom.predicate].insert(atom.row.data());
        steps.append(nb::make_tuple(reason->rule, nb::tuple(values), nb::tuple(premises)));
        todo.pop_back();
    }
    return steps;
}

}  // namespace

void bind_store(nb::module_& m) {
    nb::exception<Stopped>(m, "Stopped");
    nb::class_<Store>(m, "Store")
        .def(nb::init<>())
        .def("declare", &Store::declare, nb::arg("name"), nb::arg("arity"))
        .def("load", &Store::load, nb::arg("reading"), nb::arg("wanted"))
        .def("add_asp", &Store::add_asp, nb::arg("name"), nb::arg("arity"), nb::arg("text"))
        .def("set_examples", &Store::set_examples, nb::arg("name"), nb::arg("arity"), nb::arg("pos"), nb::arg("neg"))
        .def("intern", &Store::intern, nb::arg("term"))
        .def("term", &Store::term, nb::arg("number"))
        .def("terms", &Store::terms)
        .def("count", &Store::count, nb::arg("name"), nb::arg("arity"))
        .def("facts", &Store::facts, nb::arg("name"), nb::arg("arity"), nb::arg("most"))
        .def("asp_facts", &Store::asp_facts, nb::arg("name"), nb::arg("arity"), nb::arg("as_"))
        .def("asp_terms", &Store::asp_terms, nb::arg("functor"), nb::arg("arity"), nb::arg("as_"))
        .def("asp_universe", &Store::asp_universe, nb::arg("as_"))
        .def("evaluate", &Store::evaluate, nb::arg("programs"), nb::arg("limit").none(), nb::arg("lazy"), nb::arg("result"))
        .def("prove", &Store::prove, nb::arg("program"), nb::arg("name"), nb::arg("args"), nb::arg("limit").none())
        .def("cancel", &Store::cancel);
}

}  // namespace joiner
