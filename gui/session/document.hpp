// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gui/session/file_jobs.hpp"

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

namespace warplens::gui {

struct RecipePlace;

/// How a picture lies against what it was: first flipped horizontally or not, then turned right by quarters.
struct Orientation {
    bool flipped = false;
    int quarters = 0;  ///< 0 to 3

    bool operator==(const Orientation&) const = default;
    /// After one more of the services that turn and flip.
    Orientation then(gpu::Service step) const;
    Orientation then(const Orientation& next) const;
    /// The fewest steps that lead there.
    std::vector<gpu::Service> steps() const;
    /// "turned right"; empty when nothing is turned.
    QString words() const;
};

/// The picture that is open. Its values never change; opening another one replaces them.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr) : QObject(parent) {}

    /// `input` is the path or "gen:" text it was read from, `choice` what was asked for of several.
    void set(const QString& input, const OpenedPicture& picture, const ReadChoice& choice = {});
    /// Takes a picture that was computed from the present one. `name` is what it is called.
    void derive(const QString& name, const OpenedPicture& picture);
    /// Takes the picture that is open, turned. Whether that only takes back what was turned before, and needs no
    /// `picture`: the one from before the first turn is there.
    void turn(const Orientation& by, const OpenedPicture& picture);
    bool unturns(const Orientation& by) const;
    /// A picture and what is known of it; the values themselves are shared.
    struct State {
        QString input;
        OpenedPicture picture;
        ReadChoice choice;
        bool derived = false;
        std::shared_ptr<const State> source;   ///< what it was computed from, a few steps deep
        Orientation orientation{};             ///< against `source`, of a picture that was turned
        std::shared_ptr<RecipePlace> place{};  ///< where it stands in a recipe; null: in none

        /// The file's name alone, or the whole "gen:" text.
        QString name() const;
    };
    const State& state() const { return m_state; }
    void restore(const State& state);
    /// Whether it was computed here, so that no file or "gen:" text stands for it.
    bool derived() const { return m_state.derived; }
    bool empty() const { return m_state.picture.grid == nullptr; }
    const QString& input() const { return m_state.input; }
    const ReadChoice& choice() const { return m_state.choice; }
    QString name() const { return m_state.name(); }
    /// What is said, behind what was done, where that leaves the recipe whose steps made the picture; else empty.
    QString leavesRecipe() const;
    std::shared_ptr<const io::Grid> grid() const { return m_state.picture.grid; }
    const QImage& thumbnail() const { return m_state.picture.thumbnail; }

    /// Lines below the name: extent and channels; type and size; how values are treated; what reading changed.
    QStringList facts() const;
    /// What reading changed, one sentence each.
    QStringList notes() const;
    /// Where a volume lies: origin and the directions of its axes; empty for a picture.
    QStringList geometry() const;

signals:
    /// Another picture has taken the place of the one before.
    void changed();
    /// Another of several could not be read; the present one stays.
    void choiceRejected();

private:
    static constexpr int kMostSources = 4;
    State m_state;
};

}  // namespace warplens::gui
