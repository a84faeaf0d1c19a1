#pragma once

#include <cstdint>

// The data structures of DLPack 1.0 (https://dmlc.github.io/dlpack), as far as memory of the CPU
// needs them. The layout is the standard's.
namespace oploom::python::dlpack {

struct Version {
  std::uint32_t major;
  std::uint32_t minor;
};

struct Device {
  std::int32_t type;
  std::int32_t id;
};
inline constexpr std::int32_t kCpu = 1;

struct DataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
inline constexpr std::uint8_t kInt = 0;
inline constexpr std::uint8_t kUInt = 1;
inline constexpr std::uint8_t kFloat = 2;
inline constexpr std::uint8_t kBool = 6;

struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: row-major
  std::uint64_t byte_offset;
};

struct Managed {  // capsule "dltensor"
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};

inline constexpr std::uint64_t kReadOnly = 1;
inline constexpr std::uint64_t kCopied = 2;

struct ManagedVersioned {  // capsule "dltensor_versioned"
  Version version;
  void* context;
  void (*deleter)(ManagedVersioned*);
  std::uint64_t flags;
  Tensor tensor;
};

}  // namespace oploom::python::dlpack
