// SPDX-License-Identifier: Apache-2.0
// Before Qt, whose keyword macros would rewrite the name `slots` in it.
#include "gui/lenses/histogram/histogram_jobs.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/histogram/contention_map.hpp"
#include "gpu/families/histogram/problem.hpp"
#include "gpu/run/service.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace histogram = gpu::histogram;

bool MarkRule::marks(const io::Grid& picture, std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (!selection.contains(x, y, z)) return false;
    if (luminance != nullptr)
        return range.contains(luminance->value(picture.shape().width * (z * picture.shape().height + y) + x, 0));
    for (std::size_t c = 0; c < channels.size(); ++c)
        if (channels[c] && range.contains(picture.value(x, y, z, static_cast<int>(c)))) return true;
    return false;
}

std::int64_t countMarked(const io::Grid& picture, const MarkRule& rule, const std::stop_token& stop) {
    const histogram::Box& box = rule.selection.box;
    std::int64_t count = 0;
    for (auto z = box.z; z < box.z + box.depth; ++z)
        for (auto y = box.y; y < box.y + box.height; ++y) {
            if (stop.stop_requested()) throw gpu::Error(gpu::Error::Kind::cancelled, "Cancelled.");
            for (auto x = box.x; x < box.x + box.width; ++x) count += rule.marks(picture, x, y, z) ? 1 : 0;
        }
    return count;
}

ValueRange extremesOf(const SelectedFigures& figures) {
    ValueRange range;
    bool first = true;
    for (const ChannelStatistics& channel : figures.channels) {
        if (channel.channel == "alpha" || channel.figures.finite == 0) continue;
        range = first ? ValueRange{channel.figures.minimum, channel.figures.maximum}
                      : ValueRange{std::min(range.low, channel.figures.minimum),
                                   std::max(range.high, channel.figures.maximum)};
        first = false;
    }
    return range;
}

FigureWork::FigureWork(const HistogramInput& input) {
    m_figures.selection = histogram::selectionOf(*input.picture, histogram::parameters().read(input.values));
    m_values = histogram::selectedValues(input.picture, m_figures.selection);
    for (std::string& name : histogram::channelNames(input.picture->shape(), m_figures.selection))
        m_figures.channels.push_back({.channel = std::move(name), .figures = {}});
    if (!m_figures.selection.luminance) return;
    const auto& shape = input.picture->shape();
    m_figures.luminance = histogram::selectedValues(
        input.picture, {.box = {0, 0, 0, shape.width, shape.height, shape.depth}, .mask = nullptr, .luminance = true});
}

bool FigureWork::serve(gpu::Runner& runner, const gpu::DeviceInfo& device, const std::stop_token& stop) {
    try {
        return serve(runner, gpu::serviceRequest(gpu::Service::statistics, {}, m_values, device), stop);
    } catch (const gpu::Error& error) {
        if (error.kind() == gpu::Error::Kind::cancelled) throw;
        m_refusal = QString::fromUtf8(error.what());
        return false;
    }
}

bool FigureWork::serve(gpu::Runner& runner, const gpu::Request& asked, const std::stop_token& stop) {
    Served served{.request = asked, .record = {}, .by = {}, .channels = {}};
    served.request.verify = false;  // figures first
    served.record = gpu::serve(runner, served.request, stop);
    const gpu::Table& table = *served.record.result.tables.front();
    for (std::size_t c = 0; c < m_figures.channels.size(); ++c) {
        const auto number = [&](const char* column) { return table.find(column)->number(c); };
        histogram::Statistics s;
        s.nan = static_cast<std::int64_t>(number("nan"));
        s.finite = static_cast<std::int64_t>(number("count"));
        s.count = s.finite + s.nan;
        s.minimum = number("minimum");
        s.maximum = number("maximum");
        s.mean = number("mean");
        s.deviation = std::sqrt(number("variance"));
        if (s.finite == 0 || !std::isfinite(s.minimum) || !std::isfinite(s.maximum) || !std::isfinite(s.deviation)) {
            m_refusal = QCoreApplication::translate("Statistics", "infinities are left out");
            return false;
        }
        served.channels.push_back(s);
    }
    const auto& time = served.record.time;
    const QString ms = time ? format::significant(time->medianMs) : QStringLiteral("–");
    served.by =
        QCoreApplication::translate("Statistics", "%1 on %2, measured %3 ms")
            .arg(QString::fromStdString(served.record.variant), QString::fromStdString(served.record.runsOn), ms);
    for (std::size_t c = 0; c < m_figures.channels.size(); ++c) m_figures.channels[c].figures = served.channels[c];
    m_served = std::move(served);
    say(QCoreApplication::translate("Statistics", "not checked yet"));
    return true;
}

