// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/openacc/rows.hpp"

#include <openacc.h>

namespace warplens::gpu::stencil {

std::string accPlace() {
    switch (acc_get_device_type()) {
        case acc_device_none:
        case acc_device_host: return "cpu";
        case acc_device_nvidia: return "NVIDIA GPU " + std::to_string(acc_get_device_num(acc_device_nvidia));
        default: return "accelerator " + std::to_string(acc_get_device_num(acc_get_device_type()));
    }
}

}  // namespace warplens::gpu::stencil
