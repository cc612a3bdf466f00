// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/parameter.hpp"
#include "gpu/families/stencil/operator.hpp"
#include "gpu/families/stencil/parameters.hpp"
#include "gui/kit/panel.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/document.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/volume_state.hpp"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace warplens::gui {

namespace {

/// What a stencil's parameters amount to.
struct StencilFacts {
    int dimensions = 3;
    /// Centre, x-1, x+1, y-1, y+1, z-1, z+1: 3, 5 or 7; of the 27-point stencil all of them in z, y, x order.
    std::vector<float> weights;
    double sum = 1;
    std::optional<double> stableStep;  ///< of heat: the largest step that is stable
    bool stable = true;
};

namespace stencil = gpu::stencil;

/// The operator that the parameters describe for a volume of `depth` slices, stable or not; absent with `why` filled
/// when they describe none.
std::optional<StencilFacts> stencilFacts(const gpu::ParameterValues& values, std::int64_t depth,
                                         QString* why = nullptr) {
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

/// Weights as the parameter "coefficients" takes them; they read back as the same floats.
QString coefficientsText(const std::vector<float>& weights) {
    QStringList parts;
    for (const float weight : weights)
        parts << QString::number(static_cast<double>(weight), 'g', std::numeric_limits<float>::max_digits10);
    return parts.join(',');
}

/// The parameter "regions" of the stencils with a box around a voxel held at a value: a twentieth of each axis to
/// either side, at least one voxel. The same box at another value is replaced; an axis of one voxel is left out.
/// Nothing when there are as many regions as there can be.
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

constexpr int kWidth = 46, kHeight = 24, kText = 12;
constexpr QPoint kPlaces[] = {{62, 47}, {0, 47}, {124, 47}, {62, 0}, {62, 94}, {14, 77}, {110, 17}};
constexpr QSize kWhole(124 + kWidth, 94 + kHeight);
const char* const kNames[] = {"c0, centre", "c1, x−1", "c2, x+1", "c3, y−1", "c4, y+1", "c5, z−1", "c6, z+1"};

QString shortText(float weight) {
    const double magnitude = std::abs(static_cast<double>(weight));
    const bool many = magnitude != 0 && (magnitude < 1e-3 || magnitude >= 1e4);
    return many ? format::compact(weight, 2) : format::trimmed(format::significant(weight));
}

constexpr Length kFactsWidth{96};
constexpr Length kIndent{84};  // where the form's fields begin
constexpr std::size_t kCross = 7;

bool isStencil(const ParameterState& state) { return state.family() != nullptr && state.family()->id() == "stencil"; }

/// A volume's stencil where nothing is open yet.
std::int64_t depthOf(const Document& document) { return document.empty() ? 3 : document.grid()->shape().depth; }

QLabel* caption(const char* name, QWidget* parent) { return made(new QLabel(parent), {.id = name, .look = "caption"}); }

/// The coefficients of a stencil where they act: the centre, its neighbours along x and y around it, those along z
/// aslant. Every cell can be edited; Enter or leaving it keeps.
class CrossField : public QWidget {
public:
    explicit CrossField(QWidget* parent) : QWidget(parent) {
        setAccessibleName(tr("Coefficients"));
        setFixedSize(Length(kWhole.width()), Length(kWhole.height()));
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            auto* cell = made(new QLineEdit(this), {.id = QStringLiteral("coefficient-%1").arg(i),
                                                    .name = tr("Coefficient %1").arg(QString::fromUtf8(kNames[i]))});
            cell->setAlignment(Qt::AlignCenter);
            connect(cell, &QLineEdit::editingFinished, this, [this, i] { take(i); });
            m_cells[i] = cell;
        }
        on(this, {QEvent::Resize}, [this] { placeCells(); });
        // Whatever enlarges every widget has enlarged the cells once more than this field.
        after(this, {QEvent::StyleChange}, [this] { placeCells(); });
    }

    /// Centre, x-1, x+1, y-1, y+1, z-1, z+1; 3, 5 or 7 of them.
    void setWeights(std::vector<float> weights) {
        m_weights = std::move(weights);
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            QLineEdit* cell = m_cells[i];
            cell->setVisible(i < m_weights.size());
            if (i >= m_weights.size()) continue;
            if (!cell->hasFocus() || !cell->isModified()) cell->setText(shortText(m_weights[i]));
            cell->setToolTip(QStringLiteral("%1: %2").arg(QString::fromUtf8(kNames[i]), format::exact(m_weights[i])));
        }
        update();
    }

