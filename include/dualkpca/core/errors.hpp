#pragma once

#include <stdexcept>

namespace dualkpca {

/// Base class of everything that the library throws on purpose. what() is one line to show to a user. It names the
/// file, the row or the option, and says what was found and what is accepted.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A parameter is outside its range, or two parameters contradict each other.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// The data or a file cannot be used: missing, malformed, not finite, not positive semi-definite.
class DataError : public Error {
 public:
  using Error::Error;
};

/// The memory budget or the disk is too small.
class ResourceError : public Error {
 public:
  using Error::Error;
};

/// A method that needs a fitted model was called before fit() or load().
class NotFitted : public Error {
 public:
  using Error::Error;
};

/// The observer asked to stop before there was any solution to keep.
class Interrupted : public Error {
 public:
  using Error::Error;
};

}  // namespace dualkpca
