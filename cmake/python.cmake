# The extension oploom._oploom, and the staged package <build>/python/oploom that a .pth names.

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
# Ask this Python: a plain search may find the system's older pybind11.
execute_process(COMMAND ${Python_EXECUTABLE} -m pybind11 --cmakedir
                OUTPUT_VARIABLE pybind11_DIR OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
find_package(pybind11 3.0 CONFIG REQUIRED)

file(GLOB_RECURSE binding_sources CONFIGURE_DEPENDS bindings/*.cpp generated/python/*.cpp)
if(NOT binding_sources)
  message(STATUS "oploom: no sources in bindings/, no Python extension")
  return()
endif()

# NO_EXTRAS: the extras are link-time optimisation and strip. Visibility is hidden by pybind11.
pybind11_add_module(_oploom NO_EXTRAS ${binding_sources} $<TARGET_OBJECTS:oploom_objects>)
target_link_libraries(_oploom PRIVATE oploom_options oploom_third_party)
target_compile_options(_oploom PRIVATE ${OPLOOM_PLAIN_CODE_OPTIONS}
                                       # PyTypeObject and its like are filled in by field name.
                                       -Wno-missing-field-initializers)
# One library with nothing exported: the linker turns every call between objects into a direct one.
set(exports ${PROJECT_SOURCE_DIR}/cmake/python_exports.map)
target_link_options(_oploom PRIVATE -Wl,--version-script=${exports})
set_target_properties(_oploom PROPERTIES LINK_DEPENDS ${exports})
# --no-undefined cannot be asked of an extension (Python's symbols come later): look for our own.
add_custom_command(TARGET _oploom POST_BUILD VERBATIM
                   COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/no_undefined.sh ${CMAKE_NM}
                           $<TARGET_FILE:_oploom>)

# The stage holds links only, so an edited .py needs no build; it is laid anew by each configure.
set(stage ${PROJECT_BINARY_DIR}/python/oploom)
file(GLOB_RECURSE package_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/bindings/oploom
     bindings/oploom/*.py bindings/oploom/*.pyi bindings/oploom/py.typed)
file(GLOB stubs CONFIGURE_DEPENDS generated/oploom_stubs/*.pyi)
file(REMOVE_RECURSE ${stage})
file(MAKE_DIRECTORY ${stage})
foreach(file IN LISTS package_files)
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY ${stage}/${folder})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/bindings/oploom/${file} ${stage}/${file} SYMBOLIC)
endforeach()
foreach(file IN LISTS stubs)
  cmake_path(GET file FILENAME name)
  file(CREATE_LINK ${file} ${stage}/${name} SYMBOLIC)
endforeach()
set(extension _oploom${PYTHON_MODULE_EXTENSION})
file(CREATE_LINK ${PROJECT_BINARY_DIR}/${extension} ${stage}/${extension} SYMBOLIC)

# The wheel: its .py files are copied by scikit-build-core. Not part of a C++ install.
install(TARGETS _oploom DESTINATION oploom COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${stubs} DESTINATION oploom COMPONENT python EXCLUDE_FROM_ALL)
