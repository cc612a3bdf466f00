// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <QWidget>
#include <optional>
#include <utility>

class QPushButton;

namespace warplens::gui {

class ValueSpin;

/// A text parameter "LO,HI" as two fields. While it is empty the fields show what it amounts to, and editing either
/// sets both; Auto empties it again.
class RangeField : public QWidget {
    Q_OBJECT
public:
    explicit RangeField(const gpu::Parameter& parameter, QWidget* parent = nullptr);
    void setText(const QString& text);
    /// What an empty text amounts to, as far as it is known.
    void setFollowed(std::optional<std::pair<double, double>> range);
    ValueSpin* low() const { return m_low; }

signals:
    void edited(const QString& text);

private:
    void show(double low, double high);
    void send();

    ValueSpin *m_low, *m_high;
    QPushButton* m_auto;
    QString m_text;
    std::optional<std::pair<double, double>> m_followed;
};

}  // namespace warplens::gui
