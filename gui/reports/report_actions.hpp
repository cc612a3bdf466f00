// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QAction;

namespace warplens::gui {

/// Commands of the window of reports; enabled while it, or for the last its list, has the focus.
struct ReportActions {
    QAction *add, *copy, *exportAll, *remove;
    QList<QAction*> all() const { return {add, copy, exportAll, remove}; }
};

}  // namespace warplens::gui
