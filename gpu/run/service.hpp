// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/run/runner.hpp"

#include <map>
#include <memory>
#include <stop_token>

namespace warplens::gpu {

/// Values of parameters by what they mean, as a service's caller does not know its family.
using RoleValues = std::map<Parameter::Role, Parameter::Value>;

/// What a family is asked for others: one run, of what is quickest on the device, checked.
Request serviceRequest(const Family& family, const ParameterValues& values,
                       const std::shared_ptr<const io::Grid>& picture, const DeviceInfo& device);
/// Of the family that does this for others; `more` are parameters beside those of the service.
Request serviceRequest(Service service, const RoleValues& more, const std::shared_ptr<const io::Grid>& picture,
                       const DeviceInfo& device);
/// Runs such a request, by which it is left unchecked where it says so. Throws as the others.
RunRecord serve(Runner& runner, const Request& request, const std::stop_token& stop = {});

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
Result serve(Runner& runner, Service service, const RoleValues& chosen, const std::shared_ptr<const io::Grid>& picture,
             const DeviceInfo& device, const std::stop_token& stop = {});

}  // namespace warplens::gpu
