#include "data/io/temporary_names.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

namespace dualkpca {
namespace {

enum State : int { unused, being_set, set };

struct Place {
  std::atomic<int> state{unused};
  std::array<char, PATH_MAX> name{};
};

std::array<Place, 16> places;

}  // namespace

void TemporaryName::set(const std::string& name) {
  clear();
  if (name.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < places.size(); ++i) {
    int expected = unused;
    if (!places[i].state.compare_exchange_strong(expected, being_set)) continue;
    std::memcpy(places[i].name.data(), name.c_str(), name.size() + 1);
    places[i].state = State::set;
    place_ = static_cast<int>(i);
    return;
  }
}

void TemporaryName::clear() {
  if (place_ >= 0) places[static_cast<std::size_t>(place_)].state = unused;
  place_ = -1;
}

void remove_temporary_names() noexcept {
  for (Place& place : places)
    if (place.state == set) ::unlink(place.name.data());
}

}  // namespace dualkpca
