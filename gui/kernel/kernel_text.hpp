// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPlainTextEdit>
#include <functional>
#include <map>

namespace warplens::gui {

class CudaHighlighter;

/// What stands beside a line that something is wrong with.
struct KernelMark {
    bool error = true;  ///< it does not compile; else the run did something wrong there
    QString words{};
};

/// A text to write a kernel in: line numbers with marks, colours, the bracket's partner, lines that begin where the one
/// before began, the size of the type by Ctrl and the wheel. Tab indents; Esc leaves the text.
class KernelText : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit KernelText(QWidget* parent = nullptr);
    /// Another text in the place of the present one, as one step that can be undone.
    void replaceText(const QString& text);
    /// By line, from 1.
    void setMarks(std::map<int, KernelMark> marks);
    const std::map<int, KernelMark>& marks() const { return m_marks; }
    void goToLine(int line);
    int line() const { return textCursor().blockNumber() + 1; }
    /// Selects the next place of these words, round the end; false: there is none.
    bool findNext(const QString& words, bool backwards = false);
    /// By so many steps; 0: the usual size.
    void zoom(int steps);
    int numberWidth() const;
    void paintNumbers(QWidget* column) const;
    /// What a line's mark says, for a place in the column or the text.
    QString wordsAt(int y) const;

signals:
    /// Esc was pressed.
    void left();
    /// Ctrl+S was pressed.
    void saveWanted();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void dress();
    void follow();
    void breakLine();
    void indent(int steps);
    void toggleComment();
    /// Calls `what` with every line that is selected, as one step to undo.
    template <class What>
    void forLines(What what);
    /// The place of the bracket that belongs to the one at `at`, or -1.
    int partnerOf(int at) const;

    CudaHighlighter* m_colours;
    QWidget* m_numbers;
    std::map<int, std::function<void()>> m_commands;  ///< by their keys
    std::map<int, KernelMark> m_marks;
    int m_zoom = 0;
};

}  // namespace warplens::gui
