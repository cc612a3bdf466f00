// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/document.hpp"
#include "gui/session/parameter_state.hpp"

#include <QWidget>
#include <array>
#include <vector>

class QBoxLayout;
class QLabel;
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

private:
    void placeCells();
    void take(std::size_t index);
    /// How much larger than drawn for.
    double scale() const;

    std::vector<float> m_weights;
    std::array<QLineEdit*, 7> m_cells{};
};

/// A stencil as its coefficients, with what they amount to. Editing one makes it a custom stencil; choosing "custom"
/// begins with the coefficients of the stencil before.
class StencilPanel : public QWidget {
    Q_OBJECT
public:
    StencilPanel(ParameterState& state, Document& document, QWidget* parent = nullptr);
    CrossField* cross() const { return m_cross; }

signals:
    void refused(const QString& why);

private:
    void refresh();
    void beginCustom();
    void arrange();

    ParameterState& m_state;
    Document& m_document;
    CrossField* m_cross;
    QLabel *m_count, *m_sum, *m_faces;
    QBoxLayout *m_sides, *m_sizes;
};

/// Below the step of heat: up to where it is stable.
class StabilityNote : public QWidget {
    Q_OBJECT
public:
    StabilityNote(ParameterState& state, Document& document, QWidget* parent = nullptr);

private:
    void refresh();

    ParameterState& m_state;
    Document& m_document;
    QLabel* m_text;
};

}  // namespace warplens::gui
