#pragma once

#include <limits>
#include <string_view>

#include "dualkpca/core/types.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// Parameters that a command offers together; hidden: no command does.
enum class FieldGroup { hidden, components, model, loss, loss_number, preimage, noise, solver, monitor, resources };

/// Name, help text and range of a parameter. Model files, the options of the command and the keywords of the Python
/// module are made from the lists of fields in kernel_pca_fields.hpp and preimage_fields.hpp.
struct Field {
  std::string_view name{};  ///< keyword in Python and key in a model file
  FieldGroup group = FieldGroup::hidden;
  std::string_view option{};    ///< option of the command, with '_' for '-', if it is not the name
  std::string_view value{};     ///< placeholder for the value in the help
  std::string_view help{};      ///< help text, one line
  std::string_view standard{};  ///< default in words; empty: the help shows the value itself
  std::string_view choices{};   ///< accepted names, separated by ", "; empty: any value of the type
  Index lowest = 0;             ///< smallest whole number that the command accepts
  Index highest = std::numeric_limits<Index>::max();  ///< largest one
  int rank = 0;                   ///< place in the help of a group; equal ranks keep the list's order
  std::string_view came_with{};   ///< key that files older than the field lack; empty: none are older
  bool null_means_nan = false;    ///< null in a file is NaN, because JSON has finite numbers only
  bool is_size_in_bytes = false;  ///< a size such as "8G" is accepted too

  /// Returns the name that messages use.
  [[nodiscard]] constexpr std::string_view option_name() const { return option.empty() ? name : option; }
};

/// Sets `value` to the enumerator called `name`. All throw InvalidArgument listing the accepted names.
inline void set_by_name(KernelName& value, std::string_view name) { value = parse_kernel(name); }
inline void set_by_name(LossName& value, std::string_view name) { value = parse_loss(name); }
inline void set_by_name(Norm& value, std::string_view name) { value = parse_norm(name); }
inline void set_by_name(Scaling& value, std::string_view name) { value = parse_scaling(name); }
inline void set_by_name(SolverName& value, std::string_view name) { value = parse_solver(name); }
inline void set_by_name(Accuracy& value, std::string_view name) { value = parse_accuracy(name); }
inline void set_by_name(GramMode& value, std::string_view name) { value = parse_gram_mode(name); }
inline void set_by_name(LimitKind& value, std::string_view name) { value = parse_limit_kind(name); }

}  // namespace dualkpca
