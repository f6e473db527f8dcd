#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace dualkpca {

/// Returns `bytes` of zeroed memory straight from the operating system, or resizes the old block: its pages are
/// remapped, not copied. Pages that are never written cost nothing. Throws ResourceError.
[[nodiscard]] void* resize_pages(void* old, std::size_t old_bytes, std::size_t bytes);
void free_pages(void* pages, std::size_t bytes) noexcept;

/// An array that grows at its end without copying. A std::vector doubles and copies, which briefly needs three times
/// the memory.
template <class T>
class GrowingBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingBuffer() = default;
  GrowingBuffer(GrowingBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  GrowingBuffer& operator=(GrowingBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~GrowingBuffer() { free_pages(data_, capacity_ * sizeof(T)); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }

  /// Appends `count` elements and returns a pointer to the first of them.
  T* extend(std::size_t count) {
    if (count > capacity_ - size_) grow(count);
    size_ += count;
    return data_ + size_ - count;
  }
  void push_back(const T& value) { *extend(1) = value; }
  /// Drops all elements after the first `count`; the capacity stays.
  void shorten(std::size_t count) { size_ = count; }

 private:
  void grow(std::size_t count) {
    constexpr std::size_t least = 65536 / sizeof(T);
    std::size_t capacity = 2 * capacity_ > least ? 2 * capacity_ : least;
    if (capacity < size_ + count) capacity = size_ + count;
    data_ = static_cast<T*>(resize_pages(data_, capacity_ * sizeof(T), capacity * sizeof(T)));
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace dualkpca
