#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "dualkpca/dualkpca.hpp"
#include "process/check_outputs.hpp"
#include "process/exit_codes.hpp"
#include "process/output.hpp"
#include "rows/write_table.hpp"

namespace dualkpca::app {
namespace {

struct InfoOptions {
  std::string model{}, weights{};
  bool json = false;
};

void write_weights(const InfoOptions& options, const KernelPCA& model) {
  const Vector weights = model.row_weights();
  if (weights.size() == 0)
    throw InvalidArgument(
        fmt::format("--weights: {} was fitted with the square loss, which weighs all rows alike", options.model));
  write_table(options.weights, {"weight"}, weights);
}

int run_info(const InfoOptions& options) {
  check_outputs({{"MODEL", options.model}}, {{"--weights", options.weights, true}});
  const KernelPCA model = KernelPCA::load(options.model);
  if (!options.weights.empty())
    ignore_closed_pipe(is_standard_output(options.weights), [&] { write_weights(options, model); });
  if (!is_standard_output(options.weights)) print(stdout, options.json ? report_json(model) : info_text(model));
  return done;
}

}  // namespace

Command setup_info(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("info", "Prints what a model file contains: results of the fit, components and parameters.")
          ->group("Commands");
  const auto options = std::make_shared<InfoOptions>();
  parser->add_option("MODEL", options->model, "model file, written by dualkpca fit")->required()->type_name("");
  parser->add_flag("--json", options->json, "print JSON with the fields of dualkpca fit --json (default: text)");
  parser
      ->add_option("--weights", options->weights,
                   "write the row weights of a robust or sparse fit here (default: not written);\n"
                   "- is standard output, as CSV and nothing else; weights are no outlier scores, see below")
      ->type_name("FILE");
  parser->footer(
      "A row weight is the factor by which the loss shrinks the scores of a training row; 1 means that the row\n"
      "counts in full. With a bounded kernel (rbf, laplace, laplacian, matern32, matern52, cosine) row weights\n"
      "are not outlier scores: a gross outlier has no larger scores than other rows, so the loss hardly clips\n"
      "it. Look at SPE and T2 instead, which dualkpca score computes.\n\n"
      "Example:\n  dualkpca info iris.safetensors");
  return {parser, [options] { return run_info(*options); }};
}

}  // namespace dualkpca::app
