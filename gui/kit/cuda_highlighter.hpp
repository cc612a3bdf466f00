// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSyntaxHighlighter>

namespace warplens::gui {

/// Keywords, types, calls, numbers and comments of CUDA C++, in the colours of the scheme.
class CudaHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    explicit CudaHighlighter(QTextDocument* document);

protected:
    void highlightBlock(const QString& text) override;
};

}  // namespace warplens::gui
