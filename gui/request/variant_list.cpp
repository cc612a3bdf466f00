// SPDX-License-Identifier: Apache-2.0
#include "gui/request/variant_list.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/request/launch_fields.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QWheelEvent>

namespace warplens::gui {

namespace {

constexpr Length kShapeLeft{kDockMargin.plain() + kGlyphBox.plain() + 9};
constexpr Length kTextLeft{kShapeLeft.plain() + kGlyphBox.plain() + kGap.plain()};

bool ideaBelow(const QModelIndex& index) {
    const auto* model = qobject_cast<const VariantListModel*>(index.model());
    return model != nullptr && !model->ideasInTooltips();
}

}  // namespace

/// A variant's row: checkbox, shape, name, and the idea below it (or in the tooltip).
class VariantDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected) painter->fillRect(option.rect, colour(Role::selection));

        const QRect row = head(option, index);
        QRect check = box(row);
        const bool below = ideaBelow(index);
        QRect shape(option.rect.left() + kShapeLeft, check.top(), kGlyphBox, kGlyphBox);
        if (below) {
            check.moveTop(option.rect.top() + 4);
            shape.moveTop(option.rect.top() + 4);
        }
        const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        painter->setPen(QPen(colour(checked ? Role::accentFill : Role::text3), 1));
        painter->setBrush(colour(checked ? Role::accentFill : Role::field));
        painter->drawRoundedRect(QRectF(check).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        if (checked) {
            const double k = check.width() / 14.0;  // drawn for a box of 14
            painter->setPen(QPen(colour(Role::onAccent), 1.6 * k, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter->setBrush(Qt::NoBrush);
            const QPointF o = check.topLeft();
            painter->drawPolyline(
                QPolygonF{o + k * QPointF(3.5, 7.2), o + k * QPointF(6, 9.8), o + k * QPointF(10.6, 4.4)});
        }
        drawShape(*painter, shape, static_cast<gpu::Idea>(index.data(VariantListModel::IdeaRole).toInt()));

        QRect text = row.adjusted(kTextLeft, 0, -4, 0);
        if (const QRect place = arrow(option.rect, index); selected && !place.isEmpty()) {
            text.setRight(place.left());
            const double k = kGlyphBox / 14.0;  // drawn for a box of 14
            painter->save();
            painter->translate(QRectF(place).center());
            if (index.row() == m_row) painter->rotate(90);
            painter->setPen(Qt::NoPen);
            painter->setBrush(colour(Role::text2));
            painter->drawPolygon(QPolygonF{k * QPointF(-3, -5), k * QPointF(4, 0), k * QPointF(-3, 5)});
            painter->restore();
        }
        painter->setFont(textFont(TextSize::body));
        painter->setPen(colour(checked ? Role::text1 : Role::text2));
        if (below) {
            const QRect name(text.left(), option.rect.top() + 1, text.width(), Length(20));
            painter->drawText(name, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
            painter->setFont(textFont(TextSize::caption));
            painter->setPen(colour(selected ? Role::text2 : Role::text3));
            const QRect idea(text.left(), option.rect.top() + Length(18), text.width(), Length(17));
            const QString sentence = index.data(VariantListModel::SentenceRole).toString();
            painter->drawText(idea, Qt::AlignLeft | Qt::AlignVCenter,
                              QFontMetrics(painter->font()).elidedText(sentence, Qt::ElideRight, idea.width()));
        } else {
            painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        }
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        return {160, (ideaBelow(index) ? kStripHeight : kRowHeight) + (index.row() == m_row ? m_room : 0)};
    }

    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override {
        const auto flip = [&] {
            const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
            return model->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
        };
        if (event->type() == QEvent::KeyPress) {
            const auto* key = static_cast<QKeyEvent*>(event);
            return key->key() == Qt::Key_Space && flip();
        }
        if (event->type() != QEvent::MouseButtonRelease && event->type() != QEvent::MouseButtonPress &&
            event->type() != QEvent::MouseButtonDblClick)
            return false;
        // All the way to the left edge and down the row: a target larger than the mark.
        const QPoint position = static_cast<QMouseEvent*>(event)->position().toPoint();
        const QRect row = head(option, index);
        if (position.x() > box(row).right() + 4 || position.y() > row.bottom()) return false;
        if (event->type() == QEvent::MouseButtonRelease) flip();
        return true;
    }

    /// Keeps so much room below one row; false when it is so already.
    bool setRoom(int row, int height) {
        if (row == m_row && height == m_room) return false;
        m_row = row;
        m_room = height;
        return true;
    }

    /// Where a click on the current row opens what is below it; empty where there is nothing.
    static QRect arrow(const QRect& row, const QModelIndex& index);

private:
    /// The row without the room below it.
    QRect head(const QStyleOptionViewItem& option, const QModelIndex& index) const {
        return index.row() == m_row ? option.rect.adjusted(0, 0, 0, -m_room) : option.rect;
    }

    static QRect box(const QRect& row) {
        return {row.left() + kDockMargin, row.center().y() - kGlyphBox / 2, kGlyphBox, kGlyphBox};
    }

    int m_row = -1, m_room = 0;
};

QRect VariantDelegate::arrow(const QRect& row, const QModelIndex& index) {
    const auto* model = qobject_cast<const VariantListModel*>(index.model());
    const gpu::Variant* variant = model == nullptr ? nullptr : model->variant(index.row());
    if (variant == nullptr || variant->tunables.empty() || model->kernel(variant->id) != nullptr) return {};
    const int side = ideaBelow(index) ? kStripHeight : kRowHeight;
    return {row.right() - kGlyphBox - 2 * kGap + 1, row.top(), kGlyphBox + 2 * kGap, side};
}

VariantList::VariantList(RequestState& request, const Results& results, QWidget* parent)
    : QListView(parent),
      m_request(request),
      m_rows(new VariantDelegate(this)),
      m_fields(new LaunchFields(request, results, viewport())) {
    m_fields->hide();
    setWidgetText(this, {.id = "variants", .name = tr("Variants")});
    setItemDelegate(m_rows);
    setModel(&request.variants());
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    connect(&request, &RequestState::taskChanged, this, &VariantList::follow);
    connect(model(), &QAbstractItemModel::modelReset, this, [this] {
        follow();
        updateGeometry();
    });
    connect(model(), &QAbstractItemModel::layoutChanged, this, [this] {
        updateGeometry();
        place();
    });
    connect(m_fields, &LaunchFields::resized, this, &VariantList::place);
    connect(m_fields, &LaunchFields::left, this, [this] {
        setOpen(false);
        setFocus();
    });
    follow();
}

void VariantList::setOpen(bool open) {
    m_open = open;
    place();
}

void VariantList::reveal() {
    for (QWidget* around = parentWidget(); around != nullptr && m_fields->isVisible(); around = around->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(around)) return scroll->ensureWidgetVisible(m_fields, 0, 0);
}

void VariantList::edit(bool instead) {
    setOpen(true);
    m_fields->focusFirst(instead);
}

void VariantList::place() {
    if (m_placing) return;
    m_placing = true;
    const QModelIndex current = currentIndex();
    const bool shown = m_open && current.isValid() && !m_fields->empty();
    m_fields->setVisible(shown);
    const int room = shown ? m_fields->heightFor(viewport()->width()) : 0;
    if (m_rows->setRoom(shown ? current.row() : -1, room)) {
        scheduleDelayedItemsLayout();
        executeDelayedItemsLayout();
        updateGeometry();
        // Once the dock has made room for it.
        if (shown) QTimer::singleShot(0, this, &VariantList::reveal);
    }
    if (shown) {
        const QRect row = visualRect(current);
        m_fields->setGeometry(row.left(), row.bottom() + 1 - room, viewport()->width(), room);
    }
    viewport()->update();
    m_placing = false;
}

QSize VariantList::sizeHint() const {
    const int rows = model()->rowCount();
    int height = 0;
    for (int row = 0; row < rows; ++row) height += m_rows->sizeHint({}, model()->index(row, 0)).height();
    return {240, height + 2 * frameWidth()};
}

void VariantList::follow() {
    const QModelIndex index = model()->index(m_request.variants().rowOf(m_request.current()), 0);
    if (index.isValid() && index != currentIndex()) setCurrentIndex(index);
}

void VariantList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    if (!current.isValid()) return;
    const std::string id = current.data(VariantListModel::IdRole).toString().toStdString();
    m_request.setCurrent(id);
    m_fields->setRow(id);
    place();
}

bool VariantList::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        // Elsewhere they may be commands of the page.
        if (key == Qt::Key_Right || key == Qt::Key_Left) event->accept();
    }
    return QListView::event(event);
}

void VariantList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Right && !m_fields->empty()) return m_fields->isVisible() ? edit() : setOpen(true);
    if (event->key() == Qt::Key_Left && m_open) return setOpen(false);
    QListView::keyPressEvent(event);
}

void VariantList::mousePressEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    // The arrow is drawn in the current row: a click elsewhere makes a row current first.
    const bool arrow = index.isValid() && index == currentIndex() &&
                       VariantDelegate::arrow(visualRect(index), index).contains(event->position().toPoint());
    QListView::mousePressEvent(event);
    if (arrow && event->button() == Qt::LeftButton) setOpen(!m_open);
}

void VariantList::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    place();
}

void VariantList::wheelEvent(QWheelEvent* event) {
    event->ignore();  // the panel scrolls
}

}  // namespace warplens::gui
