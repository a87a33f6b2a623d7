// The Python face of the reader: texts, clauses and terms.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python_poll.hpp"
#include "python_terms.hpp"
#include "../text/reader.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace joiner {

namespace {

// Raises _core.ReadError(message, remedy, line, column).
[[noreturn]] void raise(const ReadError& error, std::string_view text) {
    const auto [line, column] = Lines(text).position(error.offset);
    const nb::object kind = nb::module_::import_("joiner_magic._core").attr("ReadError");
    const nb::tuple args = nb::make_tuple(error.message, error.remedy, line, column);
    PyErr_SetObject(kind.ptr(), args.ptr());
    nb::raise_python_error();
}

// Reads a text into the memory that Python has reserved for the object.
void construct(Reading* self, const nb::str& text, nb::callable stop) {
    const std::string bytes(utf8(text));
    Poll poll = poll_of(stop);
    try {
        const nb::gil_scoped_release free;  // it takes a second for a million facts, and others may wait
        new (self) Reading(bytes, poll);
    } catch (const ReadError& error) {
        raise(error, bytes);
    }
}

nb::object read_term(const nb::str& text) {
    const std::string bytes(utf8(text));
    try {
        Parser parser(bytes);
        parser.only_term();
        return to_python(parser.arena(), parser.root(), Lines(bytes));
    } catch (const ReadError& error) {
        raise(error, bytes);
    }
}

// What is known about a clause, after a check of its number.
const ClauseInfo& info(const Reading& reading, size_t index) {
    if (index >= reading.clauses().size()) throw nb::index_error("no such clause");
    return reading.clauses()[index];
}

// A clause as a Python object with positions. It is parsed again from its place in the text.
nb::object clause(const Reading& reading, size_t index) {
    const ClauseInfo& found = info(reading, index);
    const Parser parser = reading.parse(static_cast<uint32_t>(index));
    const auto term = [&](NodeId id) { return to_python(parser.arena(), id, reading.lines()); };
    const auto [line, column] = reading.lines().position(found.begin);
    const TermClasses& classes = term_classes();
    const nb::object position = classes.position(line, column);
    const NodeId* parts = parser.arena().parts_of(parser.root_node());
    switch (found.kind) {
        case ClauseKind::fact: return classes.clause(term(parser.root()), nb::none(), position);
        case ClauseKind::rule: return classes.clause(term(parts[0]), term(parts[1]), position);
        default: return classes.clause(nb::none(), term(parts[0]), position);
    }
}

std::pair<uint32_t, uint32_t> position(const Reading& reading, size_t index) {
    return reading.lines().position(info(reading, index).begin);
}

// For each predicate (name, arity, ground facts, first clause, other clauses).
nb::list predicates(const Reading& reading) {
    nb::list found;
    for (const PredicateInfo& p : reading.predicates())
        found.append(nb::make_tuple(p.name, p.arity, p.facts, p.first, p.rules));
    return found;
}

std::vector<uint32_t> directives(const Reading& reading) {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < reading.clauses().size(); ++i)
        if (reading.clauses()[i].kind == ClauseKind::directive) found.push_back(i);
    return found;
}

// The arguments of a predicate's ground facts, column by column, as ids for Reading.term.
std::vector<std::vector<TermId>> columns(const Reading& reading, const std::string& name, uint32_t arity) {
    std::vector<std::vector<TermId>> found(arity);
    if (const PredicateInfo* known = reading.predicate(name, arity))
        for (uint32_t number : known->ground) {
            const TermId* const args = reading.args(reading.clauses()[number]);
            for (uint32_t i = 0; i < arity; ++i) found[i].push_back(args[i]);
        }
    return found;
}

nb::object term(const Reading& reading, TermId id) {
    if (id >= reading.bank().size()) throw nb::index_error("no such term");
    return to_python(reading.bank(), id);
}

// A table of operators as (name, priority, left, right).
template <size_t size>
nb::list rows(const Operator (&table)[size]) {
    nb::list found;
    for (const Operator& op : table)
        found.append(nb::make_tuple(nb::str(op.name.data(), op.name.size()), op.priority, op.left, op.right));
    return found;
}

}  // namespace

void bind_reader(nb::module_& m) {
    m.attr("ReadError") = nb::steal(PyErr_NewException("joiner_magic._core.ReadError", PyExc_Exception, nullptr));
    m.def("read_term", &read_term, "text"_a);
    m.def("infix_operators", [] { return rows(infix_operators); });
    m.def("prefix_operators", [] { return rows(prefix_operators); });
    nb::class_<Reading>(m, "Reading")
        .def("__init__", &construct, "text"_a, "stop"_a)
        .def("__len__", [](const Reading& reading) { return reading.clauses().size(); })
        .def("clause", &clause, "index"_a)
        .def("predicates", &predicates)
        .def("directives", &directives)
        .def("position", &position, "index"_a)
        .def("columns", &columns, "name"_a, "arity"_a)
        .def("term", &term, "number"_a);
}

}  // namespace joiner
