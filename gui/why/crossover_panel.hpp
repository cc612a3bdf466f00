// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/crossover_model.hpp"

#include <QStringList>
#include <QWidget>
#include <array>

class QComboBox;
class QGridLayout;
class QHBoxLayout;
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
class SweepCurve;
class NoticeBar;

/// Who wins where: a sweep over one axis as curves or over two as a map, the times of the cell chosen, the variants
/// that compete, what is best taken by a click, and a sweep that measures anew.
class CrossoverPanel : public QWidget {
    Q_OBJECT
public:
    explicit CrossoverPanel(RequestState& request, RunControl& control, Activity& activity, QWidget* parent = nullptr);
    CrossoverModel& model() { return m_model; }
    CrossoverChart* chart() const { return m_chart; }
    SweepCurve* curve() const { return m_curve; }
    /// Arrow keys go through the cells then, and Return takes the best.
    void focusShown();

private:
    QWidget* makeHead();
    QWidget* makeSweep();
    void makeAxis(std::size_t which, QHBoxLayout* row);
    /// The axes as they are chosen and typed, as the command line takes them.
    QStringList axes() const;
    void refreshAxes();
    void takeAxis(std::size_t which);
    /// The cell chosen in curve or map; null: it is not measured.
    const gpu::SweepCell* cell() const;
    void useBest();
    void useRow();
    QWidget* makeTimes();
    void refresh();
    void refreshMaps();
    void refreshChart();
    void refreshTimes();
    void refreshCompeting();
    void placeCompeting();
    void refreshBusy();
    void openFile();
    void saveFile();

    RequestState& m_request;
    CrossoverModel m_model;
    QComboBox *m_maps, *m_show;
    struct Axis {
        QComboBox* what = nullptr;
        QLineEdit* values = nullptr;
    };
    std::array<Axis, 2> m_axes;
    const gpu::Family* m_axesOf = nullptr;  ///< whose axes are offered
    QPushButton *m_start, *m_open, *m_save, *m_best, *m_use;
    QProgressBar* m_bar;
    NoticeBar* m_notice;
    CrossoverChart* m_chart;
    SweepCurve* m_curve;
    QLabel *m_hint, *m_cell;
    QTableWidget* m_times;
    QWidget* m_competing;
    QGridLayout* m_buttons;
    std::vector<std::string> m_shown;  ///< variants that have a button
    std::vector<QPushButton*> m_competitors;
    bool m_typed = false;
};

}  // namespace warplens::gui
