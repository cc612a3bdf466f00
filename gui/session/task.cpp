// SPDX-License-Identifier: Apache-2.0
#include "gui/session/task.hpp"

#include "gpu/core/family.hpp"

namespace warplens::gui {

bool Task::samePicture(const Task& other) const {
    return picture.picture.grid == other.picture.picture.grid && picture.input == other.picture.input &&
           picture.derived == other.picture.derived && picture.place == other.picture.place;
}

bool Task::sameValue(const Task& other, const std::string& id) const {
    if (family != other.family) return false;
    return family == nullptr ||
           gpu::valueOf(family->parameters(), values, id) == gpu::valueOf(family->parameters(), other.values, id);
}

bool Task::sameValue(const Task& other, gpu::Parameter::Role role) const {
    const gpu::Parameter* parameter = family == nullptr ? nullptr : gpu::findRole(family->parameters(), role);
    return parameter == nullptr || sameValue(other, parameter->id);
}

bool Task::sameDevices(const Task& other) const {
    const bool shared = devices.find(',') != std::string::npos;
    return devices == other.devices && (!shared || halos == other.halos);
}

bool Task::operator==(const Task& other) const {
    return samePicture(other) && sameValues(other) && sameRows(other) && kernels == other.kernels &&
           checked == other.checked && current == other.current && baseline == other.baseline &&
           chosen == other.chosen && devices == other.devices && halos == other.halos && memoryCap == other.memoryCap;
}

}  // namespace warplens::gui
