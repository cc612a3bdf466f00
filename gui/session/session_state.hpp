// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/file_jobs.hpp"
#include "gui/session/snapshots.hpp"

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <map>
#include <string>
#include <vector>

namespace warplens::gui {

/// A session as its file has it (resources/schema/session.schema.json): everything that was chosen, and of what was
/// computed only the pictures that were kept. Values are text, as the command line takes them.
struct SessionDocument {
    static constexpr int kSchema = 1;
    struct Family {
        std::map<std::string, QString> values;  ///< that are not at their defaults; a picture by its path
        QStringList variants;                   ///< those checked, by the ids of their runs
        QStringList rows;                       ///< what was added to the ladder: variants with tunables of their own
        QStringList kernels{};                  ///< files of the user's, whose kernels are rows below the ladder
        bool operator==(const Family&) const = default;
    };
    QString input;      ///< absolute path or "gen:" text
    QString name;       ///< of a picture that was computed here and lies beside the session; else empty
    ReadChoice choice;  ///< which of several frames or series of the input
    QString hash;       ///< contentHash() of the input, or empty while it is not known
    QString family, current, baseline, reference, device, page;
    QString halos;  ///< how several devices exchange them, as the command line names it; empty: the default
    std::map<std::string, Family> families;
    gpu::recipe::Recipe recipe;           ///< that the picture belongs to, made of the input; without steps: none
    int at = 0;                           ///< the step of it that the task is
    QString mask;                         ///< the picture of what is painted, beside the session; empty: nothing is
    QJsonObject view;                     ///< of the page: panes, zoom, range ...
    std::vector<KeptSnapshot> snapshots;  ///< the oldest first; files without any have no such list
    bool operator==(const SessionDocument&) const = default;
};

/// Paths become relative to `folder` where they lie below it or beside it.
QByteArray toJson(const SessionDocument& session, const QString& folder);

/// Reads toJson() back; `path` is the session file's, for its folder and for messages. Throws io::Error(unreadable).
SessionDocument parseSession(const QByteArray& json, const QString& path);

/// Whether a file is a session by its name.
bool isSession(const QString& path);

/// What is chosen now; page, view and hash are left to the caller.
SessionDocument capture(CompareSession& session);

/// What its picture is a file's, or is kept beside it: the one that a recipe makes the present one of, where a file can
/// hold its steps; else the present one.
const Document::State& keptPicture(CompareSession& session);

/// Chooses what a session says, its input apart, which must be open, and its snapshots, which must be there. Forgets
/// the undo history. Returns what could not be had here, a sentence each.
QStringList apply(const SessionDocument& document, CompareSession& session);

}  // namespace warplens::gui
