// The part of tabia.engine._core that solves endings.
#pragma once

#include <nanobind/nanobind.h>

namespace tabia {

void bind_endgames(nanobind::module_& m);

}  // namespace tabia
