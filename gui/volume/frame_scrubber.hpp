// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSlider>
#include <cstdint>
#include <vector>

namespace warplens::gui {

/// A slider over the steps of an iteration that stops at the kept frames alone, each a tick below.
class FrameScrubber : public QSlider {
    Q_OBJECT
public:
    explicit FrameScrubber(QWidget* parent = nullptr);
    /// `kept` are steps, ascending; `shown` is the index of the one that is shown.
    void setFrames(std::vector<std::int64_t> kept, std::size_t shown, std::int64_t steps);
    QSize sizeHint() const override { return {320, 28}; }

signals:
    /// The user chose a frame, by index.
    void chosen(std::size_t index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    double xOf(std::int64_t step) const;
    void chooseAt(double x);
    void choose(std::ptrdiff_t index);

    std::vector<std::int64_t> m_kept;
    std::size_t m_shown = 0;
};

}  // namespace warplens::gui
