#include "facts.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace joiner {

Relation* FactBase::find(std::string_view name, uint32_t arity) {
    auto known = by_name_.find(name);
    if (known == by_name_.end()) return nullptr;
    for (Relation* relation : known->second)
        if (relation->arity == arity) return relation;
    return nullptr;
}

Relation& FactBase::relation(const std::string& name, uint32_t arity) {
    if (Relation* known = find(name, arity)) return *known;
    if (arity > most_arguments) throw std::invalid_argument("a predicate has at most 32 arguments here");
    Relation& fresh = relations_.emplace_back(name, arity);
    by_name_[fresh.name].push_back(&fresh);
    return fresh;
}

void FactBase::load(const Reading& reading, const std::vector<std::pair<std::string, uint32_t>>& wanted) {
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
            row.push_back(bank.copy(reading.bank(), reading.args(clause)[i], known));
        targets[clause.predicate]->add(row.data());
    }
}

void FactBase::project(const std::string& name, const std::vector<Arg>& head, std::string_view functor,
                       const std::vector<Arg>& args) {
    Relation& target = relation(name, static_cast<uint32_t>(head.size()));
    uint32_t variables = 1;
    for (const Arg& arg : args)
        if (arg.is_variable) variables = std::max(variables, arg.value + 1);
    std::vector<TermId> values, row;
    const auto terms = static_cast<TermId>(bank.size());
    for (TermId id = 0; id < terms; ++id) {
        if (bank.kind(id) != Kind::compound || bank.arity(id) != args.size() || bank.text(id) != functor) continue;
        values.assign(variables, no_term);
        values[0] = id;
        bool fits = true;
        for (size_t i = 0; i < args.size() && fits; ++i) {
            const TermId value = bank.args(id)[i];
            const TermId known = args[i].is_variable ? values[args[i].value] : args[i].value;
            fits = known == no_term || known == value;
            if (args[i].is_variable) values[args[i].value] = value;
        }
        if (!fits) continue;
        row.clear();
        for (const Arg& arg : head) row.push_back(arg.is_variable ? values[arg.value] : arg.value);
        target.add(row.data());
    }
}

// clingo's numbers have 32 bits; every other term is an opaque t(ID), which it orders above all numbers.
std::string FactBase::asp(TermId id) const {
    if (bank.kind(id) == Kind::integer) {
        const int64_t value = bank.integer_value(id);
        if (value > std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max())
            return std::to_string(value);
    }
    return "t(" + std::to_string(id) + ")";
}

std::string FactBase::asp_facts(const std::string& name, uint32_t arity, const std::string& as) {
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

std::string FactBase::asp_terms(const std::string& functor, uint32_t arity, const std::string& as) const {
    std::string text;
    for (TermId id = 0; id < bank.size(); ++id) {
        if (bank.kind(id) != Kind::compound || bank.arity(id) != arity || bank.text(id) != functor) continue;
        text += as + "(" + asp(id);
        for (uint32_t i = 0; i < arity; ++i) text += "," + asp(bank.args(id)[i]);
        text += ").\n";
    }
    return text;
}

std::string FactBase::asp_universe(const std::string& as) const {
    std::string text;
    for (TermId id = 0; id < bank.size(); ++id) text += as + "(" + asp(id) + ").\n";
    return text;
}

// The inverse of asp_facts: "p0(t(17),-5)" a line, whatever name the atoms have.
void FactBase::add_asp(const std::string& name, uint32_t arity, std::string_view text) {
    Relation& target = relation(name, arity);
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
            if (error != std::errc()) throw std::invalid_argument("not the ASP text of facts");
            line.remove_prefix(static_cast<size_t>(end - line.data()) + (opaque ? 1 : 0));
            if (opaque && static_cast<uint64_t>(value) >= bank.size()) throw std::invalid_argument("no such term");
            row.push_back(opaque ? static_cast<TermId>(value) : bank.integer(value));
        }
        target.add(row.data());
    }
}

}  // namespace joiner
