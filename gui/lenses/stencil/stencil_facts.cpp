// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/stencil/stencil_facts.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/stencil/operator.hpp"
#include "gpu/families/stencil/parameters.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/volume_state.hpp"

#include <QAction>
#include <QStringList>
#include <algorithm>
#include <limits>

namespace warplens::gui {

namespace stencil = gpu::stencil;

std::optional<StencilFacts> stencilFacts(const gpu::ParameterValues& values, std::int64_t depth, QString* why) {
    constexpr int kEnough = 3;  // regions are another matter, and refused where they are applied
    try {
        gpu::ParameterValues bare = values;
        bare["force"] = true;
        bare.erase("regions");
        const auto op =
            stencil::makeOperator(bare, kEnough, kEnough, static_cast<int>(std::min<std::int64_t>(depth, kEnough))).op;
        StencilFacts facts;
        facts.dimensions = stencil::dimensionsOf(op.pattern);
        facts.weights.assign(op.weights.begin(), op.weights.begin() + op.taps());
        facts.sum = op.sum();
        const auto& list = stencil::parameters().list();
        if (gpu::textOf(list, values, "coefficients").empty() && gpu::textOf(list, values, "stencil") == "heat") {
            facts.stableStep = 1 / (2.0 * facts.dimensions * gpu::realOf(list, values, "diffusivity"));
            facts.stable = gpu::realOf(list, values, "step") <= *facts.stableStep;
        }
        return facts;
    } catch (const gpu::Error& e) {
        if (why != nullptr) *why = QString::fromUtf8(e.what());
        return std::nullopt;
    }
}

QString coefficientsText(const std::vector<float>& weights) {
    QStringList parts;
    for (const float weight : weights)
        parts << QString::number(static_cast<double>(weight), 'g', std::numeric_limits<float>::max_digits10);
    return parts.join(',');
}

HeldRegions::HeldRegions(RequestState& request, Activity& activity, const VolumeState& state, Page& page)
    : QObject(&page), m_request(request), m_activity(activity), m_state(state) {
    QList<QAction*> held;
    const auto on = [&](const char* name, const QString& text, const QKeySequence& key, auto&& what) {
        held << page.makeAction(name, text, key);
        connect(held.back(), &QAction::triggered, this, what);
    };
    on("hold-hot", tr("&Hold hot around the crosshair"), QKeySequence(Qt::Key_H), [this] { hold(true); });
    on("hold-cold", tr("Hold &cold around the crosshair"), QKeySequence(Qt::Key_C), [this] { hold(false); });
    on("release-held", tr("&Release what is held"), {},
       [this] { m_request.parameters().set("regions", std::string()); });
    const auto enable = [this, held] {
        const ParameterState& parameters = m_request.parameters();
        const bool stencil = parameters.family() != nullptr && parameters.has("regions");
        const bool any = stencil && !parameters.isDefault("regions");
        for (QAction* action : held) action->setEnabled(stencil && (any || action != held.back()));
    };
    connect(&m_request.parameters(), &ParameterState::familyChanged, this, enable);
    connect(&m_request.parameters(), &ParameterState::changed, this, enable);
    enable();
}

void HeldRegions::hold(bool hot) {
    if (m_request.document().empty()) return;
    const DisplayRange range = m_state.display().range();
    ParameterState& parameters = m_request.parameters();
    const auto regions = withRegion(QString::fromStdString(gpu::format(parameters.value("regions"))),
                                    hot ? range.high : range.low, m_state.crosshair(), m_state.extent());
    if (!regions)
        return m_activity.report(
            tr("Eight regions are held already, the most possible; release some or edit the list."));
    parameters.set("regions", regions->toStdString());
}

std::optional<QString> withRegion(const QString& regions, double value, const std::array<int, 3>& at,
                                  const std::array<int, 3>& extent) {
    QString box = QStringLiteral(" at");
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (extent[axis] < 2 && axis > 0) continue;
        const int reach = std::max(1, extent[axis] / 20);
        box += QStringLiteral(" %1=%2..%3")
                   .arg(QChar("xyz"[axis]))
                   .arg(std::max(0, at[axis] - reach))
                   .arg(std::min(extent[axis] - 1, at[axis] + reach));
    }
    QStringList parts = regions.split(u';', Qt::SkipEmptyParts);
    for (QString& part : parts) part = part.simplified();
    parts.removeIf([&](const QString& part) { return part.isEmpty() || part.endsWith(box); });
    if (parts.size() >= static_cast<qsizetype>(gpu::stencil::kMaxRegions)) return std::nullopt;
    parts << QString::number(value, 'g', 6) + box;
    return parts.join(QStringLiteral("; "));
}

}  // namespace warplens::gui
