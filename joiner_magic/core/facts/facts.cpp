// The fact base: loads facts that were read, closes facts with one pattern over all terms, and exchanges facts with
// clingo as text.
#include "facts.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

namespace joiner {

// The relation with this name and arity, or null.
Relation* FactBase::find(std::string_view name, uint32_t arity) {
    auto known = by_name_.find(name);
    if (known == by_name_.end()) return nullptr;
    for (Relation* relation : known->second)
        if (relation->arity == arity) return relation;
    return nullptr;
}

// Relations are in a deque and never move, so pointers to them and views of their names stay valid.
Relation& FactBase::relation(const std::string& name, uint32_t arity) {
    if (Relation* known = find(name, arity)) return *known;
    if (arity > most_arguments) throw std::invalid_argument("a predicate has at most 63 arguments here");
    Relation& fresh = relations_.emplace_back(name, arity);
    by_name_[fresh.name].push_back(&fresh);
    return fresh;
}

// Terms are copied from the reading's bank to this one, each once: `known` has those that were copied before. Only
// ground facts of the wanted predicates are taken.
void FactBase::load(const Reading& reading, const std::vector<std::pair<std::string, uint32_t>>& wanted,
                    Poll& poll) {
    std::vector<Relation*> targets(reading.predicates().size(), nullptr);
    const std::set<std::pair<std::string_view, uint32_t>> names(wanted.begin(), wanted.end());
    for (size_t p = 0; p < targets.size(); ++p) {
        const PredicateInfo& predicate = reading.predicates()[p];
        if (names.count({predicate.name, predicate.arity})) targets[p] = &relation(predicate.name, predicate.arity);
    }
    std::vector<TermId> known(reading.bank().size(), no_term);
    std::vector<TermId> row;
    for (const ClauseInfo& clause : reading.clauses()) {
        if (!clause.ground || !targets[clause.predicate]) continue;
        poll.spend(64 + targets[clause.predicate]->arity);
        row.clear();
        for (uint32_t i = 0; i < targets[clause.predicate]->arity; ++i)
            row.push_back(bank.copy(reading.bank(), reading.args(clause)[i], known));
        targets[clause.predicate]->add(row.data());
    }
}

// Each matching term gives one fact. Only terms that existed before are looked at, since rows consist of these.
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

// A whole number that clingo has too: its numbers have 32 bits.
bool FactBase::is_small(TermId id) const {
    if (bank.kind(id) != Kind::integer) return false;
    const int64_t value = bank.integer_value(id);
    return value > std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
}

// Every other term is an opaque t(ID), which clingo orders above all numbers.
std::string FactBase::asp(TermId id) const {
    return is_small(id) ? std::to_string(bank.integer_value(id)) : "t(" + std::to_string(id) + ")";
}

// The order is that of the terms' numbers. What clingo calculates with itself is left out.
std::vector<TermId> FactBase::evaluable(const std::unordered_set<std::string>& symbols,
                                        const std::set<std::pair<std::string, uint32_t>>& functors) const {
    constexpr size_t longest_character = 4;  // bytes
    std::vector<TermId> found;
    for (TermId id = 0; id < bank.size(); ++id) {
        bool fits = false;
        switch (bank.kind(id)) {
            case Kind::integer: fits = !is_small(id); break;
            case Kind::big_integer: case Kind::real: fits = true; break;
            case Kind::string: fits = bank.text(id).size() <= longest_character; break;
            case Kind::symbol: fits = symbols.count(std::string(bank.text(id))) != 0; break;
            case Kind::compound: fits = functors.count({std::string(bank.text(id)), bank.arity(id)}) != 0; break;
        }
        // A list has a value if it has one item.
        if (fits && bank.kind(id) == Kind::compound && bank.text(id) == list_functor)
            fits = bank.kind(bank.args(id)[1]) == Kind::symbol && bank.text(bank.args(id)[1]) == "[]";
        if (fits) found.push_back(id);
    }
    return found;
}

// One line for each fact, with `as` for the predicate's name.
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

// One line for each compound term with this functor: `as` of the term itself and of its arguments.
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

// One line for each term in the bank.
std::string FactBase::asp_universe(const std::string& as) const {
    std::string text;
    for (TermId id = 0; id < bank.size(); ++id) text += as + "(" + asp(id) + ").\n";
    return text;
}

// The inverse of asp_facts: "p0(t(17),-5)" a line, whatever name the atoms have.
void FactBase::add_asp(const std::string& name, uint32_t arity, std::string_view text) {
    Relation& target = relation(name, arity);
    // Lines are taken apart by hand, as there can be millions. Numbers are interned, other terms are found by their
    // number in t(ID), which must be in the bank.
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
