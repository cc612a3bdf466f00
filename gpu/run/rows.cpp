// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/rows.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/limit.hpp"

namespace warplens::gpu {
namespace {

/// Fills in tunables and footprint. Returns why the variant cannot run so, or nothing.
std::string settle(const Problem& problem, const Variant& variant, const TunableValues& chosen,
                   const DeviceInfo& device, RunRecord& record) {
    record.tunables = tunablesFor(variant, chosen);
    try {
        record.tunables = problem.resolved(variant, record.tunables, device);
    } catch (const Error& error) {
        // Possible for another rung of the ladder, or the request would have been refused.
        return error.what();
    }
    if (variant.kind == Variant::Kind::kernel) record.footprint = problem.footprint(variant, record.tunables);
    if (variant.devices == Variant::Devices::cuda && device.kind != DeviceKind::cuda)
        return "runs on an NVIDIA GPU only; choose one as the device";
    return problem.refusal(variant, record.tunables, device);
}

}  // namespace

TunableValues tunablesFor(const Variant& variant, const TunableValues& chosen) {
    TunableValues mine;
    for (const auto& tunable : variant.tunables) {
        if (const auto found = chosen.find(tunable.id); found != chosen.end()) mine.insert(*found);
    }
    return mine;
}

ParameterValues withDefaults(const Family& family, const ParameterValues& values) {
    ParameterValues all;
    for (const Parameter& p : family.parameters()) all[p.id] = valueOf(family.parameters(), values, p.id);
    return all;
}

bool onHost(const Variant& variant) {
    return variant.kind == Variant::Kind::portable ||
           (variant.kind == Variant::Kind::library && variant.devices == Variant::Devices::cpu);
}

bool failedOnHost(const RunRecord& record) {
    if (!record.choice || record.kind != Variant::Kind::library || record.runsOn != nameOf(Variant::Devices::cpu))
        return false;
    return record.status != Status::ok || (record.verification && record.verification->mismatches > 0);
}

RunRecord makeRunRecord(const std::string& family, const Problem& problem, const Variant& variant,
                        const TunableValues& chosen, const DeviceInfo& device) {
    RunRecord record;
    record.family = family;
    record.variant = variant.id;
    record.kind = variant.kind;
    record.runsOn = onHost(variant) ? nameOf(variant.devices) : device.id;
    record.reason = settle(problem, variant, chosen, device, record);
    if (!record.reason.empty()) record.status = Status::unsupported;
    return record;
}

Work completedWork(Work work, const RunRecord& record, const ParameterValues& parameters) {
    const auto evolution = evolutionOf(record.result.tables);
    if (!evolution) return work;
    const std::int64_t steps = integerFor(Parameter::Role::iterations, record.family, parameters).value_or(0),
                       taken = evolution->iterations;
    if (steps <= 0 || taken < 0 || taken >= steps) return work;  // a document may say anything
    work.bytesRead = work.bytesRead / steps * taken;
    work.bytesWritten = work.bytesWritten / steps * taken;
    work.operations *= static_cast<double>(taken) / static_cast<double>(steps);
    return work;
}

void rate(RunRecord& record, const Work& work, std::int64_t values, const DeviceInfo& device,
          const std::optional<Limits>& limits, int sets) {
    if (!record.time || record.time->medianMs <= 0) return;
    // Launch after launch over buffers that all fit L2 measures the cache, and has to say so; a CPU never starts cold.
    if (record.kind != Variant::Kind::portable)  // whose own device has said it
        record.time->warmL2 = record.time->clock != Clock::device || work.workingSet() * sets <= device.l2Bytes;
    record.bandwidthGbs = static_cast<double>(work.bytesRead + work.bytesWritten) / record.time->medianMs * 1e-6;
    if (record.time->clock != Clock::device || !limits) return;
    if (const auto share = shareOfLimit(floorsOf(record, work, values, *limits), record.time->medianMs))
        record.percentOfLimit = share->percent;
}

void applyError(RunRecord& record, const Error& error) {
    const bool refused = error.kind() == Error::Kind::unsupported || error.kind() == Error::Kind::outOfMemory;
    record.status = refused ? Status::unsupported : Status::failed;
    record.reason = error.what();
    record.time.reset();
    record.result = {};
}

void applyVerification(RunRecord& record, const Verification& verification) {
    record.verification = verification;
    if (verification.mismatches == 0 || record.kind == Variant::Kind::library) return;
    record.status = Status::wrong;
    record.reason =
        (verification.mismatches == 1 ? "1 value is wrong, at "
                                      : std::to_string(verification.mismatches) + " values are wrong, the first at ") +
        verification.firstMismatch;
    if (!verification.note.empty()) record.reason += "; " + verification.note;
    record.time.reset();
    record.bandwidthGbs.reset();
    record.percentOfLimit.reset();
}

}  // namespace warplens::gpu
