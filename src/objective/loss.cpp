#include "dualkpca/objective/loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/names.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<LossName, 3> losses = {
    {{LossName::square, "square"}, {LossName::huber, "huber"}, {LossName::epsilon_insensitive, "epsilon_insensitive"}}};
constexpr NameTable<Norm, 3> norms = {
    {{Norm::rows, "rows"}, {Norm::entries, "entries"}, {Norm::frobenius, "frobenius"}}};

// Returns the sum of f(t) over the sizes t: of each row, of each entry, or of the whole matrix, depending on the norm.
template <class Function>
double sum_over(const Matrix& M, Norm norm, const Function& f) {
  double sum = 0;
  switch (norm) {
    case Norm::rows:
      for (Index i = 0; i < M.rows(); ++i) sum += f(M.row(i).norm());
      break;
    case Norm::entries:
      for (Index i = 0; i < M.size(); ++i) sum += f(std::abs(M.data()[i]));
      break;
    case Norm::frobenius: sum = f(M.norm()); break;
  }
  return sum;
}

// Multiplies each row, each entry or the whole matrix, depending on the norm, by factor(t) of its size t.
template <class Function>
void scale_each(Matrix& M, Norm norm, const Function& factor) {
  switch (norm) {
    case Norm::rows:
      for (Index i = 0; i < M.rows(); ++i) M.row(i) *= factor(M.row(i).norm());
      break;
    case Norm::entries:
      for (Index i = 0; i < M.size(); ++i) M.data()[i] *= factor(std::abs(M.data()[i]));
      break;
    case Norm::frobenius: M *= factor(M.norm()); break;
  }
}

void require_positive_number(const char* name, const std::optional<double>& value) {
  if (value && !(*value > 0 && std::isfinite(*value)))
    throw InvalidArgument(fmt::format("{} is {}; it must be a positive number", name, *value));
}

void require_share(const char* name, const std::optional<double>& value, bool one_too) {
  if (value && !(*value > 0 && (*value < 1 || (one_too && *value == 1))))
    throw InvalidArgument(fmt::format("{} is {}; it must be in (0, 1{}", name, *value, one_too ? "]" : ")"));
}

}  // namespace

std::string_view to_string(LossName name) { return name_of(losses, name); }
LossName parse_loss(std::string_view name) { return parse_name(losses, "loss", name); }
std::string_view to_string(Norm norm) { return name_of(norms, norm); }
Norm parse_norm(std::string_view name) { return parse_name(norms, "norm", name); }

void LossParams::validate() const {
  require_positive_number("kappa", kappa);
  require_share("kappa_ratio", kappa_ratio, true);
  require_positive_number("epsilon", epsilon);
  require_share("sparsity", sparsity, false);
  if (kappa && kappa_ratio) throw InvalidArgument("both kappa and kappa_ratio are given; give only one of them");
  if (epsilon && sparsity) throw InvalidArgument("both epsilon and sparsity are given; give only one of them");
  const auto refuse = [&](const char* option, bool given, LossName needed) {
    if (given && name != needed)
      throw InvalidArgument(
          fmt::format("{} belongs to loss {}; the loss is {}", option, to_string(needed), to_string(name)));
  };
  refuse("kappa", kappa.has_value(), LossName::huber);
  refuse("kappa_ratio", kappa_ratio.has_value(), LossName::huber);
  refuse("epsilon", epsilon.has_value(), LossName::epsilon_insensitive);
  refuse("sparsity", sparsity.has_value(), LossName::epsilon_insensitive);
  if (name == LossName::square && norm != Norm::rows)
    throw InvalidArgument(
        fmt::format("norm {} belongs to losses huber and epsilon_insensitive; the loss is square", to_string(norm)));
  if (name == LossName::epsilon_insensitive && norm == Norm::frobenius && !epsilon)
    throw InvalidArgument("norm frobenius makes nothing zero, so it has no sparsity: give epsilon");
}

double Loss::value(const Matrix& Y) const {
  const double p = parameter;
  switch (name) {
    case LossName::huber: return sum_over(Y, norm, [p](double t) { return t <= p ? t * t / 2 : p * (t - p / 2); });
    case LossName::epsilon_insensitive:
      return sum_over(Y, norm, [p](double t) { return t <= p ? 0.0 : (t - p) * (t - p) / 2; });
    default: return 0.5 * Y.squaredNorm();
  }
}

double Loss::conjugate(const Matrix& H) const {
  const double p = parameter;
  switch (name) {
    case LossName::huber: return largest(H, norm) <= p * (1 + 1e-12) ? 0 : std::numeric_limits<double>::infinity();
    case LossName::epsilon_insensitive: return p * sum_over(H, norm, [](double t) { return t; });
    default: return 0;
  }
}

Matrix Loss::prox(const Matrix& Y) const {
  const double p = parameter;
  Matrix Z = Y;
  if (name == LossName::huber) scale_each(Z, norm, [p](double t) { return t <= p ? 1.0 : p / t; });
  if (name == LossName::epsilon_insensitive) scale_each(Z, norm, [p](double t) { return t <= p ? 0.0 : (t - p) / t; });
  return Z;
}

std::vector<double> sizes_of(const Matrix& H, Norm norm) {
  std::vector<double> sizes;
  sizes.reserve(static_cast<std::size_t>(norm == Norm::rows ? H.rows() : H.size()));
  (void)sum_over(H, norm, [&](double t) {
    sizes.push_back(t);
    return t;
  });
  return sizes;
}

double largest(const Matrix& H, Norm norm) {
  if (H.size() == 0) return 0;
  switch (norm) {
    case Norm::rows: return H.rowwise().norm().maxCoeff();
    case Norm::entries: return H.cwiseAbs().maxCoeff();
    default: return H.norm();
  }
}

double zero_share(const Matrix& H, Norm norm) {
  if (norm == Norm::rows)
    return static_cast<double>((H.cwiseAbs().rowwise().maxCoeff().array() == 0).count()) /
           static_cast<double>(H.rows());
  if (norm == Norm::entries) return static_cast<double>((H.array() == 0).count()) / static_cast<double>(H.size());
  return H.isZero(0) ? 1 : 0;
}

}  // namespace dualkpca
