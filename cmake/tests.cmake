# One program of all tests/cpp/*.cpp. Tests run in the project root, so they open "tests/cases/x".

enable_testing()
find_package(GTest REQUIRED)
include(GoogleTest)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/cpp/*.cpp)
if(NOT test_sources)
  message(STATUS "oploom: no sources in tests/cpp, no C++ tests")
  return()
endif()

add_executable(oploom_tests ${test_sources})
target_link_libraries(oploom_tests PRIVATE oploom oploom_options oploom_third_party GTest::gmock
                                           GTest::gtest_main)
# Time to compile counts more here than speed. On the sources, so that it follows the -O2 of all.
set_source_files_properties(${test_sources} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
# PRE_TEST: asking the program for its tests is no part of the build.
gtest_discover_tests(oploom_tests DISCOVERY_MODE PRE_TEST
                     WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})

# The C++ example, from the very lines that a user's project has.
add_subdirectory(examples/cpp)
add_test(NAME example_cpp COMMAND oploom_example)
set_tests_properties(example_cpp PROPERTIES PASS_REGULAR_EXPRESSION
                                            "w = (2|1.9999|2.0000).*Leaf Tensor.*inplace strategy")
