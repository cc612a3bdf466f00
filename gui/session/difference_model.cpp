// SPDX-License-Identifier: Apache-2.0
#include "gui/session/difference_model.hpp"

#include "gui/kit/theme/format.hpp"

#include <cmath>
#include <utility>

namespace warplens::gui {

QString nameOf(Metric metric) {
    switch (metric) {
        case Metric::signedValue: return DifferenceModel::tr("signed");
        case Metric::absolute: return DifferenceModel::tr("absolute");
        case Metric::squared: return DifferenceModel::tr("squared");
        case Metric::relative: return DifferenceModel::tr("relative");
        case Metric::ulp: return DifferenceModel::tr("ULP");
    }
    return {};
}

QString unitOf(Metric metric) { return metric == Metric::ulp ? DifferenceModel::tr(" ulp") : QString(); }

QString nameOf(Region region) {
    switch (region) {
        case Region::all: return DifferenceModel::tr("all pixels");
        case Region::border: return DifferenceModel::tr("border pixels");
        case Region::seams: return DifferenceModel::tr("tile seams");
        case Region::inside: return DifferenceModel::tr("inside");
        case Region::slabs: return DifferenceModel::tr("slab seams");
    }
    return {};
}

QString figureText(double value) {
    if (std::isfinite(value) && value == std::floor(value) && std::abs(value) < 1e15)
        return format::integer(static_cast<std::int64_t>(value));
    if (std::abs(value) >= 1e-3) return format::significant(value);
    return format::scientific(value);
}

DifferenceModel::DifferenceModel(QObject* parent) : QObject(parent) {}

void DifferenceModel::setPictures(std::shared_ptr<const io::Grid> a, std::shared_ptr<const io::Grid> b,
                                  const RegionShape& regions) {
    setSides(std::move(a), std::move(b), nullptr, regions);
}

void DifferenceModel::setPictures(std::shared_ptr<const io::Grid> a, std::shared_ptr<const gpu::DoubleReference> exact,
                                  const RegionShape& regions) {
    setSides(std::move(a), nullptr, std::move(exact), regions);
}

void DifferenceModel::setSides(std::shared_ptr<const io::Grid> a, std::shared_ptr<const io::Grid> b,
                               std::shared_ptr<const gpu::DoubleReference> exact, const RegionShape& regions) {
    if (a == m_a && b == m_b && exact == m_exact && regions == m_regions) return;
    m_a = std::move(a);
    m_b = std::move(b);
    m_exact = std::move(exact);
    m_regions = regions;
    compute();
}

void DifferenceModel::setMetric(Metric metric) {
    if (metric == m_metric) return;
    m_metric = metric;
    compute();
}

void DifferenceModel::setRegion(Region region) {
    if (region == m_region) return;
    m_region = region;
    compute();
}

void DifferenceModel::compute() {
    m_present = false;
    m_served.reset();
    m_jobs.discard();
    emit changed();
    if (m_a == nullptr || (m_b == nullptr && m_exact == nullptr)) return;
    if (m_a->shape() != (m_exact ? m_exact->shape() : m_b->shape())) return;
    m_jobs.start(
        this,
        [this, a = m_a, b = m_b, exact = m_exact, metric = m_metric, region = m_region, regions = m_regions,
         serve = m_serve](const JobContext& context) {
            if (exact) return differenceOf(*a, *exact, metric, region, regions, context.stop());
            if (const auto served = serve ? serve({a, b}, context.stop()) : std::nullopt)
                context.deliver([this, served] {
                    m_served = served;
                    emit changed();
                });
            return differenceOf(*a, *b, metric, region, regions, context.stop());
        },
        [this](JobResult<Difference> result) {
            if (!result) {
                if (!result.cancelled()) emit failed(result.failure().message);
                return;
            }
            m_difference = std::move(result.value());
            m_present = true;
            emit changed();
        });
}

double DifferenceModel::scale() const {
    return gpu::niceScale(m_present ? m_difference.figures[static_cast<std::size_t>(m_region)].maximum : 0);
}

}  // namespace warplens::gui
