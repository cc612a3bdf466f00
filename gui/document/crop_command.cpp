// SPDX-License-Identifier: Apache-2.0
#include "gui/document/crop_command.hpp"

#include "gui/kit/activity.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/session/recipe_state.hpp"
#include "gui/session/request_state.hpp"
#include "io/crop.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QPointer>

namespace warplens::gui {

namespace {

class CropCommand : public QObject {
public:
    CropCommand(FamilyWork& work, RecipeState& recipe, RequestState& request, Activity& activity, QObject* parent)
        : QObject(parent), m_work(work), m_recipe(recipe), m_request(request), m_activity(activity) {
        connect(&request.document(), &Document::changed, this, &CropCommand::stop);
    }

    void toSeen(const QWidget& page) {
        const QList<ImageView*> views = viewsOf(page);
        if (views.isEmpty()) return m_activity.report(tr("Nothing here shows the open picture; crop it on Compare."));
        take(views.front()->seenPixels());
    }

    void toRectangle(const QWidget& page) {
        if (m_drawing != nullptr) return stop();
        const QList<ImageView*> views = viewsOf(page);
        if (views.isEmpty()) return m_activity.report(tr("Nothing here shows the open picture; crop it on Compare."));
        m_drawing = new QObject(this);
        for (ImageView* view : views) {
            m_views << view;
            view->setSelecting(true);
            connect(view, &ImageView::rectangleDrawn, m_drawing, [this](const QRect& pixels) {
                stop();
                take(pixels);
            });
        }
        qApp->installEventFilter(this);
        m_activity.note(tr("Draw a rectangle in a picture; it is cropped to it. Escape leaves it as it is."));
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) return false;
        if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
        if (event->type() == QEvent::KeyPress) stop();
        event->accept();
        return true;
    }

private:
    /// Those that show a picture of the open one's extents.
    QList<ImageView*> viewsOf(const QWidget& page) const {
        QList<ImageView*> views;
        if (m_request.document().empty()) return views;
        const io::Shape& open = m_request.document().grid()->shape();
        for (ImageView* view : page.findChildren<ImageView*>()) {
            const auto shown = view->picture();
            if (view->isVisible() && shown && shown->shape().width == open.width &&
                shown->shape().height == open.height)
                views << view;
        }
        return views;
    }

    void take(const QRect& pixels) {
        const io::Shape& open = m_request.document().grid()->shape();
        if (pixels.width() == open.width && pixels.height() == open.height)
            return m_activity.note(tr("All of the picture is seen; zoom in to what is to be kept"));
        const auto crop = [pixels](const io::Grid& picture) {
            return io::crop(picture, pixels.x(), pixels.y(), pixels.width(), pixels.height());
        };
        const QString done =
            tr("cropped to %1 x %2 at %3, %4").arg(pixels.width()).arg(pixels.height()).arg(pixels.x()).arg(pixels.y());
        if (!m_recipe.changeInput(crop, done)) m_work.take(crop, done);
    }

    void stop() {
        if (m_drawing == nullptr) return;
        qApp->removeEventFilter(this);
        for (const QPointer<ImageView>& view : m_views) {
            if (!view) continue;
            disconnect(view, nullptr, m_drawing, nullptr);
            view->setSelecting(false);
        }
        m_views.clear();
        m_drawing->deleteLater();
        m_drawing = nullptr;
    }

    FamilyWork& m_work;
    RecipeState& m_recipe;
    RequestState& m_request;
    Activity& m_activity;
    QObject* m_drawing = nullptr;  ///< its connections are the views'; null: nothing is drawn
    QList<QPointer<ImageView>> m_views;
};

}  // namespace

Cropping makeCropping(FamilyWork& work, RecipeState& recipe, RequestState& request, Activity& activity,
                      QObject* parent) {
    auto* crop = new CropCommand(work, recipe, request, activity, parent);
    return {[crop](const QWidget& page) { crop->toSeen(page); },
            [crop](const QWidget& page) { crop->toRectangle(page); }};
}

}  // namespace warplens::gui
