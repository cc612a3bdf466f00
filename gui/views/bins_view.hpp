// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/result.hpp"

#include <QWidget>
#include <memory>

namespace warplens::gui {

/// A histogram in a pane: all channels, counts on a logarithmic axis, the ends of both axes named. To look at, not to
/// work with.
class BinsView : public QWidget {
    Q_OBJECT
public:
    explicit BinsView(QWidget* parent = nullptr);
    void setHistogram(std::shared_ptr<const gpu::BinnedCounts> histogram);

signals:
    void focused();
    void activated();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    std::shared_ptr<const gpu::BinnedCounts> m_histogram;
};

}  // namespace warplens::gui
