// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace warplens::gui {

class CompareSession;

/// Asks for a file, which becomes the session's recipe or takes it. The session outlives `over`, whose window asks.
void openRecipe(QWidget& over, CompareSession& session);
void saveRecipe(QWidget& over, CompareSession& session);

}  // namespace warplens::gui
