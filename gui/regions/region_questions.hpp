// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/request_state.hpp"

#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;
class QSlider;

namespace warplens::gui {

class ValueSpin;

/// Level and neighbours in a line, where the family at hand asks for them.
class RegionQuestions : public QWidget {
    Q_OBJECT
public:
    explicit RegionQuestions(RequestState& request, QWidget* parent = nullptr);

signals:
    /// A value was not taken, and why.
    void refused(const QString& why);

private:
    void refresh();
    /// The level that is taken: the number, or the one that separates best.
    double levelNow();
    void set(gpu::Parameter::Role role, const gpu::Parameter::Value& value);
    double levelAt(int position) const;

    RequestState& m_request;
    QLabel* m_levelLabel;
    QSlider* m_slider;
    ValueSpin* m_level;
    QPushButton *m_separate, *m_few, *m_many;
    double m_low = 0, m_high = 255;     ///< the slider's ends
    std::optional<double> m_automatic;  ///< of the picture at hand, once it was asked for
};

}  // namespace warplens::gui
