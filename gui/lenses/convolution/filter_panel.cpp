// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/convolution/filter_panel.hpp"

#include "gui/lenses/convolution/filter_facts.hpp"
#include "gui/lenses/convolution/filter_matrix_view.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/marks.hpp"

#include <QHBoxLayout>
#include <QLabel>

namespace warplens::gui {

namespace {

constexpr Length kFactsWidth{96};
constexpr int kMostUlp = 9999;

QLabel* caption(QWidget* parent) {
    auto* label = new QLabel(parent);
    setLook(label, "caption");
    return label;
}

}  // namespace

FilterPanel::FilterPanel(ParameterState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_matrix(new FilterMatrixView(this)),
      m_size(caption(this)),
      m_sum(caption(this)),
      m_mark(new StatusMark(this)),
      m_separable(caption(this)),
      m_residual(caption(this)),
      m_origin(new OriginMark(Origin::counted, this)),
      m_what(caption(this)),
      m_sizes(new QBoxLayout(QBoxLayout::TopToBottom)),
      m_verdicts(new QBoxLayout(QBoxLayout::TopToBottom)) {
    m_matrix->setObjectName(QStringLiteral("filter-matrix"));
    m_matrix->setAccessibleName(tr("Filter weights"));
    m_matrix->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);

    m_sizes->setSpacing(2);
    m_sizes->addWidget(m_size);
    m_sizes->addWidget(m_sum);
    auto* separable = new QHBoxLayout;
    separable->setSpacing(4);
    separable->addWidget(m_mark);
    separable->addWidget(m_separable, 1);
    auto* residuals = new QVBoxLayout;
    residuals->setSpacing(2);
    m_what->setText(tr("rank-1 residual"));
    residuals->addWidget(m_what);
    auto* residual = new QHBoxLayout;
    residual->setSpacing(4);
    residual->addWidget(m_residual);
    residual->addWidget(m_origin);
    residual->addStretch(1);
    residuals->addLayout(residual, 1);
    auto* facts = new QVBoxLayout;
    facts->setSpacing(2);
    facts->addLayout(m_sizes);
    m_verdicts->setSpacing(2);
    m_verdicts->addLayout(separable);
    m_verdicts->addLayout(residuals, 1);
    facts->addLayout(m_verdicts);
    facts->addStretch(1);

    m_sides = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_sides->setContentsMargins(0, 4, 0, 4);
    m_sides->setSpacing(kGap);
    m_sides->addWidget(m_matrix, 0, Qt::AlignTop | Qt::AlignLeft);
    m_sides->addLayout(facts, 1);

    connect(&m_state, &ParameterState::changed, this, &FilterPanel::refresh);
    connect(&m_state, &ParameterState::familyChanged, this, &FilterPanel::refresh);
    connect(m_matrix, &FilterMatrixView::matrixEdited, this, [this](const QString& text) {
        QString why;
        if (!m_state.set("matrix", text.toStdString(), &why)) emit refused(why);
    });
    refresh();
}

void FilterPanel::refresh() {
    const bool convolution = m_state.family() != nullptr && m_state.family()->id() == "convolution";
    setVisible(convolution);
    if (!convolution) return;
    QString why;
    const auto facts = filterFacts(m_state.values(), &why);
    for (QWidget* w :
         {static_cast<QWidget*>(m_sum), static_cast<QWidget*>(m_separable), static_cast<QWidget*>(m_residual),
          static_cast<QWidget*>(m_origin), static_cast<QWidget*>(m_mark)})
        w->setVisible(facts.has_value());
    m_size->setWordWrap(!facts.has_value());
    if (!facts) {
        m_size->setText(why);
        return;
    }
    m_matrix->setMatrix(facts->width, facts->height, facts->weights);
    // In three dimensions the text has slices that the matrix does not show.
    const bool volume = facts->depth > 1;
    m_matrix->setEditable(!volume && gpu::format(m_state.value("filter")) == "custom");
    m_matrix->setToolTip(volume ? tr("The middle one of %1 slices").arg(facts->depth) : QString());
    m_size->setText(
        volume
            ? tr("%1 × %2 × %3 weights, the middle slice shown").arg(facts->width).arg(facts->height).arg(facts->depth)
            : tr("%1 × %2 weights").arg(facts->width).arg(facts->height));
    m_size->setWordWrap(volume);
    // Rank 1 is about a matrix.
    for (QWidget* w : {static_cast<QWidget*>(m_separable), static_cast<QWidget*>(m_residual),
                       static_cast<QWidget*>(m_origin), static_cast<QWidget*>(m_what)})
        w->setVisible(!volume);
    m_mark->setVisible(!volume && facts->separable);
    arrange();
    m_sum->setText(tr("sum %1").arg(QString::number(facts->sum, 'f', 3)));
    m_mark->setState(ResultState::verified);
    m_separable->setText(facts->separable ? tr("separable") : tr("not separable"));
    // Beside a weight of 0 every difference is astronomically many ulp.
    m_residual->setText(facts->residualUlp > kMostUlp ? tr("over %1 ulp").arg(format::integer(kMostUlp))
                                                      : tr("%1 ulp").arg(format::significant(facts->residualUlp, 2)));
    m_residual->setToolTip(
        tr("Largest difference of a weight from the product of one row and one column; at most 2 ulp counts as "
           "separable."));
}

void FilterPanel::arrange() {
    const bool beside = width() >= m_matrix->sizeHint().width() + kGap + kFactsWidth;
    m_sides->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    for (QBoxLayout* pair : {m_sizes, m_verdicts}) {
        pair->setDirection(beside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
        pair->setSpacing(beside ? 2 : kGap);
    }
    m_what->setVisible(beside && m_separable->isVisibleTo(this));
}

void FilterPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace warplens::gui
