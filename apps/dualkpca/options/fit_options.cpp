#include "options/fit_options.hpp"

#include <functional>
#include <map>

#include "dualkpca/model/kernel_pca_fields.hpp"
#include "options/field_options.hpp"

namespace dualkpca::app {
namespace {

const char* heading_of(FieldGroup group) {
  switch (group) {
    case FieldGroup::components:
    case FieldGroup::model: return "Model (components, kernel, columns)";
    case FieldGroup::loss:
    case FieldGroup::loss_number: return "Loss (robust and sparse fits)";
    case FieldGroup::solver: return "Solver and accuracy";
    case FieldGroup::monitor: return "Monitoring (limits of T2 and SPE)";
    default: return "Memory, precision and threads";
  }
}

}  // namespace

void add_fit_options(CLI::App& app, KernelPCAParams& params, FieldGroup group) {
  app.option_defaults()->group(heading_of(group));
  std::multimap<int, std::function<void()>> by_rank;
  for_each_field(params, [&](const Field& field, auto& value) {
    if (field.group == group) by_rank.emplace(field.rank, [&app, &field, &value] { add_field(app, field, value); });
  });
  for (const auto& [rank, add] : by_rank) add();
}

}  // namespace dualkpca::app
