// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/stencil/stencil_panel.hpp"

#include "gui/lenses/stencil/cross_field.hpp"
#include "gui/lenses/stencil/stencil_facts.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/marks.hpp"

#include <QHBoxLayout>
#include <QLabel>

namespace warplens::gui {

namespace {

constexpr Length kFactsWidth{96};
constexpr Length kIndent{84};  // where the form's fields begin
constexpr std::size_t kCross = 7;

bool isStencil(const ParameterState& state) { return state.family() != nullptr && state.family()->id() == "stencil"; }

/// A volume's stencil where nothing is open yet.
std::int64_t depthOf(const Document& document) { return document.empty() ? 3 : document.grid()->shape().depth; }

QLabel* caption(const char* name, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromUtf8(name));
    setLook(label, "caption");
    return label;
}

}  // namespace

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
    auto* facts = new QVBoxLayout;
    facts->setSpacing(2);
    facts->addStretch(1);
    m_sizes->setSpacing(2);
    for (QLabel* label : {m_count, m_sum}) m_sizes->addWidget(label);
    facts->addLayout(m_sizes);
    facts->addWidget(m_faces);
    facts->addStretch(1);
    m_sides = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_sides->setContentsMargins(0, 4, 0, 4);
    m_sides->setSpacing(kGap);
    m_sides->addWidget(m_cross, 0, Qt::AlignTop | Qt::AlignLeft);
    m_sides->addLayout(facts, 1);

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

void StencilPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

StabilityNote::StabilityNote(ParameterState& state, Document& document, QWidget* parent)
    : QWidget(parent), m_state(state), m_document(document), m_text(caption("stability", this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kIndent, 0, 0, 2);
    row->setSpacing(4);
    row->addWidget(m_text);
    row->addWidget(new OriginMark(Origin::modelled, this));
    row->addStretch(1);
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
