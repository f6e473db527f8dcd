#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <vector>

#include "dualkpca/core/observer.hpp"

namespace dualkpca::python {

/// Observer that lets Python handle signals (Ctrl-C) and show progress while a computation runs without the GIL. An
/// exception of either stops the computation, and rethrow() raises it again.
class SignalWatch {
 public:
  /// `progress` is None or a function progress(stage, fraction, iteration, eta, tol), called at most 20 times a second.
  explicit SignalWatch(pybind11::object progress) : progress_(std::move(progress)) {}

  /// Called without the GIL. Returns false once something was raised.
  bool operator()(const Progress& progress);
  /// Called with the GIL. Raises the exception of the computation, if there was one.
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }
  /// Returns iterations and eta of the solver so far, k x 2.
  [[nodiscard]] pybind11::array_t<double> history() const;
  /// Returns an observer for a fit. It refers to this object.
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

/// Runs body(observer) without the GIL. An exception that Python raised meanwhile is raised here, even if the body has
/// thrown another one because of it.
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
