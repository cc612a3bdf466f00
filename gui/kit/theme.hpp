// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/tokens.hpp"

#include <QPalette>
#include <QString>

class QApplication;

namespace warplens::gui {

/// What the user wants of the colours.
enum class SchemeChoice { followDesktop, dark, light };

/// Palette, style, fonts and style sheet of the whole program.
///
/// Widgets get their look from a dynamic property "look" where the plain one does not fit:
///   QPushButton  "primary" (accent fill, one a window), "flat" (no frame until hovered), "segment" (one of a few)
///   QDialog      "popup" (framed, without a title)
///   QLabel       "title" (13 bold), "caption" (12), "hint" (12, text 3), "label" (13, text 2), "figure" (19)
///   QWidget      "strip" (header, tool strip), "canvas", "dock"
/// Set it before the widget is shown: setLook(widget, "flat").
class Theme {
public:
    /// Loads the fonts, remembers the desktop's palette and applies the scheme. Call once, right after QApplication.
    static void install(QApplication& application, SchemeChoice choice = SchemeChoice::followDesktop);
    /// Applies another choice; every widget repaints.
    static void apply(SchemeChoice choice);
    static SchemeChoice choice();
    /// Type as many times as large, 1.6 or 1.25, more contrast, thicker lines, in the window given and in whatever is
    /// made from now on; 1: as it was.
    static void setProjector(double type, QWidget* window);

    /// Dark when a window's background is darker than its text. Qt 6.4 does not say what the desktop prefers.
    static Scheme schemeOf(const QPalette& palette);
    static QPalette palette(Scheme scheme);
    static QString styleSheet(Scheme scheme);
};

/// Sets the dynamic property "look" and repolishes.
void setLook(QWidget* widget, const char* look);

}  // namespace warplens::gui
