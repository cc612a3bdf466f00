// SPDX-License-Identifier: Apache-2.0
#include "gui/why/warp_model.hpp"

#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <map>
#include <set>
#include <utility>

namespace warplens::gui {

namespace {

QString tr(const char* text, int n = -1) { return QCoreApplication::translate("WarpText", text, nullptr, n); }

QString counted(std::int64_t n, const char* one, const char* many) {
    return n == 1 ? tr(one) : tr(many).arg(format::integer(n));
}

/// The bytes a request asks for, as whole stretches.
std::vector<std::pair<std::int64_t, std::int64_t>> stretches(const gpu::WarpRequest& request, int bytes) {
    std::vector<std::int64_t> starts;
    for (std::size_t lane = 0; lane < request.offset.size(); ++lane)
        if (request.mask >> lane & 1U) starts.push_back(request.offset[lane]);
    std::ranges::sort(starts);
    std::vector<std::pair<std::int64_t, std::int64_t>> runs;
    for (const std::int64_t start : starts) {
        if (!runs.empty() && start <= runs.back().second)
            runs.back().second = std::max(runs.back().second, start + bytes);
        else
            runs.emplace_back(start, start + bytes);
    }
    return runs;
}

WarpText sectorsText(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    const std::int64_t sectors = request.count.sectors, useful = request.count.usefulBytes;
    const std::int64_t least = (useful + kSectorBytes - 1) / kSectorBytes;
    WarpText text;
    text.figure = counted(sectors, "1 sector", "%1 sectors");
    const auto runs = stretches(request, site.bytes);
    if (sectors <= least) {
        text.reason = runs.size() == 1 && useful <= site.bytes && request.count.lanes > 1
                          ? tr("for all lanes: they request the same value.")
                          : tr("and no fewer would do: the lanes request neighbouring values.");
    } else if (site.space == gpu::Space::texture) {
        text.reason =
            tr("where %1 would do: a texture is read by quarters of a warp, and what two of them touch counts "
               "twice.")
                .arg(format::integer(least));
    } else if (runs.size() == 1) {
        text.reason = tr("where %1 would do: the row starts %2 bytes into a sector.")
                          .arg(format::integer(least), format::integer(runs.front().first % kSectorBytes));
    } else {
        const std::int64_t apart = runs[1].first - runs[0].first;
        const bool even = std::ranges::adjacent_find(runs, [&](const auto& a, const auto& b) {
                              return b.first - a.first != apart;
                          }) == runs.end();
        text.reason = even && runs.size() > 2 ? tr("where %1 would do: the lanes request values %2 bytes apart.")
                                                    .arg(format::integer(least), format::integer(apart))
                                              : tr("where %1 would do: the lanes request %2 separate ranges.")
                                                    .arg(format::integer(least))
                                                    .arg(runs.size());
    }
    text.share = tr("%1 of %2 bytes are used, %3.")
                     .arg(format::integer(useful), format::integer(sectors * kSectorBytes),
                          format::percent(static_cast<double>(useful) / static_cast<double>(sectors * kSectorBytes)));
    return text;
}

WarpText banksText(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    WarpText text;
    const auto units = touchedUnits(request, site);
    const auto worst = std::ranges::max_element(units, {}, &TouchedUnit::words);
    const auto busy = std::ranges::count_if(units, [](const TouchedUnit& unit) { return unit.words > 1; });
    text.figure = counted(request.count.wavefronts, "1 wavefront", "%1 wavefronts");
    if (request.count.wavefronts <= 1)
        text.reason = request.count.words == 1 || units.size() == 1
                          ? tr("without bank conflicts: the lanes request the same word.")
                          : tr("without bank conflicts: no bank has to deliver two different words.");
    else if (site.bytes > kWordBytes)
        text.reason = tr("because the lanes request %1 bytes each.").arg(site.bytes);
    else
        text.reason = tr("because of bank conflicts: bank %1 has to deliver %2 different words, and %3 of 32 banks "
                         "more than one.")
                          .arg(worst->number)
                          .arg(worst->words)
                          .arg(busy);
    return text;
}

WarpText wordsText(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    WarpText text;
    const bool atomic = site.operation == gpu::Operation::atomic;
    text.figure = atomic ? counted(request.count.words, "1 address", "%1 addresses")
                         : counted(request.count.words, "1 word", "%1 words");
    if (!atomic)
        text.reason = request.count.words == 1 ? tr("for all lanes: constant memory broadcasts it.")
                                               : tr("from constant memory, which delivers one after the other.");
    else if (request.count.worst > 1)
        text.reason = tr("for %1 lanes: as many as %2 of them add to the same one.")
                          .arg(request.count.lanes)
                          .arg(request.count.worst);
    else
        text.reason = tr("for %1 lanes: no two add to the same one.").arg(request.count.lanes);
    return text;
}

}  // namespace

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

UnitKind unitKind(const gpu::WarpSite& site) {
    if (site.operation == gpu::Operation::atomic || site.space == gpu::Space::constant) return UnitKind::words;
    return site.space == gpu::Space::shared ? UnitKind::banks : UnitKind::sectors;
}

std::vector<TouchedUnit> touchedUnits(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    const UnitKind kind = unitKind(site);
    const int size = kind == UnitKind::sectors ? kSectorBytes : kind == UnitKind::banks ? kWordBytes : site.bytes;
    std::map<std::int64_t, TouchedUnit> units;
    std::map<std::int64_t, std::set<std::int64_t>> bytes, words;
    for (int lane = 0; lane < static_cast<int>(request.offset.size()); ++lane) {
        if (!(request.mask >> lane & 1U)) continue;
        const std::int64_t first = request.offset[static_cast<std::size_t>(lane)], end = first + site.bytes;
        for (std::int64_t at = first / size; at * size < end; ++at) {
            const std::int64_t number = kind == UnitKind::banks ? at % kBanks : at;
            TouchedUnit& unit = units[number];
            unit.number = number;
            const std::int64_t from = std::max(first, at * size), to = std::min(end, (at + 1) * size);
            unit.lanes.push_back(lane);
            unit.pieces.emplace_back(static_cast<int>(from - at * size), static_cast<int>(to - from));
            for (std::int64_t b = from; b < to; ++b) bytes[number].insert(b);
            words[number].insert(at);
        }
    }
    std::vector<TouchedUnit> list;
    for (auto& [number, unit] : units) {
        unit.bytes = static_cast<int>(bytes[number].size());
        unit.words = static_cast<int>(words[number].size());
        list.push_back(std::move(unit));
    }
    return list;
}

WarpText warpText(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    switch (unitKind(site)) {
        case UnitKind::sectors: return sectorsText(request, site);
        case UnitKind::banks: return banksText(request, site);
        case UnitKind::words: return wordsText(request, site);
    }
    return {};
}

}  // namespace warplens::gui
