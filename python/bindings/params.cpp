#include "params.hpp"

#include <fmt/format.h>

#include <string>
#include <type_traits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/model/kernel_pca_fields.hpp"
#include "dualkpca/model/preimage_fields.hpp"

namespace dualkpca::python {
namespace {

namespace py = pybind11;

// From Python

template <class T>
void read(const Field& /*field*/, const py::handle& given, T& value) {
  if constexpr (std::is_enum_v<T>) {
    set_by_name(value, given.cast<std::string>());
  } else {
    value = given.cast<T>();
  }
}

template <class T>
void read(const Field& /*field*/, const py::handle& given, std::optional<T>& value) {
  value = given.cast<T>();
}

void read(const Field& field, const py::handle& given, std::uint64_t& value) {
  if (!field.is_size_in_bytes || !py::isinstance<py::str>(given)) {
    value = given.cast<std::uint64_t>();
    return;
  }
  try {
    value = parse_bytes(given.cast<std::string>());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}: {}", field.name, error.what()));
  }
}

void read(const Field& /*field*/, const py::handle& given, Gamma& value) {
  value = py::isinstance<py::str>(given) ? parse_gamma(given.cast<std::string>()) : Gamma(given.cast<double>());
}

void read(const Field& field, const py::handle& given, std::optional<Precision>& value) {
  const auto name = given.cast<std::string>();
  value.reset();
  if (name == "auto") return;
  for (const Precision precision : {Precision::float32, Precision::float64})
    if (name == to_string(precision)) value = precision;
  if (!value) throw InvalidArgument(fmt::format("{} is '{}'; accepted: {}", field.name, name, field.choices));
}

void read(const Field& /*field*/, const py::handle& given, Components& value) {
  value = py::isinstance<py::float_>(given) ? Components(given.cast<double>()) : Components(given.cast<Index>());
}

template <class Params>
Params params_from_keywords(const py::dict& keywords, bool may_be_missing) {
  Params params;
  py::set unknown;
  for (const auto& [name, value] : keywords) unknown.add(name);
  for_each_field(params, [&](const Field& field, auto& value) {
    const py::str name(field.name.data(), field.name.size());
    if (!keywords.contains(name)) {
      if (may_be_missing) return;
      throw py::type_error(fmt::format("parameter '{}' is missing", field.name));
    }
    unknown.attr("discard")(name);
    const py::object given = keywords[name];
    if (given.is_none()) return;
    try {
      read(field, given, value);
    } catch (const py::cast_error&) {
      throw py::type_error(fmt::format("{} is {}, which has a type that this parameter does not accept", field.name,
                                       py::repr(given).cast<std::string>()));
    }
  });
  for (const py::handle name : unknown)
    throw py::type_error(fmt::format("there is no parameter '{}'", py::str(name).cast<std::string>()));
  return params;
}

// To Python

template <class T>
py::object written(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return py::str(std::string(to_string(value)));
  } else {
    return py::cast(value);
  }
}

template <class T>
py::object written(const std::optional<T>& value) {
  return value ? py::cast(*value) : py::none();
}

py::object written(const std::optional<Precision>& value) {
  return py::str(value ? std::string(to_string(*value)) : "auto");
}

py::object written(const Components& value) {
  return value.fraction > 0 ? py::cast(value.fraction) : py::cast(value.count);
}

py::object written(const Gamma& value) {
  switch (value.rule) {
    case GammaRule::value: return py::float_(value.value);
    case GammaRule::scale: return py::str("scale");
    case GammaRule::median: return py::str("median");
    default: return py::none();
  }
}

}  // namespace

KernelPCAParams params_from(const py::dict& keywords) { return params_from_keywords<KernelPCAParams>(keywords, false); }

PreimageParams preimage_params_from(const py::dict& keywords) {
  return params_from_keywords<PreimageParams>(keywords, true);
}

py::dict keywords_from(const KernelPCAParams& params) {
  py::dict keywords;
  for_each_field(params, [&](const Field& field, const auto& value) {
    keywords[py::str(field.name.data(), field.name.size())] = written(value);
  });
  return keywords;
}

py::dict fit_fields() {
  py::dict options;
  const KernelPCAParams params;
  for_each_field(params, [&](const Field& field, const auto& /*value*/) {
    const std::string_view option = field.option_name();
    const bool is_hidden = field.group == FieldGroup::hidden;
    options[py::str(field.name.data(), field.name.size())] =
        is_hidden ? py::object(py::none()) : py::str(option.data(), option.size());
  });
  return options;
}

}  // namespace dualkpca::python
