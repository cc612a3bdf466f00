// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/service.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"

namespace warplens::gpu {

Request serviceRequest(const Family& family, const ParameterValues& values,
                       const std::shared_ptr<const io::Grid>& picture, const DeviceInfo& device) {
    Request request;
    request.input = picture;
    request.family = family.id();
    request.parameters = values;
    request.variants = {kAuto};
    request.hostLibraries = true;
    request.device = device.id;
    request.timing = TimingPolicy::once();
    request.measureLimits = false;
    request.autotune = false;  // asked once: a race would take longer than it saves
    return request;
}

Request serviceRequest(Service service, const RoleValues& more, const std::shared_ptr<const io::Grid>& picture,
                       const DeviceInfo& device) {
    const Family& family = familyFor(service);
    ParameterValues values = family.info().services.at(service);
    for (const auto& [role, value] : more) {
        const Parameter* parameter = findRole(family.parameters(), role);
        if (parameter == nullptr) throw Error(Error::Kind::internal, family.id() + " has no parameter for its service");
        values[parameter->id] = value;
    }
    return serviceRequest(family, values, picture, device);
}

RunRecord serve(Runner& runner, const Request& request, const std::stop_token& stop) {
    const Comparison comparison = runner.run(request, stop);
    if (comparison.interrupted) throw Error(Error::Kind::cancelled, "stopped");
    const RunRecord& record = comparison.runs.front();
    if (record.status != Status::ok)
        throw Error(Error::Kind::unsupported, request.family + ", " + record.variant + ": " + record.reason);
    return record;
}

RunRecord serve(Runner& runner, const Family& family, const ParameterValues& values,
                const std::shared_ptr<const io::Grid>& picture, const DeviceInfo& device, const std::stop_token& stop) {
    return serve(runner, serviceRequest(family, values, picture, device), stop);
}

Result serve(Runner& runner, Service service, const std::shared_ptr<const io::Grid>& picture, const DeviceInfo& device,
             const std::stop_token& stop) {
    return serve(runner, service, {}, picture, device, stop);
}

Result serve(Runner& runner, Service service, const RoleValues& chosen, const std::shared_ptr<const io::Grid>& picture,
             const DeviceInfo& device, const std::stop_token& stop) {
    return serve(runner, serviceRequest(service, chosen, picture, device), stop).result;
}

}  // namespace warplens::gpu
