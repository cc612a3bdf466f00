// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace warplens::gui {

class RequestState;
class Results;

/// The current variant's source is to be shown beside that of another, by its id.
using DifferenceWanted = std::function<void(const QString& against)>;

/// Right dock: the current variant's own kernel file, and the way to what changed since the baseline's.
QWidget* makeSourcePanel(RequestState& request, Results& results, DifferenceWanted wanted, QWidget* parent);

}  // namespace warplens::gui
