// SPDX-License-Identifier: Apache-2.0
#include "gui/why/line_heat.hpp"

#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <charconv>
#include <set>

namespace warplens::gui {

namespace {

constexpr std::int64_t kLanes = 32, kFetchingLanes = 8;

QString tr(const char* text) { return QCoreApplication::translate("LineHeat", text); }

QString each(std::int64_t sum, std::int64_t count) {
    return format::significant(count > 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0);
}

/// Lanes of 8 bytes take two passes, of 16 bytes four.
std::int64_t leastPasses(const gpu::AccessCount& count) {
    const std::int64_t size = count.lanes > 0 ? count.threadBytes / count.lanes : 4;
    return count.requests * std::max<std::int64_t>(1, size / 4);
}

/// Lanes that a request is of: of a fetch through a texture a quarter of the warp.
std::int64_t lanesOf(gpu::Space space) { return space == gpu::Space::texture ? kFetchingLanes : kLanes; }

}  // namespace

QString nameOf(Heat heat) {
    switch (heat) {
        case Heat::sectors: return tr("Sectors");
        case Heat::conflicts: return tr("Conflicts");
        case Heat::divergence: return tr("Divergence");
        case Heat::atomics: return tr("Atomics");
    }
    return {};
}

QString unitOf(Heat heat) {
    switch (heat) {
        case Heat::sectors: return tr("sectors of 32 bytes");
        case Heat::conflicts: return tr("excess wavefronts");
        case Heat::divergence: return tr("inactive or divergent lanes");
        case Heat::atomics: return tr("atomic additions");
    }
    return {};
}

QString tipOf(Heat heat) {
    if (heat == Heat::divergence)
        return tr(
            "Beside each line: lanes that are inactive during a request of their warp, and lanes that diverge from "
            "most "
            "of it at a branch.");
    return tr("Beside each line: %1.").arg(unitOf(heat));
}

std::int64_t LineCounts::heat(Heat heat) const {
    std::int64_t sum = heat == Heat::divergence ? branches.lanesApart : 0;
    for (const gpu::CounterLine& access : accesses) {
        const gpu::AccessCount& c = access.count;
        const bool atomic = access.operation == gpu::Operation::atomic;
        switch (heat) {
            case Heat::sectors: sum += gpu::isGlobal(access.space) && !atomic ? c.sectors : 0; break;
            case Heat::conflicts:
                if (access.space == gpu::Space::shared && !atomic)
                    sum += std::max<std::int64_t>(0, c.wavefronts - leastPasses(c));
                break;
            case Heat::divergence: sum += lanesOf(access.space) * c.requests - c.lanes; break;
            case Heat::atomics: sum += atomic ? c.lanes : 0; break;
        }
    }
    return sum;
}

QStringList LineCounts::texts() const {
    QStringList lines;
    for (const gpu::CounterLine& access : accesses) {
        const gpu::AccessCount& c = access.count;
        QStringList parts;
        const QString requests = format::integer(c.requests);
        if (gpu::isGlobal(access.space))
            parts << tr("%1 sectors in %2 requests, %3 each")
                         .arg(format::integer(c.sectors), requests, each(c.sectors, c.requests));
        else if (access.space == gpu::Space::constant)
            parts << tr("%1 requests, %2 words each").arg(requests, each(c.words, c.requests));
        else if (access.operation != gpu::Operation::atomic)
            parts << tr("%1 wavefronts in %2 requests, %3 each")
                         .arg(format::integer(c.wavefronts), requests, each(c.wavefronts, c.requests));
        if (access.operation == gpu::Operation::atomic)
            parts << tr("%1 additions, %2 lanes per address, at most %3")
                         .arg(format::integer(c.lanes), each(c.lanes, c.words), format::integer(c.worst));
        parts << tr("%1 of %2 lanes active").arg(each(c.lanes, c.requests)).arg(lanesOf(access.space));
        lines << QStringLiteral("%1 %2: %3")
                     .arg(QString::fromUtf8(nameOf(access.space)), QString::fromUtf8(nameOf(access.operation)),
                          parts.join(QStringLiteral("; ")));
    }
    if (branches.executions > 0) {
        QString text = tr("branch, each part of its condition counted by itself: executed by warps %1 times, divergent "
                          "%2 times, %3")
                           .arg(format::integer(branches.executions), format::integer(branches.divergent),
                                format::percent(static_cast<double>(branches.divergent) /
                                                static_cast<double>(branches.executions)));
        if (branches.divergent > 0)
            text += tr("; %1 lanes then diverged from their warp each time")
                        .arg(each(branches.lanesApart, branches.divergent));
        lines << text;
    }
    return lines;
}

std::vector<std::string> filesOf(const gpu::Counters& counters, const std::string& own) {
    std::set<std::string> others;
    for (const gpu::CounterLine& access : counters.lines) {
        for (const std::string& place : access.stack) {
            const std::string file = place.substr(0, place.rfind(':'));
            if (file != own && file.ends_with(".cuh")) others.insert(file);
        }
    }
    for (const gpu::TraceFinding& finding : counters.findings)
        if (finding.file != own && finding.file.ends_with(".cuh")) others.insert(finding.file);
    std::vector<std::string> files{own};
    files.insert(files.end(), others.begin(), others.end());
    return files;
}

int lineIn(const std::string& file, const std::vector<std::string>& stack) {
    for (const std::string& place : stack) {
        if (place.size() <= file.size() + 1 || place.compare(0, file.size(), file) != 0 || place[file.size()] != ':')
            continue;
        int line = 0;
        std::from_chars(place.data() + file.size() + 1, place.data() + place.size(), line);
        return line;
    }
    return 0;
}

std::map<int, LineCounts> linesOf(const gpu::Counters& counters, const std::string& file) {
    std::map<int, LineCounts> lines;
    for (const gpu::CounterLine& access : counters.lines) {
        if (const int line = lineIn(file, access.stack); line > 0) lines[line].accesses.push_back(access);
    }
    return lines;
}

QString nameOfCheck(const std::string& check) {
    static const std::map<std::string, const char*> names{
        {"shared-race", QT_TRANSLATE_NOOP("LineHeat", "Data race in shared memory")},
        {"global-race", QT_TRANSLATE_NOOP("LineHeat", "Data race in global memory")},
        {"uninitialised-shared", QT_TRANSLATE_NOOP("LineHeat", "Read of uninitialised shared memory")},
        {"out-of-bounds", QT_TRANSLATE_NOOP("LineHeat", "Access out of bounds")},
        {"divergent-barrier", QT_TRANSLATE_NOOP("LineHeat", "Divergent barrier")},
        {"deadlock", QT_TRANSLATE_NOOP("LineHeat", "Deadlock")}};
    const auto at = names.find(check);
    return at == names.end() ? QString::fromStdString(check) : tr(at->second);
}

std::map<int, QStringList> findingsIn(const gpu::Counters& counters, const std::string& file) {
    std::map<int, QStringList> lines;
    for (const gpu::TraceFinding& finding : counters.findings)
        if (finding.file == file && finding.line > 0)
            lines[finding.line] << nameOfCheck(finding.check) + QStringLiteral(": ") +
                                       QString::fromStdString(finding.message);
    return lines;
}

void addBranches(std::map<int, LineCounts>& lines, const gpu::Counters& counters, const std::string& file, bool alone) {
    for (const gpu::BranchLine& branch : counters.branchLines) {
        const int line = lineIn(file, branch.stack);
        if (line <= 0 || (!alone && !lines.contains(line))) continue;
        gpu::BranchLine& sum = lines[line].branches;
        sum.executions += branch.executions;
        sum.divergent += branch.divergent;
        sum.lanesApart += branch.lanesApart;
    }
}

}  // namespace warplens::gui