void FigureWork::count(const std::stop_token& stop) {
    const auto begun = std::chrono::steady_clock::now();
    for (std::size_t c = 0; c < m_figures.channels.size(); ++c) {
        m_counted.push_back(histogram::statisticsOf(*m_values, static_cast<int>(c), stop));
        ChannelStatistics& channel = m_figures.channels[c];
        channel.figures = m_counted.back();
        channel.ranked = true;
        if (!m_served) continue;
        const histogram::Statistics& served = m_served->channels[c];
        channel.figures.minimum = served.minimum;
        channel.figures.maximum = served.maximum;
        channel.figures.mean = served.mean;
        channel.figures.deviation = served.deviation;
    }
    m_countMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
    say(QCoreApplication::translate("Statistics", "not checked yet"));
}

void FigureWork::check(gpu::Runner& runner, const std::stop_token& stop) {
    if (!m_served) return;
    const gpu::RunRecord checked = runner.verify(m_served->request, m_served->record, stop);
    if (checked.status == gpu::Status::ok && checked.verification->mismatches == 0)
        return say(QCoreApplication::translate("Statistics", "checked"));
    m_refusal = m_served->by + QStringLiteral(": ") + QString::fromStdString(checked.reason);
    m_served.reset();
    for (std::size_t c = 0; c < m_counted.size(); ++c) m_figures.channels[c].figures = m_counted[c];
    say({});
}

void FigureWork::say(const QString& check) {
    const QString ms = format::significant(m_countMs);
    const auto tr = [](const char* text) { return QCoreApplication::translate("Statistics", text); };
    if (m_served) {
        m_figures.by = m_served->by + QStringLiteral(", ") + check;
        if (!m_counted.empty()) m_figures.by += QStringLiteral("; ") + tr("percentiles on the CPU, %1 ms").arg(ms);
    } else {
        m_figures.by = tr("on the CPU, measured %1 ms").arg(ms);
        if (!m_refusal.isEmpty()) m_figures.by += QStringLiteral("; ") + m_refusal;
    }
}

LaneMap countLanes(const HistogramInput& input, const std::string& variant, std::size_t channel,
                   const gpu::DeviceInfo& device, const std::stop_token& stop) {
    const histogram::HistogramProblem problem(input.picture, input.values);
    const auto& names = problem.channelNames();
    channel = std::min(channel, names.size() - 1);
    LaneMap lanes;
    lanes.variant = variant;
    lanes.channel = names[channel];
    const auto [row, chosen] = gpu::parseRunSpec(histogram::family(), variant);
    const gpu::TunableValues tunables = gpu::resolve(*row, chosen);
    lanes.reason = problem.refusal(*row, tunables, device);
    if (!lanes.reason.empty()) return lanes;
    auto counted =
        histogram::contentionMap(problem, *input.picture, *row, tunables, device, static_cast<int>(channel), stop);
    lanes.counted = std::move(counted.counted);
    lanes.map = std::make_shared<const io::Grid>(std::move(counted.map));
    return lanes;
}

}  // namespace warplens::gui
