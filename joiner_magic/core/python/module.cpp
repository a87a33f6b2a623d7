// The extension module joiner_magic._core. Each file bind_*.cpp adds its classes; _core.pyi describes them for Python.
#include <nanobind/nanobind.h>

namespace joiner {
void bind_cover(nanobind::module_& m);
void bind_join(nanobind::module_& m);
void bind_miner_narrow(nanobind::module_& m);
void bind_miner_wide(nanobind::module_& m);
void bind_priced(nanobind::module_& m);
void bind_reader(nanobind::module_& m);
void bind_record_narrow(nanobind::module_& m);
void bind_record_wide(nanobind::module_& m);
void bind_store(nanobind::module_& m);
}  // namespace joiner

NB_MODULE(_core, m) {
    // A process may end while a run that was stopped still sleeps in its thread, with all that it holds: that is no
    // leak to tell the user of. tools/sanitize looks for real ones.
    nanobind::set_leak_warnings(false);
    m.doc() = "The native core: reader, fact store, evaluation, mining, join.";
    joiner::bind_cover(m);
    joiner::bind_join(m);
    joiner::bind_miner_narrow(m);
    joiner::bind_miner_wide(m);
    joiner::bind_priced(m);
    joiner::bind_reader(m);
    joiner::bind_record_narrow(m);
    joiner::bind_record_wide(m);
    joiner::bind_store(m);
}
