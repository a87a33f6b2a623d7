// Builds a derivation from the reasons that tabling keeps: the steps are put in an order in which premises come first.
#include "proof.hpp"

namespace joiner {

namespace {

// A ground atom of a predicate that the program defines.
struct Atom {
    uint32_t predicate;
    std::vector<TermId> row;
};

// The literal with the values of a rule's variables put in. Its predicate must be one that the program defines.
Atom instance(const Literal& literal, const std::vector<TermId>& values) {
    Atom atom{static_cast<uint32_t>(literal.predicate), {}};
    for (const Arg& arg : literal.args) atom.row.push_back(arg.is_variable ? values[arg.value] : arg.value);
    return atom;
}

// The steps made so far, by the atom each proves.
class Steps {
  public:
    explicit Steps(const Program& program) : numbers_(program.predicates.size()) {
        for (const auto& predicate : program.predicates) atoms_.emplace_back(predicate.arity);
    }
    std::optional<size_t> of(const Atom& atom) const {
        const uint32_t at = atoms_[atom.predicate].find(atom.row.data());
        if (at == no_term) return std::nullopt;
        return numbers_[atom.predicate][at];
    }
    void add(const Atom& atom, ProofStep step) {
        atoms_[atom.predicate].insert(atom.row.data());
        numbers_[atom.predicate].push_back(steps.size());
        steps.push_back(std::move(step));
    }

    std::vector<ProofStep> steps;

  private:
    std::vector<RowSet> atoms_;
    std::vector<std::vector<size_t>> numbers_;
};

}  // namespace

// The atom is evaluated with reasons kept. Then atoms are taken from a stack: one whose premises all have steps gets a
// step of its own, any other one waits on the stack below its premises. As reasons never run in a circle, this ends.
std::vector<ProofStep> derive(const Program& program, Machine& machine, const TermBank& bank,
                              const std::vector<TermId>& row) {
    const auto target = static_cast<uint32_t>(program.target);
    Tabling tabling(program, machine, bank);
    tabling.keep_reasons();
    if (!tabling.holds(target, row.data())) return {};
    Steps done(program);
    // A stack of our own: a derivation is as deep as the list or chain it walks is long.
    std::vector<Atom> todo{{target, row}};
    while (!todo.empty()) {
        const Atom atom = todo.back();
        if (done.of(atom)) {
            todo.pop_back();
            continue;
        }
        const Tabling::Reason& reason = *tabling.reason(atom.predicate, atom.row.data());
        ProofStep step{reason.rule, reason.values, {}};
        const size_t waiting = todo.size();
        for (const Literal& literal : program.rules[reason.rule].body) {
            if (literal.predicate < 0) {
                step.premises.push_back(std::nullopt);
                continue;
            }
            Atom premise = instance(literal, reason.values);
            step.premises.push_back(done.of(premise));
            if (!step.premises.back()) todo.push_back(std::move(premise));
        }
        if (todo.size() > waiting) continue;  // premises first
        todo.pop_back();
        done.add(atom, std::move(step));
    }
    return std::move(done.steps);
}

}  // namespace joiner
