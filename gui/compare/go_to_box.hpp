// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/difference_model.hpp"

#include <QDialog>
#include <optional>

class QLabel;
class QLineEdit;

namespace warplens::gui {

/// Asks for the coordinates of a pixel: "x y", "x, y" or, in a volume, "x y z". Stays open until they lie inside.
class GoToBox : public QDialog {
    Q_OBJECT
public:
    GoToBox(const io::Shape& shape, QWidget* parent);
    /// What a text means in a picture of these extents; none when it is no place in it.
    static std::optional<PixelPlace> parse(const QString& text, const io::Shape& shape);

signals:
    void chosen(warplens::gui::PixelPlace place);

private:
    void take();

    io::Shape m_shape;
    QLineEdit* m_text;
    QLabel* m_why;
};

}  // namespace warplens::gui
