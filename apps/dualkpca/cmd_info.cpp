#include <memory>

#include "commands.hpp"
#include "dualkpca/dualkpca.hpp"
#include "exit_codes.hpp"
#include "output.hpp"

namespace dualkpca::app {
namespace {

struct InfoOptions {
  std::string model{};
  bool json = false;
};

int run_info(const InfoOptions& options) {
  const KernelPCA model = KernelPCA::load(options.model);
  print(stdout, options.json ? report_json(model) : info_text(model));
  return done;
}

}  // namespace

Command setup_info(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("info", "Everything a model knows")->group("Commands");
  const auto options = std::make_shared<InfoOptions>();
  parser->add_option("MODEL", options->model, "made by dualkpca fit")->required()->type_name("");
  parser->add_flag("--json", options->json, "as JSON, with the fields of fit --json (default: text)");
  parser->footer("Example:\n  dualkpca info iris.safetensors");
  return {parser, [options] { return run_info(*options); }};
}

}  // namespace dualkpca::app
