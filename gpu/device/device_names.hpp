// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"

#include <string>
#include <vector>

namespace warplens::gpu {

/// Whether it names more than one device, or may: a list with commas, or "cuda:all".
bool namesSeveral(const std::string& names);

/// The devices that a list with commas names, each to be opened once: ids for openDevice(), in the order of the list.
/// "cuda:all" is every GPU. "cpu" may stand there several times: each is a device of its own on the same processors. A
/// single name is given back as it is. Throws Error(noDevice) for a device that is not there, and Error(argument) for
/// an empty name, a GPU that is named twice, and devices of several kinds, whose results need not have the same bits.
std::vector<std::string> deviceIds(const std::string& names);
/// The same among devices that are known already; a single name is looked up as well.
std::vector<std::string> deviceIds(const std::string& names, const DeviceList& known);

}  // namespace warplens::gpu