    const std::vector<float>& weights() const { return m_weights; }

    /// All coefficients, one of them as typed.
    std::function<void(const std::vector<float>& weights)> edited;
    Lens::Refuse refused;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colour(Role::text3), 1));
        const double k = scale();
        const QPointF half(kWidth * k / 2, kHeight * k / 2);
        for (std::size_t i = 1; i < m_weights.size() && i < m_cells.size(); ++i)
            painter.drawLine(QPointF(kPlaces[0]) * k + half, QPointF(kPlaces[i]) * k + half);
    }

private:
    void placeCells() {
        // In projector mode everything is larger.
        const double k = scale();
        const QSize size = QSizeF(kWidth * k, kHeight * k).toSize();
        const QString style = QStringLiteral("padding: 0; min-height: %1px; font-size: %2px;")
                                  .arg(size.height() - 2)
                                  .arg(std::lround(kText * k));
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            if (m_cells[i]->styleSheet() != style) m_cells[i]->setStyleSheet(style);
            m_cells[i]->setFixedSize(size);
            m_cells[i]->move((QPointF(kPlaces[i]) * k).toPoint());
        }
    }

    void take(std::size_t index) {
        QLineEdit* cell = m_cells[index];
        if (!cell->isModified() || index >= m_weights.size()) return;
        bool number = false;
        const float value = cell->text().trimmed().replace(QChar(0x2212), u'-').toFloat(&number);
        cell->setModified(false);
        if (!number || !std::isfinite(value)) {
            refused(tr("%1: '%2' is not a number; give one such as 0.154.")
                        .arg(QString::fromUtf8(kNames[index]), cell->text().left(20)));
            cell->setText(shortText(m_weights[index]));
            return;
        }
        std::vector<float> weights = m_weights;
        weights[index] = value;
        if (weights == m_weights) return cell->setText(shortText(value));
        edited(weights);
    }

    /// How much larger than drawn for.
    double scale() const { return double(width()) / kWhole.width(); }

    std::vector<float> m_weights;
    std::array<QLineEdit*, 7> m_cells{};
};

/// A stencil as its coefficients, with what they amount to. Editing one makes it a custom stencil; choosing "custom"
/// begins with the coefficients of the stencil before.
class StencilPanel : public QWidget {
public:
    StencilPanel(ParameterState& state, Document& document, const Lens::Refuse& refuse, QWidget* parent)
        : QWidget(parent), m_state(state), m_document(document) {
        m_cross->setObjectName(QStringLiteral("coefficient-cross"));
        m_faces->setWordWrap(true);
        m_sizes->setSpacing(2);
        fill(m_sizes, {m_count, m_sum});
        auto* facts = makeColumn(nullptr, {}, 2, {spring(), m_sizes, m_faces, spring()});
        m_sides = new QBoxLayout(QBoxLayout::LeftToRight, this);
        m_sides->setContentsMargins(0, 4, 0, 4);
        m_sides->setSpacing(kGap);
        fill(m_sides, {{m_cross, 0, Qt::AlignTop | Qt::AlignLeft}, {facts, 1}});

        connect(&m_state, &ParameterState::changed, this, [this](const std::string& id) {
            if (id == "stencil") beginCustom();
            refresh();
        });
        connect(&m_state, &ParameterState::familyChanged, this, &StencilPanel::refresh);
        connect(&m_document, &Document::changed, this, &StencilPanel::refresh);
        m_cross->refused = refuse;
        m_cross->edited = [this, refuse](const std::vector<float>& weights) {
            QString why;
            // The values first: a custom stencil without any is none.
            if (!m_state.set("coefficients", coefficientsText(weights).toStdString(), &why)) refuse(why);
            m_state.set("stencil", std::string("custom"));
        };
        refresh();
        on(this, {QEvent::Resize}, [this] { arrange(); });
    }

private:
    void refresh() {
        setVisible(isStencil(m_state));
        if (!isStencil(m_state)) return;
        QString why;
        const auto facts = stencilFacts(m_state.shaping(), depthOf(m_document), &why);
        const bool cross = facts && facts->weights.size() <= kCross;
        m_cross->setVisible(cross);
        m_sum->setVisible(facts.has_value());
        m_faces->setVisible(facts.has_value());
        m_count->setWordWrap(!cross);
        if (!facts) return m_count->setText(why);
        if (cross) m_cross->setWeights(facts->weights);
        m_count->setText(tr("%1 coefficients").arg(facts->weights.size()));
        m_sum->setText(tr("sum %1").arg(QString::number(facts->sum, 'f', 3)));
        m_faces->setText(facts->dimensions == 3   ? tr("outer faces keep values")
                         : facts->dimensions == 2 ? tr("outer edges keep values")
                                                  : tr("row ends keep values"));
        arrange();
    }

