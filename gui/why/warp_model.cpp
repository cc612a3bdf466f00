// SPDX-License-Identifier: Apache-2.0
#include "gui/why/warp_model.hpp"

#include <utility>

namespace warplens::gui {

WarpModel::WarpModel(WhyModel& why, QObject* parent) : QObject(parent), m_why(why) {
    connect(&why, &WhyModel::countsChanged, this, &WarpModel::recount);
    connect(&why, &WhyModel::taskChanged, this, [this] {
        m_variant.clear();
        m_picked = false;
        recount();
    });
}

void WarpModel::setActive(bool active) {
    m_active = active;
    if (!active) return;
    m_variant.clear();
    recount();
}

void WarpModel::recount() {
    const gpu::Variant* variant = m_why.request().currentVariant();
    const gpu::Counters* counters = variant == nullptr ? nullptr : m_why.counters(variant->id);
    const std::string now = counters == nullptr ? std::string() : variant->id;
    if (!m_active || (now == m_variant && !m_variant.empty())) return;
    m_trace.forget();
    m_variant = now;
    m_files = counters == nullptr ? std::vector<std::string>() : filesOf(*counters, variant->source);
    m_file = variant == nullptr ? std::string() : variant->source;
    m_lines = counters == nullptr ? std::map<int, LineCounts>() : linesOf(*counters, m_file);
    m_here.clear();
    m_position = -1;
    m_line = 0;
    if (!m_picked && counters != nullptr) {
        const io::Shape& shape = m_why.request().document().grid()->shape();
        m_pixel = {static_cast<int>(shape.width / 2), static_cast<int>(shape.height / 2)};
        // The middle of a block shows more than a corner where four meet.
        if (const auto tiles = m_why.footprint(variant->id); tiles && tiles->tileWidth > 0 && tiles->tileHeight > 0) {
            const auto middle = [](int at, int tile, std::int64_t extent) {
                if (tile >= extent) return at;
                return static_cast<int>(std::min<std::int64_t>(at / tile * tile + tile / 2, extent - 1));
            };
            m_pixel = {middle(m_pixel.x(), tiles->tileWidth, shape.width),
                       middle(m_pixel.y(), tiles->tileHeight, shape.height)};
        }
        m_slice = static_cast<int>(shape.depth / 2);
    }
    if (m_lines.empty()) {
        emit lineChanged();
        return emit changed();
    }
    chooseLine(0);
}

void WarpModel::setFile(const std::string& file) {
    const gpu::Counters* counters = m_why.counters(m_variant);
    if (file == m_file || counters == nullptr || std::ranges::find(m_files, file) == m_files.end()) return;
    m_file = file;
    m_lines = linesOf(*counters, file);
    m_line = 0;
    chooseLine(0);
}

void WarpModel::pick(QPoint pixel, int slice) {
    m_pixel = pixel;
    m_slice = slice;
    m_picked = true;
    ask(trace() != nullptr ? trace()->kernel : std::string());
    emit changed();
}

void WarpModel::chooseLine(int line) {
    m_guessed = line == 0;
    if (line == 0) {
        std::int64_t most = -1;
        for (const auto& [number, counts] : m_lines) {
            const auto heat = counts.heat(Heat::sectors);
            if (heat <= most) continue;
            most = heat;
            line = number;
        }
    }
    if (line == m_line && trace() != nullptr) return;
    m_line = line;
    m_position = -1;
    emit lineChanged();
    const auto at = m_lines.find(line);
    if (at == m_lines.end()) {
        gather();
        return emit changed();
    }
    const auto& accesses = at->second.accesses;
    const bool there =
        trace() != nullptr && std::ranges::any_of(accesses, [&](const auto& a) { return a.kernel == trace()->kernel; });
    if (!there) ask(accesses.front().kernel);
    gather();
    emit changed();
}

void WarpModel::ask(const std::string& kernel) {
    const auto tracer = m_why.tracer();
    const auto request = m_why.asked();
    if (!m_active || tracer == nullptr || !request || m_variant.empty()) return;
    m_here.clear();
    m_position = std::max(m_position, 0) == 0 ? -1 : m_position;
    const gpu::WarpQuery query{.kernel = kernel, .x = m_pixel.x(), .y = m_pixel.y(), .z = m_slice};
    m_trace.ask({m_variant, kernel, m_pixel, m_slice}, [tracer, request = *request, query](const JobContext& context) {
        return tracer->warp(request, query, context.stop());
    });
    if (!m_trace.busy()) takeTrace();  // it is known already
}

void WarpModel::takeTrace() {
    gather();
    if (m_guessed && trace() != nullptr && m_here.empty()) chooseLineOfWarp();
    emit changed();
}

void WarpModel::chooseLineOfWarp() {
    m_guessed = false;
    std::int64_t most = -1;
    int line = 0;
    for (const gpu::WarpRequest& request : trace()->requests) {
        const int number = gpu::lineIn(m_file, trace()->sites[static_cast<std::size_t>(request.site)].stack);
        const auto at = m_lines.find(number);
        if (at == m_lines.end() || at->second.heat(Heat::sectors) <= most) continue;
        most = at->second.heat(Heat::sectors);
        line = number;
    }
    if (line == 0) return;
    m_line = line;
    m_position = -1;
    emit lineChanged();
    gather();
}

void WarpModel::gather() {
    m_here.clear();
    if (trace() == nullptr) return;
    std::vector<bool> here;
    for (const gpu::WarpSite& site : trace()->sites) here.push_back(gpu::lineIn(m_file, site.stack) == m_line);
    for (std::size_t i = 0; i < trace()->requests.size(); ++i)
        if (here[static_cast<std::size_t>(trace()->requests[i].site)]) m_here.push_back(i);
    if (m_position < 0) {
        // Global memory first: that is what most lines are about.
        const auto global =
            std::ranges::find_if(m_here, [&](std::size_t i) { return trace()->requests[i].buffer >= 0; });
        m_position = global == m_here.end() ? 0 : static_cast<int>(global - m_here.begin());
    }
    m_position = std::clamp(m_position, 0, std::max(0, requests() - 1));
}

const gpu::WarpRequest* WarpModel::request() const {
    return m_here.empty() ? nullptr : &trace()->requests[m_here[static_cast<std::size_t>(position())]];
}

const gpu::WarpSite* WarpModel::site() const {
    const gpu::WarpRequest* shown = request();
    return shown == nullptr ? nullptr : &trace()->sites[static_cast<std::size_t>(shown->site)];
}

void WarpModel::step(int by) {
    const int to = std::clamp(position() + by, 0, std::max(0, requests() - 1));
    if (std::exchange(m_position, to) != to) emit changed();
}

gpu::AccessCount WarpModel::sum() const {
    gpu::AccessCount sum;
    const gpu::WarpSite* of = site();
    if (of == nullptr) return sum;
    for (const std::size_t i : m_here) {
        const gpu::WarpRequest& one = trace()->requests[i];
        const gpu::WarpSite& its = trace()->sites[static_cast<std::size_t>(one.site)];
        if (its.space != of->space || its.operation != of->operation) continue;
        sum.requests += one.count.requests;
        sum.lanes += one.count.lanes;
        sum.threadBytes += one.count.threadBytes;
        sum.sectors += one.count.sectors;
        sum.usefulBytes += one.count.usefulBytes;
        sum.wavefronts += one.count.wavefronts;
        sum.words += one.count.words;
        sum.worst = std::max(sum.worst, one.count.worst);
    }
    return sum;
}

std::vector<QPoint> WarpModel::pixelsTouched(int slice) const {
    std::vector<QPoint> pixels;
    const gpu::WarpRequest* one = request();
    const auto grid = m_why.request().document().grid();
    if (one == nullptr || one->buffer < 0 || grid == nullptr) return pixels;
    const int size = trace()->buffers[static_cast<std::size_t>(one->buffer)].valueBytes;
    if (size == 0) return pixels;
    const io::Shape& shape = grid->shape();
    const int bytes = site()->bytes;
    for (std::size_t lane = 0; lane < one->offset.size(); ++lane) {
        if (!(one->mask >> lane & 1U)) continue;
        for (std::int64_t value = one->offset[lane] / size; value * size < one->offset[lane] + bytes; ++value) {
            const std::int64_t inPlane = value % shape.pixels();
            if (inPlane / (shape.width * shape.height) != slice) continue;
            pixels.emplace_back(static_cast<int>(inPlane % shape.width),
                                static_cast<int>(inPlane / shape.width % shape.height));
        }
    }
    return pixels;
}

}  // namespace warplens::gui
