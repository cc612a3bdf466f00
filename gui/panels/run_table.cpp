// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/run_table.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"

#include <QEvent>
#include <QPainter>
#include <QTimer>
#include <array>

namespace warplens::gui {

namespace {

constexpr int kPadding = 8;
// Name, Median, Quartiles, Against, GB/s, Of limit, Regs, Shared, Occup., Max error, Recorded, Check.
constexpr std::array<int, RunTableModel::kColumns> kWidths{176, 98, 114, 122, 68, 86, 64, 80, 82, 100, 92, 58};

bool dropped(int column) {
    return column == RunTableModel::Quartiles || column == RunTableModel::Registers ||
           column == RunTableModel::Shared || column == RunTableModel::Occupancy;
}

QRect glyphBox(const QRect& row, int left) {
    return {left, row.center().y() - kGlyphBox / 2 + 1, kGlyphBox, kGlyphBox};
}

}  // namespace

RunHeader::RunHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
    setHighlightSections(false);
    setFixedHeight(kHeadHeight);
    setMinimumSectionSize(40);
    setAccessibleName(tr("Columns"));
}

void RunHeader::paintSection(QPainter* painter, const QRect& rect, int column) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(rect, colour(Role::dock));
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour(Role::line));
    const QVariant origin = model()->headerData(column, orientation(), RunTableModel::CellOriginRole);
    const auto align = Qt::Alignment(model()->headerData(column, orientation(), Qt::TextAlignmentRole).toInt());
    QRect text = rect.adjusted(kPadding, 0, -kPadding, 0);
    if (origin.isValid()) {
        drawOriginGlyph(*painter, glyphBox(rect, text.right() - kGlyphBox + 1), static_cast<Origin>(origin.toInt()));
        text.setRight(text.right() - kGlyphBox - 5);
    }
    painter->setFont(textFont(TextSize::caption));
    painter->setPen(colour(Role::text2));
    const QString title = model()->headerData(column, orientation()).toString();
    painter->drawText(text, static_cast<int>(align),
                      QFontMetrics(painter->font()).elidedText(title, Qt::ElideRight, text.width()));
    painter->restore();
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->fillRect(option.rect, colour(selected ? Role::selection : Role::dock));
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), colour(Role::hairline));
    QRect text = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const int column = index.column();
    const QVariant state = index.data(RunTableModel::StateRole);
    const QString reason = index.data(RunTableModel::ReasonRole).toString();
    const QString value = index.data().toString();
    const bool ranked = index.data(RunTableModel::RankedRole).toBool();
    painter->setFont(textFont(TextSize::body));
    painter->setPen(colour(Role::text1));

    if (column == RunTableModel::Name) {
        text.setLeft(option.rect.left() + kDockMargin);
        drawShape(*painter, glyphBox(option.rect, text.left()),
                  static_cast<gpu::Idea>(index.data(RunTableModel::IdeaRole).toInt()));
        text.setLeft(text.left() + kGlyphBox + 7);
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(value, Qt::ElideRight, text.width()));
        if (static_cast<gpu::Idea>(index.data(RunTableModel::IdeaRole).toInt()) == gpu::Idea::library) {
            text.setLeft(text.left() + painter->fontMetrics().horizontalAdvance(value) + 6);
            painter->setPen(colour(Role::text2));
            painter->setFont(textFont(TextSize::caption));
            painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft, tr("CPU"));
        }
    } else if (column == RunTableModel::Check) {
        if (state.isValid())
            drawStatusGlyph(*painter, glyphBox(option.rect, text.right() - kGlyphBox + 1),
                            static_cast<ResultState>(state.toInt()));
    } else if (!reason.isEmpty() && column == RunTableModel::Median) {
        painter->setPen(colour(Role::text2));
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(reason, Qt::ElideRight, text.width()));
    } else if (column == RunTableModel::Against && value.contains(' ') &&
               value.startsWith(index.data(RunTableModel::VerdictRole).toString() + ' ')) {
        const QString word = index.data(RunTableModel::VerdictRole).toString() + ' ', ratio = value.mid(word.size());
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight, ratio);
        text.setRight(text.right() - painter->fontMetrics().horizontalAdvance(ratio));
        painter->setPen(colour(Role::text2));
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight, word);
    } else {
        if (column == RunTableModel::Median && ranked) painter->setFont(boldFont(TextSize::body));
        const bool weak =
            column == RunTableModel::Quartiles || column == RunTableModel::Against || value == QStringLiteral("–");
        const bool grey = !ranked && column == RunTableModel::Median;
        if (weak) painter->setPen(colour(Role::text2));
        if (grey) painter->setPen(colour(selected ? Role::text2 : Role::text3));
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight, value);
    }
    painter->restore();
}

