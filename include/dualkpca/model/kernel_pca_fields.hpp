#pragma once

#include <concepts>
#include <type_traits>

#include "dualkpca/model/field.hpp"

namespace dualkpca {

/// The parameters of a fit under their names.
namespace fields {

inline constexpr Field n_components{
    .name = "n_components",
    .group = FieldGroup::components,
    .value = "N",
    .help = "number of components, or the share of the variance they explain, 0 < N < 1"};
inline constexpr Field kernel{
    .name = "kernel",
    .group = FieldGroup::model,
    .help = "kernel function k(x, y), the similarity of two rows",
    .choices = "rbf, laplace, laplacian, poly, linear, sigmoid, cosine, matern32, matern52, precomputed"};
inline constexpr Field loss{.name = "loss",
                            .group = FieldGroup::loss,
                            .help = "how scores are added up; huber is robust, epsilon_insensitive sparse",
                            .choices = "square, huber, epsilon_insensitive",
                            .came_with = "loss"};
inline constexpr Field norm{.name = "norm",
                            .group = FieldGroup::loss,
                            .help = "unit of scores that the loss clips or shrinks",
                            .choices = "rows, entries, frobenius",
                            .came_with = "loss"};
inline constexpr Field kappa{.name = "kappa",
                             .group = FieldGroup::loss_number,
                             .value = "VALUE",
                             .help = "hyperparameter of huber: bound on norms of dual variables",
                             .standard = ": by --kappa-ratio",
                             .came_with = "loss"};
inline constexpr Field kappa_ratio{.name = "kappa_ratio",
                                   .group = FieldGroup::loss_number,
                                   .value = "R",
                                   .help = "huber: kappa as a share of kappa_max, which clips nothing, 0 < R <= 1",
                                   .standard = "0.05",
                                   .came_with = "loss"};
inline constexpr Field epsilon{.name = "epsilon",
                               .group = FieldGroup::loss_number,
                               .value = "VALUE",
                               .help = "hyperparameter of epsilon_insensitive: ignores smaller scores",
                               .standard = ": by --sparsity",
                               .came_with = "loss"};
inline constexpr Field sparsity{.name = "sparsity",
                                .group = FieldGroup::loss_number,
                                .value = "F",
                                .help = "share of rows or entries that epsilon_insensitive makes zero, 0 < F < 1",
                                .standard = "0.5",
                                .came_with = "loss"};
inline constexpr Field gamma{.name = "gamma",
                             .group = FieldGroup::model,
                             .value = "VALUE",
                             .help = "inverse width: a positive number, auto (1/columns), scale or median",
                             .standard = "auto"};
inline constexpr Field degree{.name = "degree",
                              .group = FieldGroup::model,
                              .value = "N",
                              .help = "degree of kernel poly",
                              .lowest = 1,
                              .highest = 100};
inline constexpr Field coef0{.name = "coef0",
                             .group = FieldGroup::model,
                             .value = "VALUE",
                             .help = "constant of kernels poly and sigmoid",
                             .null_means_nan = true};
inline constexpr Field center{.name = "center",
                              .group = FieldGroup::model,
                              .option = "no_center",
                              .help = "do not centre the rows in feature space",
                              .standard = ": centre them"};
inline constexpr Field scale{.name = "scale",
                             .group = FieldGroup::model,
                             .help = "scaling of the columns, kept in the model",
                             .choices = "none, standard, robust, minmax"};
inline constexpr Field lags{.name = "lags",
                            .group = FieldGroup::model,
                            .value = "N",
                            .help = "time series: a sample is a row and the N rows before it, kept in the model",
                            .highest = 10000,
                            .came_with = "lags"};
inline constexpr Field solver{.name = "solver",
                              .group = FieldGroup::solver,
                              .help = "algorithm",
                              .choices = "auto, krylov, nystrom, lbfgs, panoc, dca, dense, lanczos, rsvd"};
inline constexpr Field tol{.name = "tol",
                           .group = FieldGroup::solver,
                           .value = "ETA",
                           .help = "stop when the error eta is at most this; 0: as small as rounding allows"};
inline constexpr Field accuracy{.name = "accuracy",
                                .group = FieldGroup::solver,
                                .help = "kind of eta: estimate, or upper bound (failure probability 1e-6)",
                                .choices = "estimated, certified",
                                .came_with = "accuracy"};
inline constexpr Field max_iter{
    .name = "max_iter", .group = FieldGroup::solver, .value = "N", .help = "largest number of iterations", .lowest = 1};
inline constexpr Field time_limit{.name = "time_limit",
                                  .group = FieldGroup::solver,
                                  .value = "SECONDS",
                                  .help = "stop after this time with the best solution so far",
                                  .standard = "0: no limit",
                                  .null_means_nan = true};
inline constexpr Field seed{.name = "seed",
                            .group = FieldGroup::solver,
                            .value = "N",
                            .help = "seed of the random start and of all other random choices",
                            .rank = 2};
inline constexpr Field oversampling{.name = "oversampling",
                                    .group = FieldGroup::solver,
                                    .value = "N",
                                    .help = "rsvd: columns of a product beyond the components",
                                    .rank = 1,
                                    .came_with = "oversampling"};
inline constexpr Field power_iterations{.name = "power_iterations",
                                        .group = FieldGroup::solver,
                                        .value = "N",
                                        .help = "rsvd: number of power iterations, or auto for as many as --tol needs",
                                        .standard = "auto",
                                        .rank = 1,
                                        .came_with = "power_iterations"};
inline constexpr Field landmarks{.name = "landmarks",
                                 .group = FieldGroup::solver,
                                 .value = "N",
                                 .help = "most landmarks of nystrom, or rows of a sparse model's centre",
                                 .standard = "0: automatic",
                                 .came_with = "landmarks"};
inline constexpr Field gram{
    .name = "gram", .group = FieldGroup::resources, .help = "storage of the Gram matrix", .choices = "auto, stored"};
inline constexpr Field precision{.name = "precision",
                                 .group = FieldGroup::resources,
                                 .help = "precision of the Gram matrix (auto: float32 if tol >= 1e-5)",
                                 .standard = "auto",
                                 .choices = "auto, float32, float64",
                                 .rank = 1};
inline constexpr Field memory{.name = "memory",
                              .group = FieldGroup::resources,
                              .value = "SIZE",
                              .help = "memory budget, for example 512M or 8G",
                              .standard = ": what is available",
                              .is_size_in_bytes = true};
inline constexpr Field threads{.name = "threads",
                               .group = FieldGroup::resources,
                               .value = "N",
                               .help = "number of threads",
                               .standard = "0: all processors",
                               .highest = 4096,
                               .rank = 1};
inline constexpr Field limits{.name = "limits",
                              .group = FieldGroup::monitor,
                              .help = "method for limits of T2 (within the components) and SPE (outside)",
                              .choices = "auto, cv, training, chi2, weighted_chi2, none",
                              .came_with = "limits"};
inline constexpr Field level{.name = "level",
                             .group = FieldGroup::monitor,
                             .value = "F",
                             .help = "share of ordinary rows below each limit, 0.5 <= F < 1",
                             .came_with = "limits"};
inline constexpr Field folds{.name = "folds", .came_with = "limits"};

static_assert(LossParams::default_kappa_ratio == 0.05 && LossParams::default_sparsity == 0.5);  // as the texts say

}  // namespace fields

/// Calls visit(field, member) for every parameter of a fit, in the order of a model file. `Params` may be const.
/// input_memory is no field, because it describes the given rows and is not stored.
template <class Params, class Visit>
requires std::same_as<std::remove_const_t<Params>, KernelPCAParams>
void for_each_field(Params& params, const Visit& visit) {
  visit(fields::n_components, params.n_components);
  visit(fields::kernel, params.kernel.name);
  visit(fields::loss, params.loss.name);
  visit(fields::norm, params.loss.norm);
  visit(fields::kappa, params.loss.kappa);
  visit(fields::kappa_ratio, params.loss.kappa_ratio);
  visit(fields::epsilon, params.loss.epsilon);
  visit(fields::sparsity, params.loss.sparsity);
  visit(fields::gamma, params.kernel.gamma);
  visit(fields::degree, params.kernel.degree);
  visit(fields::coef0, params.kernel.coef0);
  visit(fields::center, params.center);
  visit(fields::scale, params.scale);
  visit(fields::lags, params.lags);
  visit(fields::solver, params.solver.name);
  visit(fields::tol, params.solver.tol);
  visit(fields::accuracy, params.solver.accuracy);
  visit(fields::max_iter, params.solver.max_iter);
  visit(fields::time_limit, params.solver.time_limit);
  visit(fields::seed, params.solver.seed);
  visit(fields::oversampling, params.solver.oversampling);
  visit(fields::power_iterations, params.solver.power_iterations);
  visit(fields::landmarks, params.solver.landmarks);
  visit(fields::gram, params.gram);
  visit(fields::precision, params.precision);
  visit(fields::memory, params.memory);
  visit(fields::threads, params.threads);
  visit(fields::limits, params.monitor.limits);
  visit(fields::level, params.monitor.level);
  visit(fields::folds, params.monitor.folds);
}

}  // namespace dualkpca
