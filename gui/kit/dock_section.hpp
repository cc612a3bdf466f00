// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/glyphs.hpp"

#include <QWidget>
#include <optional>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace warplens::gui {

/// One part of a statistics dock: a head of 32 px (title, a caption on the right, the origin of what is below), a line
/// above it, and the content.
class DockSection : public QWidget {
    Q_OBJECT
public:
    DockSection(const QString& title, std::optional<Origin> origin, QWidget* parent = nullptr);
    void setCaption(const QString& text);
    /// Stands at the right end of the head.
    void addToHead(QWidget* widget);
    QVBoxLayout* content() const { return m_content; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QHBoxLayout* m_head;
    QLabel* m_caption;
    QVBoxLayout* m_content;
};

}  // namespace warplens::gui
