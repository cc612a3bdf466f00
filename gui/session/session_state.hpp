// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/compare_session.hpp"
#include "gui/session/session_document.hpp"

namespace warplens::gui {

/// What is chosen now; page, view and hash are left to the caller.
SessionDocument capture(CompareSession& session);

/// What its picture is a file's, or is kept beside it: the one that a recipe makes the present one of, where a file can
/// hold its steps; else the present one.
const Document::State& keptPicture(CompareSession& session);

/// Chooses what a session says, its input apart, which must be open, and its snapshots, which must be there. Forgets
/// the undo history. Returns what could not be had here, a sentence each.
QStringList apply(const SessionDocument& document, CompareSession& session);

}  // namespace warplens::gui