RunTable::RunTable(RunSortProxy* runs, QWidget* parent) : QTableView(parent), m_runs(runs) {
    setObjectName(QStringLiteral("runs"));
    setAccessibleName(tr("Times of the variants"));
    auto* head = new RunHeader(this);
    setHorizontalHeader(head);
    setModel(runs);
    setItemDelegate(new RunDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);  // no row is cut
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(kRowHeight);
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    head->setSectionResizeMode(QHeaderView::Interactive);
    head->setSectionResizeMode(RunTableModel::Name, QHeaderView::Stretch);
    setSortingEnabled(true);
    sortByColumn(RunTableModel::Median, Qt::AscendingOrder);
    head->setSortIndicatorShown(false);

    auto* later = new QTimer(this);
    later->setSingleShot(true);
    later->setInterval(0);
    connect(later, &QTimer::timeout, this, &RunTable::arrange);
    connect(runs, &QAbstractItemModel::modelReset, later, [later] { later->start(); });
    connect(runs, &QAbstractItemModel::layoutChanged, later, [later] { later->start(); });
    connect(runs, &QAbstractItemModel::dataChanged, later, [later] { later->start(); });
    connect(runs, &QAbstractItemModel::rowsInserted, later, [later] { later->start(); });
    connect(runs, &QAbstractItemModel::rowsRemoved, later, [later] { later->start(); });
    arrange();
}

void RunTable::setFewColumns(bool few) {
    if (m_few == few) return;
    m_few = few;
    arrange();
}

void RunTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    // Projector mode is larger.
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        QTimer::singleShot(0, this, [this] { arrange(); });
}

int RunTable::neededWidth() const {
    int sum = 0;
    for (int column = 0; column < RunTableModel::kColumns; ++column)
        if (!isColumnHidden(column)) sum += Length(kWidths[static_cast<std::size_t>(column)]);
    return sum;
}

void RunTable::arrange() {
    bool others = m_widest != Length(kWidths.front());
    for (int column = 0; column < RunTableModel::kColumns; ++column) {
        const bool hide = !m_runs->runs()->applies(column) || (m_few && dropped(column));
        others = others || hide != isColumnHidden(column);
        setColumnHidden(column, hide);
    }
    // A column that comes back has whatever room was left, not its own width; what a user has dragged stays as long as
    // the columns and the size of the type are the same.
    if (others) {
        m_widest = Length(kWidths.front());
        for (int column = 0; column < RunTableModel::kColumns; ++column)
            horizontalHeader()->resizeSection(column, Length(kWidths[static_cast<std::size_t>(column)]));
    }
    clearSpans();
    for (int row = 0; row < m_runs->rowCount(); ++row) {
        const QString reason = m_runs->index(row, RunTableModel::Median).data(RunTableModel::ReasonRole).toString();
        if (!reason.isEmpty()) setSpan(row, RunTableModel::Median, 1, RunTableModel::Check - RunTableModel::Median);
    }
    if (others) emit columnsChanged();
    emit refreshed();
}

}  // namespace warplens::gui
