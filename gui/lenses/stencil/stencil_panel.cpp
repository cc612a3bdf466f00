// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/stencil/stencil_panel.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"
#include "gui/lenses/stencil/stencil_facts.hpp"

#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <cmath>

namespace warplens::gui {

namespace {

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

}  // namespace

CrossField::CrossField(QWidget* parent) : QWidget(parent) {
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

double CrossField::scale() const { return double(width()) / kWhole.width(); }

void CrossField::placeCells() {
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

void CrossField::setWeights(std::vector<float> weights) {
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

void CrossField::take(std::size_t index) {
    QLineEdit* cell = m_cells[index];
    if (!cell->isModified() || index >= m_weights.size()) return;
    bool number = false;
    const float value = cell->text().trimmed().replace(QChar(0x2212), u'-').toFloat(&number);
    cell->setModified(false);
    if (!number || !std::isfinite(value)) {
        emit refused(tr("%1: '%2' is not a number; give one such as 0.154.")
                         .arg(QString::fromUtf8(kNames[index]), cell->text().left(20)));
        cell->setText(shortText(m_weights[index]));
        return;
    }
    std::vector<float> weights = m_weights;
    weights[index] = value;
    if (weights == m_weights) return cell->setText(shortText(value));
    emit edited(weights);
}

void CrossField::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour(Role::text3), 1));
    const double k = scale();
    const QPointF half(kWidth * k / 2, kHeight * k / 2);
    for (std::size_t i = 1; i < m_weights.size() && i < m_cells.size(); ++i)
        painter.drawLine(QPointF(kPlaces[0]) * k + half, QPointF(kPlaces[i]) * k + half);
}

StencilPanel::StencilPanel(ParameterState& state, Document& document, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_document(document),
      m_cross(new CrossField(this)),
      m_count(caption("stencil-count", this)),
      m_sum(caption("stencil-sum", this)),
      m_faces(caption("stencil-faces", this)),
      m_sizes(new QBoxLayout(QBoxLayout::TopToBottom)) {
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
    connect(m_cross, &CrossField::refused, this, &StencilPanel::refused);
    connect(m_cross, &CrossField::edited, this, [this](const std::vector<float>& weights) {
        QString why;
        // The values first: a custom stencil without any is none.
        if (!m_state.set("coefficients", coefficientsText(weights).toStdString(), &why)) emit refused(why);
        m_state.set("stencil", std::string("custom"));
    });
    refresh();
    on(this, {QEvent::Resize}, [this] { arrange(); });
}

void StencilPanel::beginCustom() {
    if (!isStencil(m_state) || gpu::format(m_state.value("stencil")) != "custom") return;
    if (m_state.isDefault("coefficients") && !m_cross->weights().empty())
        m_state.set("coefficients", coefficientsText(m_cross->weights()).toStdString());
}

void StencilPanel::refresh() {
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

void StencilPanel::arrange() {
    const bool beside = width() >= m_cross->width() + kGap + kFactsWidth;
    m_sides->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_sizes->setDirection(beside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_sizes->setSpacing(beside ? 2 : kGap);
}

StabilityNote::StabilityNote(ParameterState& state, Document& document, QWidget* parent)
    : QWidget(parent), m_state(state), m_document(document), m_text(caption("stability", this)) {
    makeRow(this, {kIndent, 0, 0, 2}, 4, {m_text, new OriginMark(Origin::modelled, this), spring()});
    connect(&state, &ParameterState::changed, this, &StabilityNote::refresh);
    connect(&state, &ParameterState::familyChanged, this, &StabilityNote::refresh);
    connect(&document, &Document::changed, this, &StabilityNote::refresh);
    refresh();
}

void StabilityNote::refresh() {
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

}  // namespace warplens::gui
