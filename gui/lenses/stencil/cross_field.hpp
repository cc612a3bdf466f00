// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <array>
#include <vector>

class QLineEdit;

namespace warplens::gui {

/// The coefficients of a stencil where they act: the centre, its neighbours along x and y around it, those along z
/// aslant. Every cell can be edited; Enter or leaving it keeps.
class CrossField : public QWidget {
    Q_OBJECT
public:
    explicit CrossField(QWidget* parent = nullptr);
    /// Centre, x-1, x+1, y-1, y+1, z-1, z+1; 3, 5 or 7 of them.
    void setWeights(std::vector<float> weights);
    const std::vector<float>& weights() const { return m_weights; }

signals:
    /// All coefficients, one of them as typed.
    void edited(const std::vector<float>& weights);
    void refused(const QString& why);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void placeCells();
    void take(std::size_t index);
    /// How much larger than drawn for.
    double scale() const;

    std::vector<float> m_weights;
    std::array<QLineEdit*, 7> m_cells{};
};

}  // namespace warplens::gui
