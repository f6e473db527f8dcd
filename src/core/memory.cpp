#include "dualkpca/core/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>

#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t mem_available() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  std::size_t kib = 0;
  while (meminfo >> key >> kib) {
    std::getline(meminfo, unit);
    if (key == "MemAvailable:") return kib * 1024;
  }
  return unlimited;
}

// Reads one number of a cgroup file; "max" and a missing file mean no limit.
std::size_t cgroup_value(const char* path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : unlimited;
}

// Returns the memory that the limit of the container leaves, which may be less than the free memory of the machine.
std::size_t cgroup_available() {
  const std::size_t limit = cgroup_value("/sys/fs/cgroup/memory.max");
  const std::size_t used = cgroup_value("/sys/fs/cgroup/memory.current");
  if (limit == unlimited || used == unlimited) return unlimited;
  return limit > used ? limit - used : 0;
}

std::size_t limit_of(int resource) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return unlimited;
  return limit.rlim_cur;
}

// Returns the bytes that the limits of ulimit -v and ulimit -d leave to this process.
std::size_t limit_left() {
  if (!has_memory_limit()) return unlimited;
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0, resident = 0, shared = 0, text = 0, library = 0, data_pages = 0;
  if (!(statm >> pages >> resident >> shared >> text >> library >> data_pages)) return unlimited;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto left = [&](int resource, std::size_t used) {
    const std::size_t limit = limit_of(resource);
    return limit == unlimited ? unlimited : limit - std::min(limit, used * page);
  };
  return std::min(left(RLIMIT_AS, pages), left(RLIMIT_DATA, data_pages));
}

}  // namespace

bool has_memory_limit() { return limit_of(RLIMIT_AS) != unlimited || limit_of(RLIMIT_DATA) != unlimited; }

std::size_t available_memory() { return std::min({mem_available(), cgroup_available(), limit_left()}); }

std::size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

std::size_t parse_bytes(std::string_view text) {
  const auto bad = [&] {
    return InvalidArgument(
        fmt::format("'{}' is not a size; write a number of bytes or, for example, 512M, 8G, 1.5GiB", text));
  };
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number) || number <= 0) throw bad();
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit.ends_with("iB"))
    unit.remove_suffix(2);
  else if (unit.size() > 1 && unit.ends_with('B'))
    unit.remove_suffix(1);
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    constexpr std::string_view prefixes = "KMGTP";
    const std::size_t power = prefixes.find(static_cast<char>(std::toupper(unit.front())));
    if (unit.size() != 1 || power == std::string_view::npos) throw bad();
    factor = std::pow(1024.0, static_cast<double>(power + 1));
  }
  const double bytes = number * factor;
  if (bytes < 1 || bytes > 9e18) throw bad();
  return static_cast<std::size_t>(bytes);
}

std::string format_bytes(std::size_t bytes) {
  constexpr std::array units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  double value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  if (bytes == 1) return "1 byte";
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.2f} {}", value, units.at(unit));
}

}  // namespace dualkpca
