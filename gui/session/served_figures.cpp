// SPDX-License-Identifier: Apache-2.0
#include "gui/session/served_figures.hpp"

#include "gpu/core/error.hpp"
#include "gpu/run/service.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {

gpu::Request unchecked(gpu::Request request) {
    request.verify = false;
    return request;
}

QString madeBy(const gpu::RunRecord& record) {
    const QString ms = record.time ? format::significant(record.time->medianMs) : QStringLiteral("–");
    return QCoreApplication::translate("Statistics", "%1 on %2, measured %3 ms, not checked")
        .arg(QString::fromStdString(record.variant), QString::fromStdString(record.runsOn), ms);
}

/// Nothing where times on the device rank nothing, and where a family refuses: all of it comes from the CPU then.
template <class Work>
auto onDevice(const std::optional<gpu::DeviceInfo>& device, Work work) -> decltype(work(*device)) {
    if (!device || !device->ranks()) return std::nullopt;
    try {
        return work(*device);
    } catch (const gpu::Error& error) {
        if (error.kind() == gpu::Error::Kind::cancelled) throw;
        return std::nullopt;
    }
}

}  // namespace

gpu::Request differenceRequest(const DifferenceModel::Pictures& pictures, const gpu::DeviceInfo& device) {
    const auto with = std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{"what is subtracted", pictures.second});
    return unchecked(gpu::serviceRequest(gpu::Service::comparison, {{gpu::Parameter::Role::otherPicture, with}},
                                         pictures.first, device));
}

std::optional<ServedDifference> servedDifference(const gpu::RunRecord& record) {
    const gpu::Table& table = *record.result.tables.front();
    const auto rows = static_cast<double>(table.rows());
    ServedDifference made;
    double squares = 0, ratio = 0;  // the peak over the root of the mean square, as PSNR has it
    for (std::size_t c = 0; c < table.rows(); ++c) {
        const double rmse = table.find("rmse")->number(c), psnr = table.find("psnr")->number(c);
        if (!std::isfinite(rmse)) return std::nullopt;
        squares += rmse * rmse / rows;
        if (rmse > 0) ratio = std::max(ratio, rmse * std::pow(10, psnr / 20));
        made.mean += table.find("mean_abs")->number(c) / rows;
        made.largest = std::max(made.largest, table.find("max_abs")->number(c));
    }
    made.rmse = std::sqrt(squares);
    made.psnr = made.rmse > 0 ? 20 * std::log10(ratio / made.rmse) : std::numeric_limits<double>::infinity();
    made.by = madeBy(record);
    return made;
}

std::optional<ServedDifference> serveDifference(gpu::Runner& runner, const std::optional<gpu::DeviceInfo>& device,
                                                const DifferenceModel::Pictures& pictures,
                                                const std::stop_token& stop) {
    const auto& [a, b] = pictures;
    // Channels with different numbers of NaN would not weigh the same.
    const bool alike = a->type() == b->type() && (a->shape().channels == 1 || a->type() != io::PixelType::f32);
    if (!alike) return std::nullopt;
    return onDevice(device, [&](const gpu::DeviceInfo& on) {
        return servedDifference(gpu::serve(runner, differenceRequest(pictures, on), stop));
    });
}

StatisticsRequests::StatisticsRequests(const std::shared_ptr<const io::Grid>& picture, const gpu::DeviceInfo& device)
    : statistics(unchecked(gpu::serviceRequest(gpu::Service::statistics, {}, picture, device))),
      quantiles(unchecked(gpu::serviceRequest(gpu::Service::quantiles, {}, picture, device))) {}

std::optional<PictureStatistics> StatisticsRequests::served(gpu::Runner& runner, const std::stop_token& stop) const {
    const gpu::RunRecord measured = gpu::serve(runner, statistics, stop);
    const gpu::Table& all = *measured.result.tables.front();
    PictureStatistics made{.minimum = all.find("minimum")->number(0),
                           .maximum = all.find("maximum")->number(0),
                           .finite = static_cast<std::int64_t>(all.find("count")->number(0)),
                           .nonFinite = static_cast<std::int64_t>(all.find("nan")->number(0))};
    if (made.finite == 0 || !std::isfinite(made.minimum) || !std::isfinite(made.maximum)) return std::nullopt;
    const gpu::RunRecord sorted = gpu::serve(runner, quantiles, stop);
    const gpu::Table& shares = *sorted.result.tables.front();
    for (std::size_t row = 0; row < shares.rows(); ++row) {
        const double percent = shares.find("percent")->number(row), value = shares.find("value")->number(row);
        if (percent == 0.1) made.low = value;
        if (percent == 99.9) made.high = value;
    }
    made.by = madeBy(sorted);
    return made;
}

std::optional<PictureStatistics> serveStatistics(gpu::Runner& runner, const std::optional<gpu::DeviceInfo>& device,
                                                 const std::shared_ptr<const io::Grid>& picture,
                                                 const std::stop_token& stop) {
    if (picture->shape().channels > 1) return std::nullopt;
    return onDevice(device,
                    [&](const gpu::DeviceInfo& on) { return StatisticsRequests(picture, on).served(runner, stop); });
}

}  // namespace warplens::gui
