// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gpu/families/convolution/filter.hpp"
#include "gui/kit/panel.hpp"
#include "gui/lenses/convolution/filter_facts.hpp"
#include "gui/lenses/convolution/filter_matrix_view.hpp"
#include "gui/session/parameter_state.hpp"
#include "io/error.hpp"

#include <QCoreApplication>
#include <QFile>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kFactsWidth{96};
constexpr int kMostUlp = 9999;

QLabel* caption(QWidget* parent) { return made(new QLabel(parent), {.look = "caption"}); }

/// The filter as its matrix, with what it amounts to: size, sum, whether it is separable. Editable when it is "custom".
/// One of three dimensions is shown slice by slice.
class FilterPanel : public QWidget {
public:
    FilterPanel(ParameterState& state, Lens::Refuse refuse, QWidget* parent)
        : QWidget(parent), m_state(state), m_refuse(std::move(refuse)) {
        setWidgetText(m_matrix, {.id = "filter-matrix", .name = tr("Filter weights")});
        m_matrix->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);

        setWidgetText(m_slice, {.id = "filter-slice", .name = tr("Slice of the filter")});
        m_slice->setPrefix(tr("slice "));
        m_sizes->setSpacing(2);
        fill(m_sizes, {m_size, m_sum});
        auto* separable = makeRow(nullptr, {}, 4, {m_mark, {m_separable, 1}});
        auto* residuals = makeColumn(nullptr, {}, 2);
        m_what->setText(tr("rank-1 residual"));
        residuals->addWidget(m_what);
        auto* residual = makeRow(nullptr, {}, 4, {m_residual, m_origin, spring()});
        residuals->addLayout(residual, 1);
        auto* facts = makeColumn(nullptr, {}, 2, {m_sizes});
        m_verdicts->setSpacing(2);
        fill(m_verdicts, {separable, {residuals, 1}});
        fill(facts, {m_verdicts, spring()});

        m_sides = new QBoxLayout(QBoxLayout::LeftToRight, this);
        m_sides->setContentsMargins(0, 4, 0, 4);
        m_sides->setSpacing(kGap);
        auto* matrix = makeColumn(
            nullptr, {}, 4,
            {{m_matrix, 0, Qt::AlignTop | Qt::AlignLeft}, {m_slice, 0, Qt::AlignTop | Qt::AlignLeft}, spring()});
        fill(m_sides, {matrix, {facts, 1}});

        connect(&m_state, &ParameterState::changed, this, &FilterPanel::refresh);
        connect(&m_state, &ParameterState::familyChanged, this, &FilterPanel::refresh);
        connect(m_matrix, &FilterMatrixView::matrixEdited, this, &FilterPanel::takeSlice);
        connect(m_slice, &QSpinBox::valueChanged, this, &FilterPanel::showSlice);
        refresh();
        on(this, {QEvent::Resize}, [this] { arrange(); });
    }

