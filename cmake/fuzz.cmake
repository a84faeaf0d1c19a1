# tests/fuzz/load_fuzz.cpp with libFuzzer's main: `make fuzz`.

set(fuzz_sources tests/fuzz/load_fuzz.cpp)
# As long as no registry is generated for programs, the toy ops of the tests stand for it.
if(EXISTS ${PROJECT_SOURCE_DIR}/tests/cpp/program_toy_registry.cpp)
  file(GLOB toy_sources CONFIGURE_DEPENDS tests/cpp/program_toy_*.cpp)
  list(APPEND fuzz_sources ${toy_sources})
endif()
add_executable(load_fuzz EXCLUDE_FROM_ALL ${fuzz_sources} $<TARGET_OBJECTS:oploom_objects>)
target_link_libraries(load_fuzz PRIVATE oploom_options oploom_third_party)
target_link_options(load_fuzz PRIVATE -fsanitize=fuzzer)
