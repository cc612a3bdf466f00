// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace warplens::gui {

/// What a compiler's message or a fault of a run means, in a student's words (resources/kernel/messages.json); empty
/// where the table has none.
QString explanationOf(const QString& message);

/// One thing that is wrong with a kernel.
struct KernelProblem {
    int line = 0, otherLine = 0;  ///< from 1; 0: not known
    QString message{}, explanation{};
    bool error = false;  ///< it does not compile
};

/// Of a sentence of a compiler or of the worker, which names lines as "my.cuh:12".
KernelProblem problemOf(const QString& sentence, const QString& file, bool error);

}  // namespace warplens::gui
