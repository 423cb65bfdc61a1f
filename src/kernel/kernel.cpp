#include "kernel/kernel.h"

#include <array>
#include <atomic>
#include <cstdlib>

#include "kernel/kernels.h"

namespace sluice::kernel {
namespace {

constexpr std::size_t kKernelsMax = 4;

struct Supported {
  std::array<const Kernel*, kKernelsMax> kernels{};
  std::size_t count = 0;

  Supported() {
    kernels[count++] = &kSwar;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul") &&
                      __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
    if (avx2) kernels[count++] = &kAvx2;
    // The compiler's own check of the CPU asks the operating system as well (XCR0).
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd") &&
                        __builtin_cpu_supports("avx512vbmi") &&
                        __builtin_cpu_supports("avx512vbmi2");
    if (avx512) kernels[count++] = &kAvx512;
#elif defined(__aarch64__)
    kernels[count++] = &kNeon;
#endif
  }
};

std::atomic<const Kernel*> selected{nullptr};

}  // namespace

std::span<const Kernel* const> supported() {
  static const Supported table;
  return {table.kernels.data(), table.count};
}

Result<void> select(std::string_view name) {
  for (const Kernel* kernel : supported()) {
    if (name == kernel->name) {
      selected.store(kernel, std::memory_order_relaxed);
      return {};
    }
  }
  return Error{ErrorCode::option_value, 0, 0, 0};
}

Result<void> select_from_environment() {
  const char* name = std::getenv("SLUICE_KERNEL");
  if (name != nullptr && *name != '\0') return select(name);
  selected.store(supported().back(), std::memory_order_relaxed);
  return {};
}

const Kernel& active() {
  const Kernel* kernel = selected.load(std::memory_order_relaxed);
  if (kernel != nullptr) return *kernel;
  if (!select_from_environment()) selected.store(supported().back(), std::memory_order_relaxed);
  return *selected.load(std::memory_order_relaxed);
}

}  // namespace sluice::kernel
