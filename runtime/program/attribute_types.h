#pragma once

#include <string_view>

#include "runtime/program/attribute.h"
#include "runtime/program/type.h"

// The types of attributes as the registry names them: bool int float str dtype scalar int[] axis
// axes shape index, each also with '?' where none is allowed.
namespace oploom::program {

// Whether attribute can be the value of a declared type.
bool attribute_fits(std::string_view declared, const Attribute& attribute);
// Whether metadata of this type can stand for an attribute of a declared type.
bool metadata_fits(std::string_view declared, const Type& metadata);
// "int[]", "axes", "shape".
bool is_list_attribute(std::string_view declared);

}  // namespace oploom::program