    void beginCustom() {
        if (!isStencil(m_state) || gpu::format(m_state.value("stencil")) != "custom") return;
        if (m_state.isDefault("coefficients") && !m_cross->weights().empty())
            m_state.set("coefficients", coefficientsText(m_cross->weights()).toStdString());
    }

    void arrange() {
        const bool beside = width() >= m_cross->width() + kGap + kFactsWidth;
        m_sides->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        m_sizes->setDirection(beside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
        m_sizes->setSpacing(beside ? 2 : kGap);
    }

    ParameterState& m_state;
    Document& m_document;
    CrossField* m_cross = new CrossField(this);
    QLabel *m_count = caption("stencil-count", this), *m_sum = caption("stencil-sum", this),
           *m_faces = caption("stencil-faces", this);
    QBoxLayout *m_sides, *m_sizes = new QBoxLayout(QBoxLayout::TopToBottom);
};

/// Below the step of heat: up to where it is stable.
class StabilityNote : public QWidget {
public:
    StabilityNote(ParameterState& state, Document& document, QWidget* parent)
        : QWidget(parent), m_state(state), m_document(document) {
        makeRow(this, {kIndent, 0, 0, 2}, 4, {m_text, new OriginMark(Origin::modelled, this), spring()});
        connect(&state, &ParameterState::changed, this, &StabilityNote::refresh);
        connect(&state, &ParameterState::familyChanged, this, &StabilityNote::refresh);
        connect(&document, &Document::changed, this, &StabilityNote::refresh);
        refresh();
    }

private:
    void refresh() {
        const auto facts = isStencil(m_state) ? stencilFacts(m_state.shaping(), depthOf(m_document)) : std::nullopt;
        const bool shown = facts && facts->stableStep;
        setVisible(shown);
        if (!shown) return;
        const QString limit = format::significant(*facts->stableStep);
        m_text->setText(facts->stable ? tr("stable up to %1").arg(limit) : tr("unstable beyond %1").arg(limit));
        m_text->setToolTip(
            tr("1 / (2 × %1 × diffusivity): beyond it errors grow from step to step. More options has a switch "
               "that allows it.")
                .arg(facts->dimensions));
    }

    ParameterState& m_state;
    Document& m_document;
    QLabel* m_text = caption("stability", this);
};

/// Commands of a page that hold the cells around the crosshair at a value while a stencil runs.
class HeldRegions : public QObject {
public:
    /// Adds its actions to `page`, which owns it; `state` says where the crosshair is and which values are hot and
    /// cold.
    HeldRegions(RequestState& request, Activity& activity, const VolumeState& state, Page& page)
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

private:
    void hold(bool hot) {
        if (m_request.document().empty()) return;
        const DisplayRange range = m_state.display().range();
        ParameterState& parameters = m_request.parameters();
        const auto regions = withRegion(QString::fromStdString(gpu::format(parameters.value("regions"))),
                                        hot ? range.high : range.low, m_state.crosshair(), m_state.extent());
        if (!regions) return m_activity.report(tr("Eight regions is the maximum; release some or edit the list."));
        parameters.set("regions", regions->toStdString());
    }

    RequestState& m_request;
    Activity& m_activity;
    const VolumeState& m_state;
};

/// Coefficients as a cross, the largest stable step, and regions held at the crosshair.
class StencilLens : public Lens {
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse& refuse, QWidget* parent) const override {
        return {{"stencil", new StencilPanel(request.parameters(), request.document(), refuse, parent)},
                {"step", new StabilityNote(request.parameters(), request.document(), parent)}};
    }

    int taps(const RequestState& request) const override {
        const Document& document = request.document();
        if (document.empty()) return 0;
        const auto facts = stencilFacts(request.parameters().shaping(), document.grid()->shape().depth);
        return facts ? static_cast<int>(facts->weights.size()) : 0;
    }

    void addVolumeActions(RequestState& request, Activity& activity, VolumeState& state, Page& page) const override {
        new HeldRegions(request, activity, state, page);
    }
};

}  // namespace

WARPLENS_LENS_OF(stencil, StencilLens)

}  // namespace warplens::gui
