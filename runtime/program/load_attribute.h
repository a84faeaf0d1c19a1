#pragma once

#include "runtime/program/attribute.h"
#include "runtime/program/ir.h"
#include "runtime/program/yaml_tree.h"

namespace oploom::program {

// The value of an attribute, by its declared type. Raises with line and column.
Attribute load_attribute(const yaml::File& file, const yaml::Node& node, const AttributeDef& def);

}  // namespace oploom::program
