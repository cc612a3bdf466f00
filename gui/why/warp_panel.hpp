// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/warp_model.hpp"

#include <QWidget>

class QLabel;
class QPushButton;

namespace warplens::gui {

class ElidedLabel;
class OriginMark;
class WarpChart;

/// One warp at the line chosen: which request, its lanes and what they touch, and what that means.
class WarpPanel : public QWidget {
    Q_OBJECT
public:
    explicit WarpPanel(WarpModel& model, QWidget* parent = nullptr);
    WarpChart* chart() const { return m_chart; }
    /// All of its words.
    QString text() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeHead();
    void refresh();
    void fitWords();

    WarpModel& m_model;
    QLabel *m_title, *m_figure, *m_reason, *m_share;
    ElidedLabel* m_detail;
    OriginMark *m_origin, *m_shareOrigin = nullptr;
    QWidget* m_words = nullptr;  ///< below the chart
    QPushButton *m_previous, *m_next;
    WarpChart* m_chart;
};

}  // namespace warplens::gui
