// SPDX-License-Identifier: Apache-2.0
// What the Why page says of the present or the recorded GPU: ceilings, rates, occupancy, sentences.
#include "gui/kit/theme/format.hpp"
#include "gui/session/rates.hpp"
#include "gui/why/why_model.hpp"

namespace warplens::gui {

QString WhyModel::shortName(const std::string& device) {
    return QString::fromStdString(device).remove(QStringLiteral("NVIDIA "));
}

std::optional<gpu::WhyCeilings> WhyModel::ceilings() const {
    if (m_request.devices().limits() && m_request.devices().chosen() != nullptr)
        return gpu::WhyCeilings{shortName(m_request.devices().chosen()->name).toStdString(),
                                *m_request.devices().limits(), gpu::Origin::measured};
    const gpu::Report* run = m_recordedRun;
    // Ceilings are the GPU's own: any recorded run has them.
    for (const gpu::Report& report : m_recordedRuns.reports)
        if (run == nullptr && report.limits) run = &report;
    if (run == nullptr || !run->limits) return std::nullopt;
    gpu::WhyCeilings ceilings{shortName(run->device.name).toStdString(), *run->limits, gpu::Origin::recorded};
    // Runs recorded before shared memory was measured take its ceiling from a sweep of the same GPU.
    for (const gpu::StoredSweep& stored : recordedSweeps())
        if (ceilings.limits.sharedGbs <= 0 && stored.sweep.limits && stored.sweep.device.name == run->device.name)
            ceilings.limits.sharedGbs = stored.sweep.limits->sharedGbs;
    return ceilings;
}

std::vector<WhyModel::Rate> WhyModel::rates() const {
    std::vector<Rate> rates;
    if (task() == nullptr) return rates;
    const auto here = static_cast<double>(m_request.document().grid()->shape().values());
    for (const gpu::Variant* variant : m_request.variants().rows()) {
        const gpu::Counters* counted = counters(variant->id);
        if (counted == nullptr || counted->flops <= 0 || counted->operationsPerByte <= 0) continue;
        Rate rate{variant, counted->operationsPerByte, 0};
        if (const auto timed = time(variant->id); timed && timed->time.medianMs > 0) {
            // A recorded run had a picture of its own size: the same operations a value.
            const bool recordedTime = timed->origin == gpu::Origin::recorded;
            const double there = recordedTime ? static_cast<double>(m_recordedRun->input.shape.values()) : here;
            rate.tflops = (counted->flops + counted->matrixOperations) / here * there / (timed->time.medianMs * 1e9);
        }
        rates.push_back(rate);
    }
    return rates;
}

std::vector<gpu::WhySentence> WhyModel::sentences() const {
    const gpu::Variant* current = m_request.currentVariant();
    if (current == nullptr || counters(current->id) == nullptr) return {};
    const gpu::WhyRung rung{current, counters(current->id), time(current->id), footprint(current->id)};
    const gpu::Variant* other = against();
    if (other == nullptr || counters(other->id) == nullptr) return gpu::explainRung(rung, nullptr, ceilings());
    const gpu::WhyRung before{other, counters(other->id), time(other->id)};
    return gpu::explainRung(rung, &before, ceilings());
}

std::optional<WhyModel::Fullness> WhyModel::fullness(const std::string& id) const {
    const auto of = [](const gpu::RunRecord& run, const gpu::DeviceInfo& device,
                       const QString& date) -> std::optional<Fullness> {
        const auto needs = run.launch ? gpu::needsOf(*run.launch) : std::nullopt;
        const auto occupancy = needs ? gpu::occupancyOf(*needs, device) : std::nullopt;
        if (!occupancy) return std::nullopt;
        return Fullness{*occupancy, *needs, run.launch->occupancy, run.launch->kernels, shortName(device.name), date};
    };
    const gpu::RunRecord* run = m_results.of(id);
    if (run != nullptr && !m_results.stale(id) && m_request.devices().chosen() != nullptr)
        if (auto here = of(*run, *m_request.devices().chosen(), {})) return here;
    if (m_recordedRun == nullptr) return std::nullopt;
    for (const gpu::ReportRun& recorded : m_recordedRun->runs)
        if (recorded.record.id() == id)
            return of(recorded.record, m_recordedRun->device, format::date(m_recordedRun->environment.date));
    return std::nullopt;
}

}  // namespace warplens::gui
