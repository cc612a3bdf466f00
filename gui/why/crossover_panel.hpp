// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/crossover_model.hpp"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace warplens::gui {

class Activity;
class RequestState;
class RunControl;
class CrossoverChart;
class NoticeBar;

/// Who wins where: a map over radius and picture size, the times of the cell chosen, the variants that compete, and a
/// sweep that measures a map anew.
class CrossoverPanel : public QWidget {
    Q_OBJECT
public:
    explicit CrossoverPanel(RequestState& request, RunControl& control, Activity& activity, QWidget* parent = nullptr);
    CrossoverModel& model() { return m_model; }
    CrossoverChart* chart() const { return m_chart; }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeHead();
    QWidget* makeSweep();
    QWidget* makeTimes();
    void refresh();
    void refreshMaps();
    void refreshChart();
    void refreshTimes();
    void refreshCompeting();
    void placeCompeting();
    void refreshBusy();
    void openFile();

    RequestState& m_request;
    CrossoverModel m_model;
    QComboBox* m_maps;
    QLineEdit *m_values, *m_sizes;
    QPushButton *m_start, *m_open;
    QProgressBar* m_bar;
    NoticeBar* m_notice;
    CrossoverChart* m_chart;
    QLabel *m_hint, *m_cell;
    QTableWidget* m_times;
    QWidget* m_competing;
    QGridLayout* m_buttons;
    bool m_built = false;              ///< whether there is all that a change of the theme paints anew
    std::vector<std::string> m_shown;  ///< variants that have a button
    std::vector<QPushButton*> m_competitors;
    bool m_typed = false;
};

}  // namespace warplens::gui
