# tests/fuzz/load_fuzz.cpp with libFuzzer's main: `make fuzz`.

set(fuzz_sources tests/fuzz/load_fuzz.cpp)
add_executable(load_fuzz EXCLUDE_FROM_ALL ${fuzz_sources} $<TARGET_OBJECTS:oploom_objects>)
target_link_libraries(load_fuzz PRIVATE oploom_options oploom_third_party)
target_link_options(load_fuzz PRIVATE -fsanitize=fuzzer)
