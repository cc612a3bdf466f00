// SPDX-License-Identifier: Apache-2.0
#include "gui/session/served_statistics.hpp"

#include "gpu/core/error.hpp"
#include "gpu/run/service.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <cmath>

namespace warplens::gui {
namespace {

gpu::Request unchecked(gpu::Service service, const std::shared_ptr<const io::Grid>& picture,
                       const gpu::DeviceInfo& device) {
    gpu::Request request = gpu::serviceRequest(service, {}, picture, device);
    request.verify = false;
    return request;
}

}  // namespace

StatisticsRequests::StatisticsRequests(const std::shared_ptr<const io::Grid>& picture, const gpu::DeviceInfo& device)
    : statistics(unchecked(gpu::Service::statistics, picture, device)),
      quantiles(unchecked(gpu::Service::quantiles, picture, device)) {}

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
    const QString ms = sorted.time ? format::significant(sorted.time->medianMs) : QStringLiteral("–");
    made.by = QCoreApplication::translate("Statistics", "%1 on %2, measured %3 ms, not checked")
                  .arg(QString::fromStdString(sorted.variant), QString::fromStdString(sorted.runsOn), ms);
    return made;
}

std::optional<PictureStatistics> serveStatistics(gpu::Runner& runner, const std::optional<gpu::DeviceInfo>& device,
                                                 const std::shared_ptr<const io::Grid>& picture,
                                                 const std::stop_token& stop) {
    if (!device || !device->ranks() || picture->shape().channels > 1) return std::nullopt;
    try {
        return StatisticsRequests(picture, *device).served(runner, stop);
    } catch (const gpu::Error& error) {
        if (error.kind() == gpu::Error::Kind::cancelled) throw;
        return std::nullopt;
    }
}

}  // namespace warplens::gui