private:
    void refresh() {
        const bool convolution = m_state.family() != nullptr && m_state.family()->id() == "convolution";
        setVisible(convolution);
        if (!convolution) return;
        QString why;
        auto facts = filterFacts(m_state.values(), &why);
        for (QWidget* w :
             {static_cast<QWidget*>(m_sum), static_cast<QWidget*>(m_separable), static_cast<QWidget*>(m_residual),
              static_cast<QWidget*>(m_origin), static_cast<QWidget*>(m_mark)})
            w->setVisible(facts.has_value());
        m_size->setWordWrap(!facts.has_value());
        if (!facts) {
            m_size->setText(why);
            return;
        }
        const bool volume = facts->depth > 1, deeper = facts->depth != m_facts.depth;
        m_facts = *std::move(facts);
        {
            const QSignalBlocker quiet(m_slice);  // of another depth the slice is shown once, below
            m_slice->setRange(1, m_facts.depth);
            m_slice->setSuffix(tr(" of %1").arg(m_facts.depth));
            if (deeper) m_slice->setValue(m_facts.depth / 2 + 1);
        }
        m_slice->setVisible(volume);
        showSlice();
        m_matrix->setEditable(gpu::format(m_state.value("filter")) == "custom");
        m_size->setText(volume ? tr("%1 × %2 × %3 weights").arg(m_facts.width).arg(m_facts.height).arg(m_facts.depth)
                               : tr("%1 × %2 weights").arg(m_facts.width).arg(m_facts.height));
        m_size->setWordWrap(volume);
        // Rank 1 is about a matrix.
        for (QWidget* w : {static_cast<QWidget*>(m_separable), static_cast<QWidget*>(m_residual),
                           static_cast<QWidget*>(m_origin), static_cast<QWidget*>(m_what)})
            w->setVisible(!volume);
        m_mark->setVisible(!volume && m_facts.separable);
        arrange();
        m_sum->setText(tr("sum %1").arg(QString::number(m_facts.sum, 'f', 3)));
        m_mark->setState(ResultState::verified);
        m_separable->setText(m_facts.separable ? tr("separable") : tr("not separable"));
        // Beside a weight of 0 every difference is astronomically many ulp.
        m_residual->setText(m_facts.residualUlp > kMostUlp
                                ? tr("over %1 ulp").arg(format::integer(kMostUlp))
                                : tr("%1 ulp").arg(format::significant(m_facts.residualUlp, 2)));
        m_residual->setToolTip(
            tr("Largest difference of a weight from the product of one row and one column; at most 2 ulp counts as "
               "separable."));
    }

    void showSlice() { m_matrix->setMatrix(m_facts.width, m_facts.height, m_facts.slice(m_slice->value() - 1)); }

    /// The user has changed the slice that is shown; its text.
    void takeSlice(const QString& text) {
        QStringList slices;
        for (int z = 0; z < m_facts.depth; ++z)
            slices << (z + 1 == m_slice->value() ? text : matrixText(m_facts.width, m_facts.slice(z)));
        QString why;
        if (!m_state.set("matrix", slices.join(QStringLiteral(";;")).toStdString(), &why)) m_refuse(why);
    }

    /// Facts beside the matrix where there is room, else below it.
    void arrange() {
        const int slice = m_slice->isVisibleTo(this) ? m_slice->sizeHint().width() : 0;
        const bool beside = width() >= std::max(m_matrix->sizeHint().width(), slice) + kGap + kFactsWidth;
        m_sides->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        for (QBoxLayout* pair : {m_sizes, m_verdicts}) {
            pair->setDirection(beside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
            pair->setSpacing(beside ? 2 : kGap);
        }
        m_what->setVisible(beside && m_separable->isVisibleTo(this));
    }

    ParameterState& m_state;
    Lens::Refuse m_refuse;
    FilterFacts m_facts;
    FilterMatrixView* m_matrix = new FilterMatrixView(this);
    QSpinBox* m_slice = new QSpinBox(this);  ///< from 1
    QLabel *m_size = caption(this), *m_sum = caption(this);
    StatusMark* m_mark = new StatusMark(this);
    QLabel *m_separable = caption(this), *m_residual = caption(this);
    OriginMark* m_origin = new OriginMark(Origin::counted, this);
    QLabel* m_what = caption(this);
    QBoxLayout *m_sizes = new QBoxLayout(QBoxLayout::TopToBottom),
               *m_verdicts = new QBoxLayout(QBoxLayout::TopToBottom), *m_sides;
};

constexpr qint64 kMatrixBytes = 1 << 20;

/// A matrix from a text or CSV file as the custom filter. Throws gpu::Error(argument) naming row and column, or
/// io::Error.
NewValues readMatrix(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw io::Error(io::Error::Kind::unreadable,
                        path.toStdString() + ": " + file.errorString().toStdString() + "; check the name.");
    const QByteArray text = file.read(kMatrixBytes + 1);
    if (text.size() > kMatrixBytes)
        throw io::Error(io::Error::Kind::limit,
                        path.toStdString() + ": larger than any filter can be; choose a file with a matrix.");
    gpu::convolution::parseMatrix(text.toStdString(), path.toStdString());
    const QString rows = QString::fromUtf8(text.trimmed())
                             .replace(QStringLiteral("\r\n"), QStringLiteral("\n"))
                             .replace('\n', QStringLiteral("; "));
    // The matrix first: a custom filter without one is none.
    return {{"matrix", rows.toStdString()}, {"filter", std::string("custom")}};
}

/// The filter as its matrix, and matrices from files.
class ConvolutionLens : public Lens {
    Q_DECLARE_TR_FUNCTIONS(ConvolutionLens)
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse& refuse, QWidget* parent) const override {
        return {{"filter", new FilterPanel(request.parameters(), refuse, parent)}};
    }

    std::vector<ValuesFile> valuesFiles() const override {
        return {{.action = "open-matrix",
                 .text = tr("Open filter &matrix..."),
                 .title = tr("Open a filter matrix"),
                 .key = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                 .filters = {tr("Text and CSV (*.csv *.txt)"), tr("All files (*)")},
                 .read = readMatrix}};
    }
};

}  // namespace

WARPLENS_LENS_OF(convolution, ConvolutionLens)

}  // namespace warplens::gui
