// Between the core's terms and the classes of joiner_magic.logic.terms.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

#include "../text/syntax.hpp"
#include "../text/terms.hpp"

namespace joiner {

class Lines;

// The Python classes, looked up at the first use: the module that defines them may import the core.
struct TermClasses {
    nanobind::object variable, symbol, integer, real, string, compound, list, clause, position, nan;
};
const TermClasses& term_classes();

// The text of a Python string, to be used no longer than that lives. Raises UnicodeEncodeError on a lone surrogate.
std::string_view utf8(nanobind::handle text);

// An interned term as a Python term without positions.
nanobind::object to_python(const TermBank& bank, TermId id);

// A parsed term as a Python term with positions.
nanobind::object to_python(const Arena& arena, NodeId id, const Lines& lines);

// A ground Python term, interned. Raises ValueError on a variable, TypeError on what is no term.
TermId from_python(TermBank& bank, nanobind::handle term);

}  // namespace joiner
