// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

namespace warplens::gui::samples {

/// A chart with made-up values.
struct Chart {
    QString name;
    std::unique_ptr<QWidget> widget;
};
/// One of each kind, and some of them empty.
std::vector<Chart> charts();

}  // namespace warplens::gui::samples
