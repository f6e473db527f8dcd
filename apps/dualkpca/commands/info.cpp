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
  CLI::App* parser = app.add_subcommand("info", "Everything a model knows")->group("Commands");
  const auto options = std::make_shared<InfoOptions>();
  parser->add_option("MODEL", options->model, "made by dualkpca fit")->required()->type_name("");
  parser->add_flag("--json", options->json, "as JSON, with the fields of fit --json (default: text)");
  parser
      ->add_option("--weights", options->weights,
                   "write the weights of the training rows here; -: as CSV, nothing else (default: not)")
      ->type_name("FILE");
  parser->footer("Example:\n  dualkpca info iris.safetensors");
  return {parser, [options] { return run_info(*options); }};
}

}  // namespace dualkpca::app
