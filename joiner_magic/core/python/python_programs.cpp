// Compiles programs given as Python tuples. They come by the thousand, so tuples are read through Python's C interface.
#include "python_programs.hpp"

#include <algorithm>
#include <string>

#include "python_terms.hpp"

namespace nb = nanobind;

namespace joiner {

namespace {
// More variables than this in one rule are a mistake.
constexpr long most_variables = 1 << 16;
}

// A predicate nobody declared is a mistake in the program, not one that is never true.
Relation& Compiler::known(std::string_view name, uint32_t arity) {
    if (Relation* relation = facts_.find(name, arity)) return *relation;
    throw nb::key_error((std::string(name) + "/" + std::to_string(arity)).c_str());
}

// One argument: a Python integer is the number of a variable, anything else must be a ground term.
Arg Compiler::argument(nb::handle arg, uint32_t& variables) {
    if (!PyLong_Check(arg.ptr())) return {false, from_python(facts_.bank, arg)};
    const long variable = PyLong_AsLong(arg.ptr());
    if (variable < 0 || variable >= most_variables) {
        PyErr_Clear();
        throw nb::value_error("a variable's number is out of range");
    }
    variables = std::max(variables, static_cast<uint32_t>(variable) + 1);
    return {true, static_cast<uint32_t>(variable)};
}

std::vector<Arg> Compiler::arguments(nb::handle args, uint32_t& variables) {
    if (!PyTuple_Check(args.ptr())) throw nb::type_error("a literal's arguments are a tuple");
    const Py_ssize_t size = PyTuple_GET_SIZE(args.ptr());
    if (size > static_cast<Py_ssize_t>(most_arguments)) throw nb::value_error("a predicate has at most 63 arguments here");
    std::vector<Arg> result;
    result.reserve(size);
    for (Py_ssize_t i = 0; i < size; ++i) result.push_back(argument(PyTuple_GET_ITEM(args.ptr(), i), variables));
    return result;
}

// Literals of predicates that the program defines become calls, which must be known before: heads are compiled first.
void Compiler::body(Program& program, Rule& rule, nb::handle literals) {
    const Py_ssize_t size = PyTuple_GET_SIZE(literals.ptr());
    rule.body.reserve(size);
    for (Py_ssize_t i = 0; i < size; ++i) {
        PyObject* literal = PyTuple_GET_ITEM(literals.ptr(), i);
        const std::string_view name = utf8(PyTuple_GET_ITEM(literal, 0));
        Literal compiled{nullptr, -1, arguments(PyTuple_GET_ITEM(literal, 1), rule.variables)};
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
Program Compiler::compile(nb::handle source, std::string_view target, uint32_t arity) {
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
        rule.head = arguments(PyTuple_GET_ITEM(head, 1), rule.variables);
        const std::string_view name = utf8(PyTuple_GET_ITEM(head, 0));
        size_t p = 0;
        while (p < program.predicates.size() &&
               (program.predicates[p].arity != rule.head.size() || program.predicates[p].name != name))
            ++p;
        if (p == program.predicates.size())
            program.predicates.push_back({std::string(name), static_cast<uint32_t>(rule.head.size()), {}});
        program.predicates[p].rules.push_back(static_cast<uint32_t>(r));
        if (name == target && rule.head.size() == arity) program.target = static_cast<int32_t>(p);
    }
    for (Py_ssize_t r = 0; r < size; ++r)
        body(program, program.rules[r], PyTuple_GET_ITEM(PyTuple_GET_ITEM(rules.ptr(), r), 1));
    return program;
}

}  // namespace joiner
