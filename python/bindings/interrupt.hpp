#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <vector>

#include "dualkpca/core/observer.hpp"

namespace dualkpca::python {

/// Lets Python look in on a computation that runs without the GIL: signals (Ctrl-C) and, if there is one, a function
/// that shows progress. What they raise stops the computation and is raised again by rethrow().
class SignalWatch {
 public:
  /// `progress`: None, or called as progress(stage, fraction, iteration, eta, tol), some ten times a second.
  explicit SignalWatch(pybind11::object progress) : progress_(std::move(progress)) {}

  /// Without the GIL. False once something was raised.
  bool operator()(const Progress& progress);
  /// With the GIL: raises what was raised on the way, if anything was.
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }
  /// Iterations and eta of the solver so far, k x 2.
  [[nodiscard]] pybind11::array_t<double> history() const;
  /// What a fit wants; refers to this object.
  [[nodiscard]] Observer observer() {
    return [this](const Progress& progress) { return (*this)(progress); };
  }

 private:
  using Clock = std::chrono::steady_clock;

  pybind11::object progress_;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(50);
  std::exception_ptr raised_{};
  std::vector<double> history_{};
};

/// Runs body(observer) without the GIL; what Python raised meanwhile is raised here, whatever the body made of it.
template <class Body>
void run_watched(SignalWatch& watch, const Body& body) {
  try {
    const pybind11::gil_scoped_release release;
    body(watch.observer());
  } catch (...) {
    watch.rethrow();
    throw;
  }
  watch.rethrow();
}

}  // namespace dualkpca::python
