// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/family_work.hpp"

#include <QObject>
#include <QRect>

namespace warplens::gui {

class ImageView;
class RecipeState;

/// Makes a part of the picture that is open the picture: what a view shows of it, or a rectangle drawn in one. Where it
/// belongs to a recipe, that part of the recipe's input, so that the steps stay.
class CropCommand : public QObject {
    Q_OBJECT
public:
    CropCommand(FamilyWork& work, RecipeState& recipe, RequestState& request, Activity& activity,
                QObject* parent = nullptr);

    /// What the first view of the picture below `page` shows.
    void toSeen(const QWidget& page);
    /// The next rectangle that is drawn in any view of the picture below `page`. Escape, or asking again, ends it.
    void toRectangle(const QWidget& page);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Those that show a picture of the open one's extents.
    QList<ImageView*> viewsOf(const QWidget& page) const;
    void take(const QRect& pixels);
    void stop();

    FamilyWork& m_work;
    RecipeState& m_recipe;
    RequestState& m_request;
    Activity& m_activity;
    QObject* m_drawing = nullptr;  ///< its connections are the views'; null: nothing is drawn
    QList<QPointer<ImageView>> m_views;
};

}  // namespace warplens::gui
