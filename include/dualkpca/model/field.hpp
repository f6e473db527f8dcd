#pragma once

#include <limits>
#include <string_view>

#include "dualkpca/core/types.hpp"
#include "dualkpca/model/kernel_pca_params.hpp"

namespace dualkpca {

/// Parameters that a command offers together; hidden: no command does.
enum class FieldGroup { hidden, components, model, loss, loss_number, preimage, noise, solver, monitor, resources };

/// What is known of a parameter besides its value. Model files, the options of the command and the keywords of the
/// Python module are made from the lists of fields in kernel_pca_fields.hpp and preimage_fields.hpp.
struct Field {
  std::string_view name{};  ///< the keyword in Python and the key in a model file
  FieldGroup group = FieldGroup::hidden;
  std::string_view option{};    ///< the option of the command, with '_' for '-', where it is not the name
  std::string_view value{};     ///< what the help calls the value
  std::string_view help{};      ///< one line
  std::string_view standard{};  ///< the default in words; empty: the value itself says it
  std::string_view choices{};   ///< accepted names, separated by ", "; empty: any value of the type
  Index lowest = 0;             ///< range of whole numbers that the command accepts
  Index highest = std::numeric_limits<Index>::max();
  int rank = 0;                   ///< order in the help of a group, where it is not that of the list
  std::string_view came_with{};   ///< files without this key are older than the field; empty: all files have it
  bool null_means_nan = false;    ///< in files; JSON has no number that is not finite
  bool is_size_in_bytes = false;  ///< "8G" is accepted too

  /// As messages name it.
  [[nodiscard]] constexpr std::string_view option_name() const { return option.empty() ? name : option; }
};

/// value = the one called `name`. These throw InvalidArgument listing the accepted names.
inline void set_by_name(KernelName& value, std::string_view name) { value = parse_kernel(name); }
inline void set_by_name(LossName& value, std::string_view name) { value = parse_loss(name); }
inline void set_by_name(Norm& value, std::string_view name) { value = parse_norm(name); }
inline void set_by_name(Scaling& value, std::string_view name) { value = parse_scaling(name); }
inline void set_by_name(SolverName& value, std::string_view name) { value = parse_solver(name); }
inline void set_by_name(Accuracy& value, std::string_view name) { value = parse_accuracy(name); }
inline void set_by_name(GramMode& value, std::string_view name) { value = parse_gram_mode(name); }
inline void set_by_name(LimitKind& value, std::string_view name) { value = parse_limit_kind(name); }

}  // namespace dualkpca
