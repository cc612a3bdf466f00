// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/bins.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/picture/pane_content.hpp"

#include <QWidget>
#include <optional>

namespace warplens::gui {

/// The 24 px line above a picture: shape, title, time with its origin, detail; badge or hint on the right.
class PaneCaption : public QWidget {
    Q_OBJECT

public:
    explicit PaneCaption(QWidget* parent = nullptr) : QWidget(parent) { setFixedHeight(kRowHeight); }
    void setContent(const PaneContent& content);
    void setCurrent(bool current);
    /// How the pane looks at its picture when that is not shared: "200 %, 0 – 255, not linked".
    void setView(const QString& view);
    /// The caption as one plain sentence; accessible name and tooltip.
    QString spoken() const;
    QSize sizeHint() const override { return {paneMinWidth(), kRowHeight}; }

signals:
    /// The mouse takes hold of it and moves away.
    void draggedOut();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    PaneContent m_content;
    std::optional<QPoint> m_pressed;
    QString m_view;
    bool m_current = false;
};

/// A caption over an ImageView, or over the bins or tables of a result that is no picture.
class Pane : public QWidget {
    Q_OBJECT

public:
    explicit Pane(QWidget* parent = nullptr);
    void setContent(const PaneContent& content);
    const PaneContent& content() const { return m_content; }
    void setCurrent(bool current);
    ImageView* view() const { return m_view; }
    PaneCaption* caption() const { return m_caption; }
    /// What the pane can flip to; without a picture: nothing.
    void setReference(const PaneContent& reference);
    /// Whether there is a reference, another picture of the same extents.
    bool comparable() const { return m_comparable; }
    /// Shows the reference and says so; only where the pane is comparable().
    void setFlipped(bool flipped);

signals:
    void focused();
    void activated();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent*) override { emit activated(); }

private:
    /// The picture in full size as it is shown, as a PNG file and as an image.
    void dragPicture();
    void showCaption();
    QWidget* shownView() const;

    PaneContent m_content, m_reference;
    bool m_comparable = false;
    PaneCaption* m_caption;
    ImageView* m_view;
    BinsView* m_bins;
    FiguresView* m_figures;
};

}  // namespace warplens::gui
