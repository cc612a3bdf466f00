// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/trace/variant_tracer.hpp"

#include "gpu/error.hpp"

namespace warplens::gpu::trace {

VariantTracer::VariantTracer(const Family& family, std::shared_ptr<const io::Grid> input, const ParameterValues& parameters)
    : m_family(family), m_problem(family.pose(std::move(input), parameters)) {}

VariantTracer::~VariantTracer() = default;

RunRecord VariantTracer::trace(const Variant& variant, const TunableValues& tunables, const SamplePolicy& policy, std::stop_token stop,
                               std::function<void(double)> progress) {
    RunRecord record;
    record.family = m_family.id();
    record.variant = variant.id;
    record.kind = variant.kind;
    record.runsOn = m_device.info().id;
    record.tunables = tunables;
    m_device.setStop(stop);
    try {
        record.tunables = resolve(variant, tunables);
        if (variant.kind == Variant::Kind::library) record.reason = "a library is no kernel of ours: it is not traced";
        else if (variant.devices == "cuda") record.reason = "runs on an NVIDIA GPU only: it is not traced";
        else record.reason = m_problem->refusal(variant, record.tunables, m_device.info());
        if (record.reason.empty()) run(variant, policy, std::move(progress), record);
    } catch (const Error& error) {
        if (error.kind() == Error::Kind::cancelled) throw;
        record.status = error.kind() == Error::Kind::unsupported || error.kind() == Error::Kind::argument ? Status::unsupported : Status::failed;
        record.reason = error.what();
        return record;
    }
    if (!record.counters) record.status = Status::unsupported;
    return record;
}

void VariantTracer::run(const Variant& variant, const SamplePolicy& policy, std::function<void(double)> progress, RunRecord& record) {
    if (!m_session) m_session = m_problem->open(m_device, m_resident);
    m_session->prepare(variant, record.tunables);
    m_session->poisonOutput();
    m_device.takeLaunchFacts();
    record.counters = m_device.trace([&] { m_session->pass(m_device); }, m_resident.planes, policy, std::move(progress));
    record.launch = m_device.takeLaunchFacts();
    if (record.counters->findings.empty()) return;
    const auto& first = record.counters->findings.front();
    record.status = Status::wrong;
    record.reason = first.check + ": " + first.message;
}

}  // namespace warplens::gpu::trace
