// Conversion of terms without recursion, as terms can nest deeply and lists can be long.
#include "python_terms.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../text/reader.hpp"

namespace nb = nanobind;

namespace joiner {

namespace {

nb::object text(std::string_view text) { return nb::str(text.data(), text.size()); }

// A Python integer from its decimal digits.
nb::object big(std::string_view digits) {
    PyObject* value = PyLong_FromString(std::string(digits).c_str(), nullptr, 10);
    if (!value) nb::raise_python_error();
    return nb::steal(value);
}

// Every NaN is one Python object, so that terms which hold it are equal: Python compares the
// elements of tuples by identity first.
nb::object number(double value) { return std::isnan(value) ? term_classes().nan : nb::object(nb::float_(value)); }

// The first `count` of these objects as a tuple.
nb::object tuple_of(const std::vector<nb::object>& items, size_t count) {
    nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
    for (size_t i = 0; i < count; ++i)
        PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), nb::object(items[i]).release().ptr());
    return tuple;
}

bool is_list(const TermBank& bank, TermId id) {
    return bank.kind(id) == Kind::compound && bank.arity(id) == 2 && bank.text(id) == list_functor;
}

// The items of a list in the bank, and its tail last.
std::vector<TermId> unrolled(const TermBank& bank, TermId id) {
    std::vector<TermId> items;
    while (is_list(bank, id)) {
        items.push_back(bank.args(id)[0]);
        id = bank.args(id)[1];
    }
    items.push_back(id);
    return items;
}

// The direct parts of a term: arguments, or the items and the tail of a list.
std::vector<TermId> parts_of(const TermBank& bank, TermId id) {
    if (bank.kind(id) != Kind::compound) return {};
    if (is_list(bank, id)) return unrolled(bank, id);
    return {bank.args(id), bank.args(id) + bank.arity(id)};
}

// The term and everything inside it, in order of the ids: parts before what they are part of.
std::vector<TermId> reachable(const TermBank& bank, TermId id) {
    std::vector<TermId> found{id};
    std::unordered_set<TermId> seen{id};
    for (size_t i = 0; i < found.size(); ++i)
        for (const TermId part : parts_of(bank, found[i]))
            if (seen.insert(part).second) found.push_back(part);
    std::sort(found.begin(), found.end());
    return found;
}

// A term without parts. Compounds must not be passed.
nb::object leaf(const TermBank& bank, TermId id) {
    const TermClasses& classes = term_classes();
    switch (bank.kind(id)) {
        case Kind::symbol: return classes.symbol(text(bank.text(id)));
        case Kind::integer: return classes.integer(nb::int_(bank.integer_value(id)));
        case Kind::big_integer: return classes.integer(big(bank.text(id)));
        case Kind::real: return classes.real(number(bank.real_value(id)));
        default: return classes.string(text(bank.text(id)));
    }
}

}  // namespace

const TermClasses& term_classes() {
    static const TermClasses* known = nullptr;
    if (!known) {
        const nb::module_ terms = nb::module_::import_("joiner_magic.logic.terms");
        // Never freed: Python is gone by the time C++ would do so.
        known = new TermClasses{terms.attr("Variable"), terms.attr("Symbol"),   terms.attr("Integer"),
                                terms.attr("Float"),    terms.attr("String"),   terms.attr("Compound"),
                                terms.attr("List"),     terms.attr("Clause"),   terms.attr("Position"),
                                nb::module_::import_("math").attr("nan")};
    }
    return *known;
}

// Parts are built before what they are part of, and each one once, however often it occurs.
nb::object to_python(const TermBank& bank, TermId id) {
    if (bank.kind(id) != Kind::compound) return leaf(bank, id);
    const TermClasses& classes = term_classes();
    std::unordered_map<TermId, nb::object> built;
    for (const TermId at : reachable(bank, id)) {
        if (bank.kind(at) != Kind::compound) {
            built[at] = leaf(bank, at);
            continue;
        }
        std::vector<nb::object> parts;
        for (const TermId part : parts_of(bank, at)) parts.push_back(built[part]);
        built[at] = is_list(bank, at) ? classes.list(tuple_of(parts, parts.size() - 1), parts.back())
                                      : classes.compound(text(bank.text(at)), tuple_of(parts, parts.size()));
    }
    return built[id];
}

