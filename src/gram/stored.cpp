#include "dualkpca/gram/stored.hpp"

#include "gram/kernel_source.hpp"
#include "gram/representable.hpp"
#include "gram/stored_gram.hpp"

namespace dualkpca {
namespace {

template <class T, class Rows>
std::unique_ptr<GramOperator> make(std::shared_ptr<const Kernel> kernel, const Rows& X, int threads,
                                   const Observer& observe, ExactBlock exact) {
  Vector diagonal(X.rows);
  kernel->diagonal(X, diagonal.data());
  require_representable<T>(diagonal);
  auto source = std::make_unique<KernelSource<T, Rows>>(std::move(kernel), X, threads, std::move(exact));
  return std::make_unique<StoredGram<T>>(std::move(source), std::move(diagonal), threads, observe);
}

}  // namespace

std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel, const DenseRows<float>& X,
                                               int threads, const Observer& observe, ExactBlock exact) {
  return make<float>(std::move(kernel), X, threads, observe, std::move(exact));
}

std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel, const DenseRows<double>& X,
                                               int threads, const Observer& observe, ExactBlock exact) {
  return make<double>(std::move(kernel), X, threads, observe, std::move(exact));
}

std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel, const SparseRows<float>& X,
                                               int threads, const Observer& observe, ExactBlock exact) {
  return make<float>(std::move(kernel), X, threads, observe, std::move(exact));
}

std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel, const SparseRows<double>& X,
                                               int threads, const Observer& observe, ExactBlock exact) {
  return make<double>(std::move(kernel), X, threads, observe, std::move(exact));
}

std::size_t stored_gram_bytes(Index n, Precision precision) {
  return static_cast<std::size_t>(TileLayout(n).elements()) * bytes_of(precision);
}

}  // namespace dualkpca
