// A text of the user's, read: its clauses, the predicates they define, and its ground facts interned.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "syntax.hpp"
#include "terms.hpp"

namespace joiner {

enum class ClauseKind : uint8_t { fact, rule, directive };

struct ClauseInfo {
    uint32_t begin, end;  // byte offsets; `end` is just after the final "."
    uint32_t predicate;   // number in predicates(), or no_predicate for a directive
    uint32_t first_arg;   // of a ground fact: see Reading::args
    ClauseKind kind;
    bool ground;          // a fact without variables
};

constexpr uint32_t no_predicate = UINT32_MAX;

struct PredicateInfo {
    std::string name;
    uint32_t arity;
    uint32_t facts = 0;           // ground ones
    uint32_t first = 0;           // its first clause
    std::vector<uint32_t> rules;  // every other clause: rules, and facts with variables
    std::vector<uint32_t> ground;  // the clauses that are ground facts
};

// Lines and columns, both from 1, the columns counted in code points.
class Lines {
  public:
    explicit Lines(std::string_view text);
    std::pair<uint32_t, uint32_t> position(uint32_t offset) const;

  private:
    std::string_view text_;
    std::vector<uint32_t> starts_;
    bool ascii_;
};

// The whole text is parsed once. Only ground facts are kept, as interned arguments; any clause
// is parsed again from its place in the text when it is asked for, which is cheap and needs no
// memory for the tens of thousands that never are.
class Reading {
  public:
    Reading(std::string text, Poll& poll);
    Reading(const Reading&) = delete;  // nodes and errors point into the text
    Reading& operator=(const Reading&) = delete;

    const TermBank& bank() const { return bank_; }
    const std::vector<ClauseInfo>& clauses() const { return clauses_; }
    const std::vector<PredicateInfo>& predicates() const { return predicates_; }
    const PredicateInfo* predicate(const std::string& name, uint32_t arity) const;  // null where there is none
    const TermId* args(const ClauseInfo& fact) const { return args_.data() + fact.first_arg; }

    const Lines& lines() const { return lines_; }
    // A parser that has just read clause `index`.
    Parser parse(uint32_t index) const;

  private:
    void add(const Parser& parser);
    uint32_t predicate_of(const Node& head);
    void intern(const Arena& arena, const Node& head);

    std::string text_;
    Lines lines_;
    TermBank bank_;
    std::vector<ClauseInfo> clauses_;
    std::vector<PredicateInfo> predicates_;
    std::vector<TermId> args_;
    std::vector<TermId> ids_;  // of the nodes of the clause being interned
    std::unordered_map<uint64_t, uint32_t> numbers_;  // predicate by name and arity
    std::map<std::pair<std::string, uint32_t>, uint32_t> by_name_;
};

// The list of these items, the last of them being its tail.
TermId list_of(TermBank& bank, const std::vector<TermId>& items_and_tail);

}  // namespace joiner
