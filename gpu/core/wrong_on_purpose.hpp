// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"

namespace warplens::gpu {

/// Whether a variant runs only where it is named: what is wrong on purpose, and a portable row, which many machines
/// have no driver for.
bool isExplicitOnly(const Variant& variant);

/// Whether a variant is there to show a mistake: its sentence begins with "wrong on purpose". It runs where it is named
/// only, and it is neither chosen by `auto` nor ever the fastest. Its failed verification sets the exit status as any
/// does.
bool isIntentionallyWrong(const Variant& variant);
/// The same of a run's variant; false of one that this program does not have.
bool isIntentionallyWrong(const RunRecord& record);

}  // namespace warplens::gpu
