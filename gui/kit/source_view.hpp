// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <QTextEdit>
#include <QWidget>
#include <optional>

class QHBoxLayout;

namespace warplens::gui {

class CudaHighlighter;
class ElidedLabel;
class IdeaMark;

/// A read-only source with its colours and line numbers: 12 px in lines of 18. A QTextEdit, as QPlainTextEdit ignores
/// line heights.
class SourceText : public QTextEdit {
    Q_OBJECT

public:
    explicit SourceText(QWidget* parent = nullptr);
    /// Its last end of line begins no line. Words are not coloured as code is.
    void setSource(QString text, bool code = true);
    /// Width of the column beside the text.
    virtual int numberWidth() const;
    /// Draws the numbers of the visible lines onto `column`, which stands left of the text.
    void paintNumbers(QWidget* column) const;
    /// Marks and shows a line, from 1; 0 marks none.
    void markLine(int line);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    /// What stands beside a line, from 1: its number.
    virtual QString numberOf(int line) const { return QString::number(line); }
    /// Draws what else stands left of a line's number, in the same row; nothing here.
    virtual void paintBeside(QPainter& painter, const QRectF& row, int line) const;
    /// The row of a line, from 1, in the column's coordinates.
    QRectF rowOf(int line) const;
    QWidget* column() const { return m_numbers; }
    int marked() const { return m_marked; }

private:
    void space();
    /// Scrolls only where the line marked, or what stands around it, is out of sight.
    void showMarked();
    CudaHighlighter* m_colours;
    QWidget* m_numbers;
    int m_marked = 0;
};

/// A kernel's own source: shape and file name above, the text below.
class SourceView : public QWidget {
    Q_OBJECT

public:
    explicit SourceView(QWidget* parent = nullptr);
    /// `fileName` as shown in the head; null idea: no shape. An empty text shows `fileName` alone.
    void setSource(const QString& fileName, const QString& text, std::optional<gpu::Idea> idea);
    /// Shown in place of a source: "OpenCV is a library; its source is not shown".
    void setMessage(const QString& fileName, const QString& message, std::optional<gpu::Idea> idea);
    QString text() const;
    /// Scrolls to a line, from 1, and marks it.
    void goToLine(int line);
    SourceText* editor() const { return m_text; }
    /// Stands at the right end of the head.
    void addToHead(QWidget* tool);

private:
    ElidedLabel* m_name;
    IdeaMark* m_mark;
    QHBoxLayout* m_head;
    SourceText* m_text;
};

/// Shows a source to read in a dialog of its own, which Esc closes; `id`: its object name.
void openSource(QWidget* parent, const QString& id, const QString& title, const QString& text);

}  // namespace warplens::gui
