// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/document.hpp"
#include "gui/models/parameter_state.hpp"

#include <QWidget>

class QBoxLayout;
class QLabel;

namespace warplens::gui {

class CrossField;
class OriginMark;

/// A stencil as its coefficients, with what they amount to. Editing one makes it a custom stencil; choosing "custom"
/// begins with the coefficients of the stencil before.
class StencilPanel : public QWidget {
    Q_OBJECT
public:
    StencilPanel(ParameterState& state, Document& document, QWidget* parent = nullptr);
    CrossField* cross() const { return m_cross; }

signals:
    void refused(const QString& why);

protected:
    void resizeEvent(QResizeEvent* event) override;

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
