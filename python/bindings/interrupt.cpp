#include "interrupt.hpp"

#include <cmath>
#include <string>

namespace dualkpca::python {
namespace {

const char* name_of(Progress::Stage stage) {
  switch (stage) {
    case Progress::Stage::read: return "read";
    case Progress::Stage::gram: return "gram";
    case Progress::Stage::solve: return "solve";
    case Progress::Stage::inverse: return "inverse";
  }
  return "";
}

}  // namespace

bool SignalWatch::operator()(const Progress& progress) {
  if (raised_) return false;
  if (progress.stage == Progress::Stage::solve && std::isfinite(progress.eta) && progress.iteration > 0) {
    history_.push_back(static_cast<double>(progress.iteration));
    history_.push_back(progress.eta);
  }
  const auto now = Clock::now();
  if (now < next_) return true;  // taking the GIL may take long, so it is not taken for every call
  const pybind11::gil_scoped_acquire gil;
  try {
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    if (!progress_.is_none())
      progress_(name_of(progress.stage), progress.fraction, progress.iteration, progress.eta, progress.tol);
  } catch (...) {
    raised_ = std::current_exception();
  }
  next_ = Clock::now() + std::chrono::milliseconds(50);
  return !raised_;
}

pybind11::array_t<double> SignalWatch::history() const {
  const auto rows = static_cast<pybind11::ssize_t>(history_.size() / 2);
  return pybind11::array_t<double>({rows, pybind11::ssize_t{2}}, history_.data());
}

}  // namespace dualkpca::python
