#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <sstream>

#include "commands/commands.hpp"
#include "dualkpca/core/errors.hpp"
#include "options/option_messages.hpp"
#include "process/exit_codes.hpp"
#include "process/output.hpp"
#include "process/stop_signal.hpp"

namespace dualkpca::app {
namespace {

// Prints the message as one line, even if a file name or a library has put line breaks into it, and returns `code`.
int fail(int code, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  print(stderr, fmt::format("dualkpca: {}\n", message));
  return code;
}

int run(int argc, char** argv) {
  CLI::App app("Fits kernel PCA models to tables of rows and applies them to new rows.", "dualkpca");
  app.set_version_flag("--version", "dualkpca " DUALKPCA_VERSION, "print the version and exit");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(32);
  app.get_formatter()->label("REQUIRED", "(required)");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Positionals", "Arguments");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  const std::array commands = {setup_fit(app),     setup_transform(app), setup_inverse(app),
                               setup_denoise(app), setup_score(app),     setup_path(app),
                               setup_check(app),   setup_convert(app),   setup_info(app)};
  app.footer(
      "Example:\n  dualkpca fit iris.csv --label-col species -o iris.safetensors && dualkpca info iris.safetensors");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    app.exit(help_or_version, text, text);
    print(stdout, CLI::detail::find_and_replace(text.str(), "\n\n\n", "\n\n"));
    return done;
  } catch (const CLI::ParseError& error) {
    throw InvalidArgument(explain(app, error));
  }
  const auto chosen =
      std::find_if(commands.begin(), commands.end(), [](const Command& command) { return command.parser->parsed(); });
  return chosen->run();
}

int guarded_run(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const InvalidArgument& error) {
    return fail(wrong_usage, speak_of_option(error.what()));
  } catch (const DataError& error) {
    return fail(bad_data, error.what());
  } catch (const ResourceError& error) {
    return fail(no_resources, error.what());
  } catch (const Interrupted& error) {
    return fail(StopSignal::exit_code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(no_resources, "out of memory");
  } catch (const std::exception& error) {
    return fail(our_bug, fmt::format("internal error: {}; please report it", error.what()));
  }
}

}  // namespace
}  // namespace dualkpca::app

int main(int argc, char** argv) {
  // A closed pipe or a file-size limit must be an error that is handled, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return dualkpca::app::guarded_run(argc, argv);
  } catch (...) {  // no memory was left to report an error
    return dualkpca::app::no_resources;
  }
}
