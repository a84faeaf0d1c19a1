#pragma once

// What differentiation needs of the registry without knowing its ops by name: namespace
// oploom::program::roles.
#include "generated/program.h"
