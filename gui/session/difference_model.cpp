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
    set({std::move(a), std::move(b), nullptr, regions, m_of.metric, m_of.region});
}

void DifferenceModel::setPictures(std::shared_ptr<const io::Grid> a, std::shared_ptr<const gpu::DoubleReference> exact,
                                  const RegionShape& regions) {
    set({std::move(a), nullptr, std::move(exact), regions, m_of.metric, m_of.region});
}

void DifferenceModel::setMetric(Metric metric) {
    Of of = m_of;
    of.metric = metric;
    set(std::move(of));
}

void DifferenceModel::setRegion(Region region) {
    Of of = m_of;
    of.region = region;
    set(std::move(of));
}

void DifferenceModel::set(Of of) {
    if (of == m_of) return;
    m_of = std::move(of);
    m_served.reset();
    if (m_of.a == nullptr || (m_of.b == nullptr && m_of.exact == nullptr) ||
        m_of.a->shape() != (m_of.exact ? m_of.exact->shape() : m_of.b->shape()))
        m_difference.forget();
    else
        m_difference.ask(m_of, [this, of = m_of, serve = m_serve](const JobContext& context) {
            if (of.exact) return differenceOf(*of.a, *of.exact, of.metric, of.region, of.regions, context.stop());
            if (const auto served = serve ? serve({of.a, of.b}, context.stop()) : std::nullopt)
                context.deliver([this, served] {
                    m_served = served;
                    emit changed();
                });
            return differenceOf(*of.a, *of.b, of.metric, of.region, of.regions, context.stop());
        });
    emit changed();
}

void DifferenceModel::tell() {
    if (m_difference.problem().isEmpty())
        emit changed();
    else
        emit failed(m_difference.problem());
}

double DifferenceModel::scale() const {
    const Difference* known = difference();
    return gpu::niceScale(known != nullptr ? known->figures[static_cast<std::size_t>(region())].maximum : 0);
}

}  // namespace warplens::gui
