// SPDX-License-Identifier: Apache-2.0
#include "gui/why/line_heat.hpp"

#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("LineHeat", text); }

QString each(std::int64_t sum, std::int64_t count) {
    return format::significant(count > 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0);
}

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

QStringList textsOf(const LineCounts& counts) {
    QStringList lines;
    for (const gpu::CounterLine& access : counts.accesses) {
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
    const gpu::BranchLine& branches = counts.branches;
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

}  // namespace warplens::gui
