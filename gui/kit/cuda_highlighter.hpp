// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QList>
#include <QSyntaxHighlighter>

namespace warplens::gui {

/// Keywords, types, calls, numbers and comments of CUDA C++, in the colours of the scheme.
class CudaHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    explicit CudaHighlighter(QTextDocument* document);
    /// After a change of palette: writes the colours anew where they have changed, which a palette's change does not
    /// say.
    void retint();

protected:
    void highlightBlock(const QString& text) override;

private:
    QList<QColor> m_written;  ///< the colours in the document's formats
};

}  // namespace warplens::gui
