// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <QWidget>
#include <optional>
#include <utility>

namespace warplens::gui {

/// How long a pixel is in the unit that people read, and whether lengths are given in that.
struct FieldLength {
    QString unit{};
    double aPixel = 0;
    bool inUnit = false;

    bool operator==(const FieldLength&) const = default;
};

/// A parameter's value in widgets that know what it means.
class ParameterField : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    struct Shown {
        gpu::Parameter::Value value{};
        std::optional<double> followed{};     ///< what the least number stands for ("auto 1.10")
        std::optional<double> reach{};        ///< up to which a number goes, or to the value where it lies beyond
        std::optional<double> found{};        ///< what a word in place of a number comes to, as far as it is known
        std::optional<FieldLength> length{};  ///< of a number in pixels: it stands there in the unit as well
        std::optional<std::pair<double, double>> range{};  ///< what an empty range amounts to, as far as it is known
    };
    virtual void showValue(const Shown& shown) = 0;
    /// What a click on the label goes to.
    virtual QWidget* first() const = 0;

signals:
    void edited(const gpu::Parameter::Value& value);
    /// What lengths are to be given in.
    void unitChosen(bool inUnit);
    /// A file was chosen, which somebody else reads.
    void pictureWanted(const QString& path);
};

/// Of numbers, ranges, rectangles and pictures; null for others, which an ordinary widget holds.
ParameterField* makeField(const gpu::Parameter& parameter, QWidget* parent);

}  // namespace warplens::gui
