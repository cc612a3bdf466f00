// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

namespace warplens::gui {

/// Words and what they mean, to be read beside the main window. Never modal.
class WordsWindow : public QDialog {
    Q_OBJECT
public:
    /// The words of CUDA, OpenCL, OpenACC, HIP and HSA for the same things, side by side.
    static WordsWindow* ofOtherLanguages(QWidget* parent);
    /// The technical words of lessons and pages, each in a sentence.
    static WordsWindow* glossary(QWidget* parent);

private:
    WordsWindow(const char* name, const QString& title, QSize size, const QString& html, QWidget* parent);
};

}  // namespace warplens::gui
