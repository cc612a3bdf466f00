// SPDX-License-Identifier: Apache-2.0
#include "gui/request/variant_list.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QMouseEvent>
#include <QWheelEvent>
#include <set>

namespace warplens::gui {

namespace {

constexpr Length kShapeLeft{kDockMargin.plain() + kGlyphBox.plain() + 9};
constexpr Length kTextLeft{kShapeLeft.plain() + kGlyphBox.plain() + kGap.plain()};

bool ideaBelow(const QModelIndex& index) {
    const auto* model = qobject_cast<const VariantListModel*>(index.model());
    return model != nullptr && !model->ideasInTooltips();
}

}  // namespace

QRect VariantDelegate::box(const QStyleOptionViewItem& option) const {
    const QRect& row = option.rect;
    return {row.left() + kDockMargin, row.center().y() - kGlyphBox / 2, kGlyphBox, kGlyphBox};
}

void VariantDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    if (selected) painter->fillRect(option.rect, colour(Role::selection));

    QRect check = box(option);
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

    QRect text = option.rect.adjusted(kTextLeft, 0, -4, 0);
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

QSize VariantDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    return {160, ideaBelow(index) ? kStripHeight : kRowHeight};
}

bool VariantDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                                  const QModelIndex& index) {
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
    if (position.x() > box(option).right() + 4) return false;
    if (event->type() == QEvent::MouseButtonRelease) flip();
    return true;
}

VariantList::VariantList(RequestState& request, QWidget* parent) : QListView(parent), m_request(request) {
    setWords(this, {.id = "variants", .name = tr("Variants")});
    setItemDelegate(new VariantDelegate(this));
    setModel(&request.variants());
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    connect(&request, &RequestState::currentChanged, this, &VariantList::follow);
    connect(model(), &QAbstractItemModel::modelReset, this, [this] {
        follow();
        updateGeometry();
    });
    connect(model(), &QAbstractItemModel::layoutChanged, this, &VariantList::updateGeometry);
    follow();
}

QSize VariantList::sizeHint() const {
    const int rows = model()->rowCount();
    const int height = rows > 0 ? rows * itemDelegate()->sizeHint({}, model()->index(0, 0)).height() : 0;
    return {240, height + 2 * frameWidth()};
}

void VariantList::follow() {
    const QModelIndex index = model()->index(m_request.variants().rowOf(m_request.current()), 0);
    if (index.isValid() && index != currentIndex()) setCurrentIndex(index);
}

void VariantList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    if (current.isValid()) m_request.setCurrent(current.data(VariantListModel::IdRole).toString().toStdString());
}

void VariantList::wheelEvent(QWheelEvent* event) {
    event->ignore();  // the panel scrolls
}

}  // namespace warplens::gui
