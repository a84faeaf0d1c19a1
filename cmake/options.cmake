# How every source of the project is compiled: the target oploom_options, linked PRIVATE.

# Absolute paths would keep ccache from hitting in a second clone.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(oploom_options INTERFACE)
target_compile_features(oploom_options INTERFACE cxx_std_20)
target_include_directories(oploom_options INTERFACE ${PROJECT_SOURCE_DIR}
                                                    ${PROJECT_SOURCE_DIR}/runtime)
target_compile_definitions(
  oploom_options
  INTERFACE OPLOOM_VERSION="${PROJECT_VERSION}"
            # Two levels that few machines stop at; each level compiles every kernel once more.
            HWY_DISABLED_TARGETS=\(HWY_SSSE3|HWY_SSE4\))
target_compile_options(
  oploom_options
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow $<$<BOOL:${OPLOOM_WERROR}>:-Werror>
            $<$<CONFIG:Release>:-O2>
            # Calls between our own functions go straight: no symbol can be replaced from outside.
            -fno-semantic-interposition -fno-plt
            # Else g++ fuses a * b + c where a SIMD level can, and values differ between levels,
            # even between a loop and its tail. Highway's MulAdd still says where to fuse.
            -ffp-contract=off)
# Libraries that are found but not yet used are no dependency. Without PLT nothing is bound lazily.
target_link_options(oploom_options INTERFACE -Wl,--as-needed -Wl,-z,now)

# g++ turns short loops over shapes into `rep movsq`: 18 ns each. Kernels want the library calls.
set(OPLOOM_PLAIN_CODE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)
# errno and floating-point traps are not promised, and would keep plain loops scalar.
set(OPLOOM_KERNEL_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O3> -fno-math-errno -fno-trapping-math)
