// SPDX-License-Identifier: Apache-2.0
// What the Why page says of the present or the recorded GPU: ceilings, rates, occupancy, sentences.
#include "gui/kit/theme/format.hpp"
#include "gui/session/rates.hpp"
#include "gui/why/why_model.hpp"

namespace warplens::gui {

namespace {

/// "512 × 512 × 512 f32", of a picture of another size than the present one; else empty.
QString otherSize(const gpu::RecordedSource& source) {
    if (source.sameSize()) return {};
    const gpu::InputFacts& input = source.report().input;
    const QString depth =
        input.shape.depth > 1 ? QStringLiteral(" × ") + format::integer(input.shape.depth) : QString();
    return format::extent(input.shape.width, input.shape.height) + depth + u' ' + QString::fromStdString(input.type);
}

}  // namespace

QString WhyModel::sourceText(const gpu::RecordedSource& source) {
    QString text = QStringLiteral("%1, %2").arg(shortName(source.report().device.name),
                                                format::date(source.report().environment.date));
    if (const QString size = otherSize(source); !size.isEmpty()) text += tr(", scaled from %1").arg(size);
    return text;
}

QString WhyModel::shortName(const std::string& device) {
    return QString::fromStdString(device).remove(QStringLiteral("NVIDIA "));
}

std::optional<gpu::WhyCeilings> WhyModel::ceilings() const {
    if (m_request.devices().limits() && m_request.devices().chosen() != nullptr)
        return gpu::WhyCeilings{shortName(m_request.devices().chosen()->name).toStdString(),
                                *m_request.devices().limits(), gpu::Origin::measured};
    // Ceilings are the GPU's own, whatever it ran: that of the points, where there are any.
    const auto points = source(gpu::RecordedFigure::rate);
    const gpu::Report* run = m_recordedRuns.withLimits(points ? points->report().device.name : std::string());
    if (run == nullptr) return std::nullopt;
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
    const auto recorded = m_request.devices().ranking() ? std::nullopt : source(gpu::RecordedFigure::rate);
    for (const gpu::Variant* variant : m_request.variants().rows()) {
        const gpu::Counters* counted = counters(variant->id);
        if (counted == nullptr || counted->flops + counted->matrixOperations <= 0 || counted->operationsPerByte <= 0)
            continue;
        Rate rate{variant, counted->operationsPerByte, 0, {}};
        const double operations = counted->flops + counted->matrixOperations;
        const auto timed = time(variant->id);
        if (timed && timed->origin == gpu::Origin::measured) {
            rate.tflops = operations / (timed->time.medianMs * 1e9);
        } else if (const auto tunables = tunablesOf(variant->id); recorded && tunables) {
            // A recorded picture may have another size: as many operations a value.
            const gpu::Timing* then = recorded->time(gpu::variantIn(variant->id), *tunables);
            const auto there = static_cast<double>(recorded->report().input.shape.values());
            if (then != nullptr && then->medianMs > 0) {
                rate.tflops = operations / here * there / (then->medianMs * 1e9);
                rate.from = sourceText(*recorded);
            }
        }
        rates.push_back(rate);
    }
    return rates;
}

std::vector<gpu::WhySentence> WhyModel::sentences() const {
    const gpu::Variant* current = m_request.currentVariant();
    if (current == nullptr || counters(current->id) == nullptr) return {};
    const gpu::WhyVariant rung{current, counters(current->id), time(current->id), footprint(current->id)};
    const gpu::Variant* other = comparedVariant();
    if (other == nullptr || counters(other->id) == nullptr) return gpu::explainVariant(rung, nullptr, ceilings());
    const gpu::WhyVariant before{other, counters(other->id), time(other->id)};
    return gpu::explainVariant(rung, &before, ceilings());
}

std::optional<WhyModel::OccupancyInfo> WhyModel::occupancy(const std::string& id) const {
    const auto of = [](const gpu::RunRecord& run, const gpu::DeviceInfo& device) -> std::optional<OccupancyInfo> {
        const auto needs = run.launch ? gpu::needsOf(*run.launch) : std::nullopt;
        const auto occupancy = needs ? gpu::occupancyOf(*needs, device) : std::nullopt;
        if (!occupancy) return std::nullopt;
        return OccupancyInfo{*occupancy, *needs, run.launch->occupancy, run.launch->kernels, shortName(device.name),
                             {},         {}};
    };
    const gpu::RunRecord* run = m_results.of(id);
    if (run != nullptr && !m_results.stale(id) && m_request.devices().chosen() != nullptr)
        if (auto here = of(*run, *m_request.devices().chosen())) return here;
    const auto tunables = tunablesOf(id);
    if (!tunables || !m_asked) return std::nullopt;
    for (const gpu::RecordedSource& source : m_recordedRuns.of(*m_asked, gpu::RecordedFigure::launch)) {
        const gpu::RunRecord* recorded = source.run(gpu::variantIn(id), *tunables);
        auto full = recorded != nullptr ? of(*recorded, source.report().device) : std::nullopt;
        if (!full) continue;
        full->date = format::date(source.report().environment.date);
        full->size = otherSize(source);
        return full;
    }
    return std::nullopt;
}

}  // namespace warplens::gui
