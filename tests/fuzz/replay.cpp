// Runs a target once for each stored input, without libFuzzer: `fuzz_replay model FILE_OR_FOLDER...`. It prints the
// name of an input before its run, so that the last line names the input of a crash.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "targets.hpp"

namespace {

namespace fs = std::filesystem;
using Target = void (*)(std::string_view);

constexpr std::pair<std::string_view, Target> targets[] = {{"model", dualkpca::fuzz::try_model},
                                                           {"reader", dualkpca::fuzz::try_reader},
                                                           {"hdf5", dualkpca::fuzz::try_hdf5},
                                                           {"arguments", dualkpca::fuzz::try_arguments}};

std::vector<fs::path> list_inputs(int argc, char** argv) {
  std::vector<fs::path> inputs;
  for (int i = 2; i < argc; ++i)
    if (fs::is_directory(argv[i]))
      inputs.insert(inputs.end(), fs::directory_iterator(argv[i]), fs::directory_iterator());
    else
      inputs.emplace_back(argv[i]);
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  const auto* const target = std::find_if(std::begin(targets), std::end(targets),
                                          [&](const auto& candidate) { return candidate.first == name; });
  const std::vector<fs::path> inputs = list_inputs(argc, argv);
  if (target == std::end(targets) || inputs.empty()) {
    std::fprintf(stderr, "usage: fuzz_replay model|reader|hdf5|arguments FILE_OR_FOLDER...\n");
    return 2;
  }
  for (const fs::path& input : inputs) {
    std::ifstream file(input, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open()) {
      std::fprintf(stderr, "fuzz_replay: cannot read %s\n", input.c_str());
      return 2;
    }
    std::printf("%s\n", input.c_str());
    std::fflush(stdout);
    target->second(bytes);
  }
  std::printf("%zu inputs, no find\n", inputs.size());
  return 0;
}
