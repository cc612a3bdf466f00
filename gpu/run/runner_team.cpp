// SPDX-License-Identifier: Apache-2.0
// Several devices that work on one problem at the same time.
#include "gpu/core/error.hpp"
#include "gpu/core/multi_device_problem.hpp"
#include "gpu/run/piece_session.hpp"
#include "gpu/run/rows.hpp"
#include "gpu/run/runner_open.hpp"

#include <algorithm>

namespace warplens::gpu {
namespace {

void setUp(Device& device, const Request& request, const std::stop_token& stop) {
    device.setStop(stop);
    device.setScheduling(request.scheduling);
    device.setMemoryLimit(request.memoryCap);
}

/// "cuda:0, cuda:1"
std::string namesOf(const std::vector<Device*>& devices) {
    std::string names;
    for (const Device* device : devices) names += (names.empty() ? "" : ", ") + device->info().id;
    return names;
}

}  // namespace

void Runner::prepare(Open& opened, const Request& request, const std::stop_token& stop) {
    setUp(*opened.device, request, stop);
}

std::vector<Device*> Runner::team(Open& opened, const Request& request, const std::stop_token& stop) {
    const auto same = [](const std::string& id, const std::unique_ptr<Device>& device) {
        return device->info().id == id;
    };
    if (!std::ranges::equal(request.beside, opened.beside, same)) {
        opened.beside.clear();
        for (const std::string& id : request.beside) opened.beside.push_back(openDevice(id));
    }
    std::vector<Device*> devices{opened.device.get()};
    for (const auto& device : opened.beside) {
        setUp(*device, request, stop);
        devices.push_back(device.get());
    }
    return devices;
}

bool worksOnSeveral(const Request& request, const Problem& problem) {
    if (request.beside.empty()) return false;
    const auto* how = problem.overDevices();
    if ((how != nullptr && how->singleDeviceReason().empty()) || canBeCut(problem)) return true;
    throw Error(Error::Kind::unsupported, request.family + " on several devices: " + whyWhole(problem) +
                                              ": name one device, or give several pictures");
}

std::unique_ptr<Session> openOver(const Problem& problem, const std::vector<Device*>& devices, Resident& resident,
                                  HaloExchangeMode way) {
    const auto* how = problem.overDevices();
    if (how != nullptr && how->singleDeviceReason().empty()) return how->openOver(devices, resident, way);
    return openInPieces(problem, devices, resident);
}

void tellDevices(const std::vector<Device*>& devices, const Variant& variant, RunRecord& record) {
    if (!onHost(variant)) {
        record.runsOn = namesOf(devices);
    } else if (record.status == Status::ok) {
        record.status = Status::unsupported;
        record.reason = "runs on the host: name one device";
    }
}

}  // namespace warplens::gpu
