// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QList>
#include <QString>

class QDialog;

namespace warplens::gui {

// Windows to be read beside the main one. Never modal.

/// The user's guide, as it is on disk.
QDialog* makeGuideWindow(QWidget* parent);
/// Keys, made from the actions there are, and short answers.
QDialog* makeHelpWindow(const QList<QAction*>& actions, const QString& whyNoGpu, QWidget* parent);
/// The words of CUDA, OpenCL, OpenACC, HIP and HSA for the same things, side by side.
QDialog* makeTermsWindow(QWidget* parent);
/// The technical words of lessons and pages, each in a sentence.
QDialog* makeGlossary(QWidget* parent);
/// Name, version, licence.
QDialog* makeAboutWindow(QWidget* parent);

}  // namespace warplens::gui
