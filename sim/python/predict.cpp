// SPDX-License-Identifier: MIT
// Predictions in Python: one, or many at once on all cores without the interpreter's lock.

#include <algorithm>

#include "core/parallel.hpp"
#include "program/named.hpp"
#include "python/job.hpp"

namespace smsim::python {
namespace {

namespace py = pybind11;

/// The one of the function that is meant.
std::string default_arch(const Program& program, const std::string& function) {
  const auto functions = program::functions_named(program, function);
  if (functions.empty()) raise(program::no_function_named(program, function).value());
  if (const int sm = program::default_of(functions).sm; sm != 0) return "sm_" + std::to_string(sm);
  throw py::value_error("the program does not say its architecture: pass arch=");
}

Job make_job(const py::object& program, const py::object& arch, int warps,
             const std::string& function, const std::string& loop, const py::dict& overrides,
             const std::map<std::uint64_t, bool>& branches, const std::map<int, int>& lane_strides,
             const std::string& unknown_pipe, bool allow_unset_waits) {
  Job job;
  job.owner = program;
  job.program = program.cast<const Program*>();
  job.arch =
      arch_of(arch.is_none() ? py::str(default_arch(*job.program, function)) : arch, overrides);
  job.options.warps = warps;
  job.options.function = function;
  job.options.loop = loop;
  job.options.branches = branches;
  job.options.lane_stride_bytes = lane_strides;
  job.options.unknown_pipe = unknown_pipe;
  job.options.allow_unset_waits = allow_unset_waits;
  return job;
}

py::list run_many(const std::vector<Job*>& jobs, int threads) {
  {
    const py::gil_scoped_release release;
    in_parallel(jobs.size(), static_cast<unsigned>(std::max(0, threads)),
                [&](std::size_t i) { jobs[i]->run(); });
  }
  py::list results(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i)
    results[i] = value_or_raise(std::move(*jobs[i]->result));
  return results;
}

}  // namespace

void Job::run() { result = simulate(*program, *arch, options); }

void bind_predict(py::module_& m) {
  py::class_<Job>(m, "_Job");
  m.def("_job", &make_job, py::arg("program"), py::arg("arch") = py::none(), py::arg("warps") = 4,
        py::arg("function") = "", py::arg("loop") = "", py::arg("overrides") = py::dict(),
        py::arg("branches") = std::map<std::uint64_t, bool>{},
        py::arg("lane_strides") = std::map<int, int>{}, py::arg("unknown_pipe") = "",
        py::arg("allow_unset_waits") = false);
  m.def("_run", [](Job& job) {
    {
      const py::gil_scoped_release release;
      job.run();
    }
    return value_or_raise(std::move(*job.result));
  });
  m.def("_run_many", &run_many);
}

}  // namespace smsim::python
