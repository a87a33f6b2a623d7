// The background knowledge as ground facts: relations by name over one bank of terms.
#pragma once

#include <deque>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "plan.hpp"
#include "../poll.hpp"
#include "../text/reader.hpp"

namespace joiner {

// All facts of a task. Relations never move, so that rules and indexes can point to them.
class FactBase {
  public:
    FactBase() { bank.symbol("[]"); }  // so that "all terms" is never nobody

    TermBank bank;

    Relation* find(std::string_view name, uint32_t arity);
    Relation& relation(const std::string& name, uint32_t arity);  // made where there is none

    // Copy the ground facts of the wanted predicates.
    void load(const Reading& reading, const std::vector<std::pair<std::string, uint32_t>>& wanted, Poll& poll);

    // For every compound term functor(args): a row of `head`, under the variables that the args bind.
    // Variable 0 is the term itself. The head has no variable that the args do not bind.
    void project(const std::string& name, const std::vector<Arg>& head, std::string_view functor,
                 const std::vector<Arg>& args);

    // Facts and terms as ASP text for clingo, and back.
    std::string asp_facts(const std::string& name, uint32_t arity, const std::string& as);
    std::string asp_terms(const std::string& functor, uint32_t arity, const std::string& as) const;
    std::string asp_universe(const std::string& as) const;
    void add_asp(const std::string& name, uint32_t arity, std::string_view text);

    // Terms that Prolog may calculate with and clingo cannot: floats, whole numbers beyond 32 bits, short strings, and
    // the symbols and compounds with these names.
    std::vector<TermId> evaluable(const std::unordered_set<std::string>& symbols,
                                  const std::set<std::pair<std::string, uint32_t>>& functors) const;

  private:
    bool is_small(TermId id) const;
    std::string asp(TermId id) const;

    std::deque<Relation> relations_;
    std::unordered_map<std::string_view, std::vector<Relation*>> by_name_;
};

}  // namespace joiner
