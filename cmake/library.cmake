# runtime/ and generated/ (all but generated/python), compiled once as oploom_objects and linked
# twice: into liboploom.so for C++ users and tests, and into the Python extension, which hides them.

find_package(hwy REQUIRED)
find_package(OpenBLAS CONFIG REQUIRED) # the config: the system's cblas.h may be another BLAS's
find_package(yaml-cpp REQUIRED)
find_package(Threads REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

add_library(oploom_third_party INTERFACE)
target_include_directories(oploom_third_party SYSTEM INTERFACE ${OpenBLAS_INCLUDE_DIRS}
                                                               ${RANDOM123_INCLUDE_DIR})
target_link_libraries(oploom_third_party INTERFACE hwy::hwy ${OpenBLAS_LIBRARIES} yaml-cpp
                                                   Threads::Threads)

file(GLOB_RECURSE kernel_sources CONFIGURE_DEPENDS runtime/kernels/*.cpp)
file(GLOB_RECURSE plain_sources CONFIGURE_DEPENDS runtime/*.cpp generated/*.cpp)
list(FILTER plain_sources EXCLUDE REGEX "/runtime/kernels/|/generated/python/")
set_source_files_properties(${kernel_sources} PROPERTIES COMPILE_OPTIONS
                                                         "${OPLOOM_KERNEL_OPTIONS}")
set_source_files_properties(${plain_sources} PROPERTIES COMPILE_OPTIONS
                                                        "${OPLOOM_PLAIN_CODE_OPTIONS}")

add_library(oploom_objects OBJECT ${plain_sources} ${kernel_sources})
target_link_libraries(oploom_objects PRIVATE oploom_options oploom_third_party)

add_library(oploom SHARED $<TARGET_OBJECTS:oploom_objects>)
add_library(oploom::oploom ALIAS oploom)
set_target_properties(oploom PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                                        SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(oploom PRIVATE oploom_third_party)
# A forgotten kernel is a link error here, not a surprise at import.
target_link_options(oploom PRIVATE -Wl,--as-needed -Wl,-z,now -Wl,--no-undefined
                    -Wl,-Bsymbolic-functions)
target_compile_features(oploom PUBLIC cxx_std_20)
# Headers say "runtime/core/tensor.h" and "generated/ops.h", users say <oploom/oploom.h>.
set(installed_headers ${CMAKE_INSTALL_INCLUDEDIR}/oploom)
target_include_directories(
  oploom
  INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR};${PROJECT_SOURCE_DIR}/runtime>"
            "$<INSTALL_INTERFACE:${installed_headers};${installed_headers}/runtime>")

# For C++ users: find_package(oploom), then link oploom::oploom.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/oploom)
install(TARGETS oploom EXPORT oploom)
install(EXPORT oploom NAMESPACE oploom:: FILE oploomConfig.cmake DESTINATION ${config_dir})
write_basic_package_version_file(oploomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/oploomConfigVersion.cmake DESTINATION ${config_dir})
install(DIRECTORY runtime generated DESTINATION ${installed_headers}
        FILES_MATCHING PATTERN "*.h"
        PATTERN "python" EXCLUDE PATTERN "oploom_stubs" EXCLUDE)
