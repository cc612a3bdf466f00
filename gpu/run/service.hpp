// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/run/runner.hpp"

#include <memory>
#include <stop_token>

namespace warplens::gpu {

/// Has a family work on a picture, and checks the result: on a device that ranks kernels by what the tuning chooses,
/// else by the family's library on the host where that takes the picture, as emulated kernels are slow. The record says
/// what did it. Throws Error, also when the result is wrong, and Error(cancelled).
RunRecord serve(Runner& runner, const Family& family, const ParameterValues& values,
                const std::shared_ptr<const io::Grid>& picture, const DeviceInfo& device,
                const std::stop_token& stop = {});
/// The same of the family that does this for others.
Result serve(Runner& runner, Service service, const std::shared_ptr<const io::Grid>& picture, const DeviceInfo& device,
             const std::stop_token& stop = {});
/// With values of the parameters that the service takes.
Result serve(Runner& runner, Service service, const ParameterValues& chosen,
             const std::shared_ptr<const io::Grid>& picture, const DeviceInfo& device,
             const std::stop_token& stop = {});

}  // namespace warplens::gpu
