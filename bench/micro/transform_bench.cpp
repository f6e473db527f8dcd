// Speed of scores of new rows against sgemm, computed as the command does: rows are streamed from an NPY file, scores
// are written to one. The share is of the rate that sgemm reaches in the same run on 512-tiles of the same inner
// dimension. Usage: transform_bench [new rows] [training rows] [d] [components] [threads] [repeats]
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/dualkpca.hpp"
#include "roofline.hpp"

using namespace dualkpca;
using namespace dualkpca::bench;

namespace {

void write_rows(const std::string& path, Index rows, Index d) {
  constexpr Index at_once = 10000;
  const auto writer = make_table_writer(path, {.cols = d, .rows = rows, .precision = Precision::float32});
  for (Index first = 0; first < rows; first += at_once)
    writer->write(random_normal(std::min(at_once, rows - first), d, static_cast<std::uint64_t>(first + 1)));
  writer->commit();
}

void transform_file(const KernelPCA& model, const std::string& in, const std::string& out, int threads) {
  const auto stream = open_dataset(in);
  const auto writer = make_table_writer(out, {.cols = model.report().n_components, .rows = stream->rows()});
  for (Dataset part = stream->next(4096); part.samples.view().rows() > 0; part = stream->next(4096))
    writer->write(model.transform(part.samples.view(), threads));
  writer->commit();
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, Index fallback) { return argc > i ? std::atol(argv[i]) : fallback; };
  const Index m = argument(1, 100000), n = argument(2, 5000), d = argument(3, 256), s = argument(4, 20);
  const int threads = resolve_threads(static_cast<int>(argument(5, 0))), repeats = static_cast<int>(argument(6, 3));
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "dualkpca_transform_bench";
  std::filesystem::create_directories(folder);
  const std::string in = folder / "rows.npy", out = folder / "scores.npy";
  write_rows(in, m, d);
  KernelPCA model({.n_components = s, .kernel = {.gamma = GammaRule::median}, .solver = {.tol = 1e-3}});
  model.fit(Matrix(random_normal(n, d, 0)));

  const double flops = 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(d + s);
  double best = 0, reference = 0;
  for (int r = 0; r < repeats; ++r) {
    reference = std::max(reference, sgemm_rate(block, d, blas::Op::none, blas::Op::transpose, threads));
    best = std::max(best, flops / seconds([&] { transform_file(model, in, out, threads); }) / 1e9);
  }
  fmt::print("{} new rows against {}, d = {}, {} components, rbf, float32, {} threads, best of {}\n", m, n, d, s,
             threads, repeats);
  fmt::print("{:.1f} Gflop/s, sgemm {:.1f}: {:.0f} %; peak memory {}\n", best, reference, 100 * best / reference,
             format_bytes(peak_memory()));
  std::filesystem::remove_all(folder);
  return 0;
}
