#include "params.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"

namespace dualkpca::python {
namespace {

namespace py = pybind11;

using Setters = std::map<std::string, std::function<void(const py::handle&)>>;

template <class T>
T as(const py::handle& value) {
  return value.cast<T>();
}

std::size_t bytes_from(const py::handle& value) {
  if (!py::isinstance<py::str>(value)) return as<std::size_t>(value);
  try {
    return parse_bytes(as<std::string>(value));
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("memory: {}", error.what()));
  }
}

Gamma gamma_from(const py::handle& value) {
  if (py::isinstance<py::str>(value)) return parse_gamma(as<std::string>(value));
  return as<double>(value);
}

std::optional<Precision> precision_from(const py::handle& value) {
  const auto name = as<std::string>(value);
  if (name == "auto") return {};
  if (name == to_string(Precision::float32)) return Precision::float32;
  if (name == to_string(Precision::float64)) return Precision::float64;
  throw InvalidArgument(fmt::format("precision is '{}'; accepted: auto, float32, float64", name));
}

Components components_from(const py::handle& value) {
  if (py::isinstance<py::float_>(value)) return as<double>(value);
  return as<Index>(value);
}

void apply(const py::dict& keywords, const Setters& setters) {
  for (const auto& [key, value] : keywords) {
    const auto name = as<std::string>(key);
    const auto setter = setters.find(name);
    if (setter == setters.end()) throw py::type_error(fmt::format("there is no parameter '{}'", name));
    if (value.is_none()) continue;
    try {
      setter->second(value);
    } catch (const py::cast_error&) {
      throw py::type_error(
          fmt::format("{} is {}, of a type that has no meaning here", name, py::repr(value).cast<std::string>()));
    }
  }
}

}  // namespace

KernelPCAParams params_from(const py::dict& keywords) {
  KernelPCAParams params;
  const auto text = [](const auto& set) { return [set](const py::handle& v) { set(as<std::string>(v)); }; };
  const Setters setters{
      {"n_components", [&](const py::handle& v) { params.n_components = components_from(v); }},
      {"kernel", text([&](const std::string& v) { params.kernel.name = parse_kernel(v); })},
      {"gamma", [&](const py::handle& v) { params.kernel.gamma = gamma_from(v); }},
      {"degree", [&](const py::handle& v) { params.kernel.degree = as<int>(v); }},
      {"coef0", [&](const py::handle& v) { params.kernel.coef0 = as<double>(v); }},
      {"center", [&](const py::handle& v) { params.center = as<bool>(v); }},
      {"scale", text([&](const std::string& v) { params.scale = parse_scaling(v); })},
      {"lags", [&](const py::handle& v) { params.lags = as<Index>(v); }},
      {"loss", text([&](const std::string& v) { params.loss.name = parse_loss(v); })},
      {"norm", text([&](const std::string& v) { params.loss.norm = parse_norm(v); })},
      {"kappa", [&](const py::handle& v) { params.loss.kappa = as<double>(v); }},
      {"kappa_ratio", [&](const py::handle& v) { params.loss.kappa_ratio = as<double>(v); }},
      {"epsilon", [&](const py::handle& v) { params.loss.epsilon = as<double>(v); }},
      {"sparsity", [&](const py::handle& v) { params.loss.sparsity = as<double>(v); }},
      {"solver", text([&](const std::string& v) { params.solver.name = parse_solver(v); })},
      {"tol", [&](const py::handle& v) { params.solver.tol = as<double>(v); }},
      {"accuracy", text([&](const std::string& v) { params.solver.accuracy = parse_accuracy(v); })},
      {"max_iter", [&](const py::handle& v) { params.solver.max_iter = as<Index>(v); }},
      {"time_limit", [&](const py::handle& v) { params.solver.time_limit = as<double>(v); }},
      {"landmarks", [&](const py::handle& v) { params.solver.landmarks = as<Index>(v); }},
      {"power_iterations", [&](const py::handle& v) { params.solver.power_iterations = as<Index>(v); }},
      {"seed", [&](const py::handle& v) { params.solver.seed = as<std::uint64_t>(v); }},
      {"memory", [&](const py::handle& v) { params.memory = bytes_from(v); }},
      {"precision", [&](const py::handle& v) { params.precision = precision_from(v); }},
      {"threads", [&](const py::handle& v) { params.threads = as<int>(v); }},
      {"limits", text([&](const std::string& v) { params.monitor.limits = parse_limit_kind(v); })},
      {"level", [&](const py::handle& v) { params.monitor.level = as<double>(v); }},
  };
  apply(keywords, setters);
  return params;
}

PreimageParams preimage_params_from(const py::dict& keywords) {
  PreimageParams params;
  apply(keywords,
        {{"method", [&](const py::handle& v) { params.method = parse_preimage_method(as<std::string>(v)); }},
         {"gamma", [&](const py::handle& v) { params.gamma = as<double>(v); }},
         {"alpha", [&](const py::handle& v) { params.alpha = as<double>(v); }},
         {"centers", [&](const py::handle& v) { params.centers = as<Index>(v); }},
         {"weights", [&](const py::handle& v) { params.weights = parse_preimage_weights(as<std::string>(v)); }},
         {"compatibility",
          [&](const py::handle& v) { params.compatibility = parse_preimage_compatibility(as<std::string>(v)); }},
         {"noise", [&](const py::handle& v) { params.noise = as<double>(v); }},
         {"seed", [&](const py::handle& v) { params.seed = as<std::uint64_t>(v); }}});
  return params;
}

}  // namespace dualkpca::python
