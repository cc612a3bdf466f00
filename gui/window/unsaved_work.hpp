// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"

#include <QObject>
#include <QString>
#include <memory>

namespace warplens::io {
class Grid;
}

namespace warplens::gui {

class CompareSession;
class SessionKeeper;

/// What was made here and lies in no file: steps, a picture that was computed, what is painted, results that are kept.
/// A filtered picture that was only looked at is none of it.
class UnsavedWork : public QObject {
    Q_OBJECT
public:
    UnsavedWork(CompareSession& session, SessionKeeper& keeper, QObject* parent = nullptr);

    /// Results that are kept stay where another picture is opened.
    enum class Before { quit, another };
    /// In a few words: "2 steps"; empty: all of it is saved, or there is nothing.
    QString what(Before before = Before::quit) const;
    /// It may be lost, until more is made.
    void giveUp() { m_saved = now(); }

private:
    struct State {
        std::weak_ptr<const io::Grid> picture;
        gpu::recipe::Recipe recipe;
        int mask = 0;
        std::size_t snapshots = 0;
    };
    static bool same(const State& a, const State& b);
    State now() const;

    CompareSession& m_session;
    State m_saved;
    bool m_opening = false;  ///< a session's steps are being computed
};

}  // namespace warplens::gui