// Nodes are in an order in which parts come first, so one pass suffices.
nb::object to_python(const Arena& arena, NodeId root, const Lines& lines) {
    const TermClasses& classes = term_classes();
    std::vector<nb::object> built;
    std::vector<nb::object> parts;
    for (NodeId id = 0; id <= root; ++id) {
        const Node& node = arena.nodes[id];
        const auto [line, column] = lines.position(node.offset);
        const nb::object position = classes.position(line, column);
        parts.clear();
        for (uint32_t i = 0; i < node.count; ++i) parts.push_back(built[arena.parts_of(node)[i]]);
        switch (node.kind) {
            case NodeKind::variable: built.push_back(classes.variable(text(node.text), position)); break;
            case NodeKind::symbol: built.push_back(classes.symbol(text(node.text), position)); break;
            case NodeKind::integer: built.push_back(classes.integer(node.integer, position)); break;
            case NodeKind::big_integer: built.push_back(classes.integer(big(node.text), position)); break;
            case NodeKind::real: built.push_back(classes.real(number(node.real), position)); break;
            case NodeKind::string: built.push_back(classes.string(text(node.text), position)); break;
            case NodeKind::compound:
                built.push_back(classes.compound(text(node.text), tuple_of(parts, parts.size()), position));
                break;
            case NodeKind::list:
                built.push_back(classes.list(tuple_of(parts, parts.size() - 1), parts.back(), position));
                break;
        }
    }
    return built[root];
}

std::string_view utf8(nb::handle text) {
    Py_ssize_t size;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) nb::raise_python_error();
    return {data, static_cast<size_t>(size)};
}

namespace {

// Integers beyond 64 bits are kept by their decimal digits.
TermId intern_integer(TermBank& bank, const nb::object& value) {
    int overflow;
    const long long small = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow) return bank.big_integer(utf8(nb::str(value)));
    if (small == -1 && PyErr_Occurred()) nb::raise_python_error();
    return bank.integer(small);
}

// Interns a term without parts.
TermId intern_leaf(TermBank& bank, nb::handle term) {
    const TermClasses& classes = term_classes();
    const nb::handle type = term.type();
    if (type.is(classes.symbol)) return bank.symbol(utf8(nb::object(term.attr("name"))));
    if (type.is(classes.integer)) return intern_integer(bank, term.attr("value"));
    if (type.is(classes.real)) return bank.real(nb::cast<double>(term.attr("value")));
    if (type.is(classes.string)) return bank.string(utf8(nb::object(term.attr("value"))));
    if (type.is(classes.variable)) throw nb::value_error("the term is not ground");
    throw nb::type_error("not a term");
}

}  // namespace

// A stack of its own instead of recursion: a compound or list is met twice, before its parts and
// after them, when their ids are the last on `done`.
TermId from_python(TermBank& bank, nb::handle term) {
    struct Step {
        nb::object term;
        Py_ssize_t parts;  // -1 before they are interned
    };
    const TermClasses& classes = term_classes();
    std::vector<Step> todo{{nb::borrow(term), -1}};
    std::vector<TermId> done;
    while (!todo.empty()) {
        const Step step = todo.back();
        todo.pop_back();
        const bool list = step.term.type().is(classes.list);
        if (!list && !step.term.type().is(classes.compound)) {
            done.push_back(intern_leaf(bank, step.term));
        } else if (step.parts < 0) {
            const nb::tuple parts = nb::cast<nb::tuple>(step.term.attr(list ? "items" : "args"));
            const Py_ssize_t count = static_cast<Py_ssize_t>(parts.size()) + list;
            todo.push_back({step.term, count});
            if (list) todo.push_back({nb::object(step.term.attr("tail")), -1});
            for (size_t i = parts.size(); i-- > 0;) todo.push_back({nb::borrow(parts[i]), -1});
        } else {
            const std::vector<TermId> parts(done.end() - step.parts, done.end());
            done.resize(done.size() - parts.size());
            const uint32_t arity = static_cast<uint32_t>(parts.size());
            done.push_back(list ? list_of(bank, parts)
                                : bank.compound(utf8(nb::object(step.term.attr("functor"))), parts.data(), arity));
        }
    }
    return done.back();
}

}  // namespace joiner
