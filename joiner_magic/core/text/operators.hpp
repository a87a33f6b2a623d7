// The operators of the syntax.
// The tables are searched from the front, so the most frequent operators come first. Users cannot define operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace joiner {

// An operator binds operands of at most the priorities `left` and `right`, which is how associativity is expressed.
struct Operator {
    std::string_view name;
    uint16_t priority;
    uint16_t left;   // highest priority of the left operand; 0 for a prefix operator
    uint16_t right;  // highest priority of the right operand
};

// The kinds of operators by their Prolog names: x is an operand of lower priority, y one of the same priority or lower.
constexpr Operator xfx(std::string_view name, int p) { return {name, uint16_t(p), uint16_t(p - 1), uint16_t(p - 1)}; }
constexpr Operator xfy(std::string_view name, int p) { return {name, uint16_t(p), uint16_t(p - 1), uint16_t(p)}; }
constexpr Operator yfx(std::string_view name, int p) { return {name, uint16_t(p), uint16_t(p), uint16_t(p - 1)}; }
constexpr Operator fx(std::string_view name, int p) { return {name, uint16_t(p), 0, uint16_t(p - 1)}; }
constexpr Operator fy(std::string_view name, int p) { return {name, uint16_t(p), 0, uint16_t(p)}; }

// SWI-Prolog's, but for the dot of its dicts: "a.b" is far more often a missing space.
inline constexpr Operator infix_operators[] = {
    xfy(",", 1000), xfx(":-", 1200), xfx("=", 700), xfx("is", 700), xfx("<", 700), xfx(">", 700),
    xfx("=<", 700), xfx(">=", 700), xfx("\\=", 700), xfx("==", 700), xfx("\\==", 700), xfx("=:=", 700),
    xfx("=\\=", 700), xfx("=..", 700), xfx("@<", 700), xfx("@>", 700), xfx("@=<", 700), xfx("@>=", 700),
    xfx("=@=", 700), xfx("\\=@=", 700), xfx("as", 700), xfx(">:<", 700), xfx(":<", 700), xfx("-->", 1200),
    xfx("=>", 1200), xfy(";", 1100), xfy("|", 1100), xfy("->", 1050), xfy("*->", 1050), xfx(":=", 990),
    xfy(":", 600), yfx("+", 500), yfx("-", 500), yfx("/\\", 500), yfx("\\/", 500), yfx("xor", 500),
    yfx("*", 400), yfx("/", 400), yfx("//", 400), yfx("mod", 400), yfx("rem", 400), yfx("div", 400),
    yfx("rdiv", 400), yfx("<<", 400), yfx(">>", 400), xfx("**", 200), xfy("^", 200)};

inline constexpr Operator prefix_operators[] = {
    fx(":-", 1200), fx("?-", 1200), fx("dynamic", 1150), fx("discontiguous", 1150), fx("initialization", 1150),
    fx("meta_predicate", 1150), fx("module_transparent", 1150), fx("multifile", 1150), fx("public", 1150),
    fx("thread_local", 1150), fx("volatile", 1150), fx("table", 1150), fy("\\+", 900), fy("-", 200),
    fy("+", 200), fy("\\", 200), fx("$", 1)};

// Operators are few and their names short, so a scan is fast enough.
template <size_t size>
const Operator* find_operator(const Operator (&table)[size], std::string_view name) {
    for (const Operator& op : table)
        if (op.name == name) return &op;
    return nullptr;
}

inline const Operator* infix_operator(std::string_view name) { return find_operator(infix_operators, name); }
inline const Operator* prefix_operator(std::string_view name) { return find_operator(prefix_operators, name); }

}  // namespace joiner
