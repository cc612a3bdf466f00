// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/form.hpp"
#include "gui/kit/theme/format.hpp"

#include <QKeyEvent>
#include <QLabel>
#include <QSpinBox>

namespace warplens::gui {

/// What a kernel does, step by step, in a View: a field chooses the step, as the arrow keys, Home and End do in the
/// view; words stand above and below.
template <class View>
class StepPanel : public QWidget {
public:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::KeyPress) return false;
        switch (static_cast<QKeyEvent*>(event)->key()) {
            case Qt::Key_Right: m_step->stepUp(); return true;
            case Qt::Key_Left: m_step->stepDown(); return true;
            case Qt::Key_Home: m_step->setValue(m_step->minimum()); return true;
            case Qt::Key_End: m_step->setValue(m_step->maximum()); return true;
            default: return false;
        }
    }

protected:
    /// `prefix` stands before the number of the step.
    StepPanel(const WidgetText& step, const QString& prefix, const WidgetText& title, const WidgetText& text,
              QWidget* parent)
        : QWidget(parent),
          m_step(made(new QSpinBox(this), step)),
          m_title(made(new QLabel(this), title)),
          m_text(made(new QLabel(this), text)),
          m_view(new View(this)) {
        for (QLabel* label : {m_title, m_text}) {
            setWidgetText(label, {.look = "caption", .wraps = true});
        }
        m_step->setPrefix(prefix);
        m_column =
            makeColumn(this, {0, 4, 0, 4}, 4, {makeRow(nullptr, {}, kGap, {{m_title, 1}, m_step}), m_view, m_text});
        m_view->installEventFilter(this);
        connect(m_step, &QSpinBox::valueChanged, this, [this] { refresh(); });
    }

    void setSteps(int first, int last) {
        m_step->setRange(first, last);
        m_step->setSuffix(tr(" of %1").arg(format::integer(last)));
    }
    /// Another step was chosen.
    virtual void refresh() = 0;

    QSpinBox* m_step;
    QLabel *m_title, *m_text;
    View* m_view;
    QVBoxLayout* m_column;
};

}  // namespace warplens::gui
