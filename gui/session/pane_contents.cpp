// SPDX-License-Identifier: Apache-2.0
#include "gui/session/pane_contents.hpp"

#include "gui/picture/statistics.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/served_figures.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ComparePage", text); }

}  // namespace

std::optional<ResultKind> resultKind(CompareSession& session) {
    const gpu::Family* family = session.parameters().family();
    return family == nullptr ? std::nullopt : resultKindOf(*family, session.parameters().values());
}

RangeBar::Serve statisticsBy(CompareSession& session) {
    if (session.control().comparing()) return {};  // the CPU is done long before the device is free
    const gpu::DeviceInfo* device = session.devices().chosen();
    return [&runner = session.control().runner(), on = device == nullptr ? std::nullopt : std::optional(*device)](
               const std::shared_ptr<const io::Grid>& picture, const std::stop_token& stop) {
        return serveStatistics(runner, on, picture, stop);
    };
}

void showKind(CompareSession& session, PaneContent& pane) {
    const auto kind = resultKind(session);
    if (!kind || pane.picture == nullptr) return;
    pane.display = ownDisplayOf(*kind, *pane.picture);
    pane.legend = kind->values;
}

PaneContent variantContent(CompareSession& session, const std::string& id) {
    const RequestState& request = session.request();
    const gpu::Variant* variant = session.variants().variant(id);
    const gpu::RunRecord* record = session.results().of(id);
    const bool baseline = id == request.baseline();
    PaneContent pane;
    if (record != nullptr) {
        pane = resultPane(*record, *variant, baseline);
        if (session.results().notKept(id))
            pane.message =
                session.activity().busy() ? tr("computing its picture again") : tr("its picture was not kept");
        if (session.results().stale(id)) {
            pane.state.reset();
            pane.timeMs.reset();
            pane.message.clear();
            pane.hint = tr("earlier values");
        }
        if (session.preview().shown() && id == request.current()) {
            pane.state = ResultState::unverified;
            pane.timeMs.reset();
        }
    } else {
        pane.key = QString::fromStdString(id);
        pane.idea = variant->idea;
        pane.message = session.document().empty()      ? QString()
                       : session.control().comparing() ? tr("waiting for its turn")
                       : session.control().resting()   ? tr("nothing has run: F5 compares")
                                                       : tr("not run yet");
        if (baseline) pane.detail = tr("baseline");
    }
    showKind(session, pane);
    pane.title = QString::fromStdString(id);
    if (session.variants().kernel(id) != nullptr)
        pane.detail = pane.detail.isEmpty() ? tr("yours") : tr("yours, %1").arg(pane.detail);
    if (id == request.current() && request.standsIn()) {
        if (!pane.detail.isEmpty()) pane.detail += QStringLiteral(", ");
        pane.detail += tr("in place of %1").arg(QString::fromStdString(request.chosen()));
    }
    return pane;
}

PaneContent inputContent(CompareSession& session) {
    PaneContent pane = inputPane(session.document().grid(), session.document().name());
    if (session.document().empty()) pane.message = tr("Open a picture, or drop one here.");
    return pane;
}

std::shared_ptr<const io::Grid> presentPicture(CompareSession& session, const std::string& id) {
    const gpu::RunRecord* record = session.results().present(id);
    return record == nullptr ? nullptr : record->result.picture;
}

std::optional<ResultKind> resultKindOf(const gpu::Family& family, const gpu::ParameterValues& values) {
    const auto found = family.resultValues(values);
    if (!found) return std::nullopt;
    using Kind = gpu::ResultValues::Kind;
    const ColourMap map = found->kind == Kind::aboutZero  ? ColourMap::diverging
                          : found->kind == Kind::fromZero ? ColourMap::viridis
                                                          : ColourMap::grey;
    // The legend of signed values begins with their range.
    const QString title = QCoreApplication::translate("ResultKind", found->title.c_str());
    return ResultKind{.values = found->kind == Kind::aboutZero ? ", " + title : title,
                      .map = map,
                      .fromZero = found->kind == Kind::fromZero};
}

OwnDisplay ownDisplayOf(const ResultKind& kind, const io::Grid& result) {
    // Few values far off, along edges, would leave all the others grey.
    constexpr double kLeftOut = 0.005;
    const bool about = kind.map == ColourMap::diverging;
    DisplayRange range = sampledRange(result, about ? kLeftOut : 0);
    if (about) {
        const double far = std::max(std::abs(range.low), std::abs(range.high));
        range = {-far, far};
    } else if (kind.fromZero) {
        range = {0, range.high > 0 ? range.high : 1};
    }
    return {range, kind.map, kind.fromZero};
}

}  // namespace warplens::gui
