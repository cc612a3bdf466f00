// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/session/request_state.hpp"

#include <QObject>
#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// Which variants have a pane. A variant keeps its place while it is shown; a newly chosen one takes the place of the
/// one chosen before, never that of the baseline.
class ShownVariants {
public:
    /// `ladder`: ids that may be shown, in order. `places`: panes for results.
    void update(std::size_t places, const std::vector<std::string>& ladder, const std::string& baseline,
                const std::string& current);
    const std::vector<std::string>& ids() const { return m_ids; }

private:
    std::vector<std::string> m_ids;
    std::string m_previous;
};

/// One picture that can be chosen, flipped to or wiped against.
struct LineupEntry {
    QString key;    ///< "input" or a variant's id
    QString title;  ///< "input", "naive"
    std::optional<gpu::Idea> idea;
};

/// What the keys 1 to 9 stand for: the input, then the checked variants in the order of the ladder.
std::vector<LineupEntry> lineup(const VariantListModel& variants);

/// The key of the input in lineups, panes and references.
inline const QString kInputKey = QStringLiteral("input");

/// Which pictures are looked at: those of the panes, what they are flipped to and wiped against, and the baseline where
/// it is subtracted.
class VisibleVariants : public QObject {
    Q_OBJECT
public:
    explicit VisibleVariants(RequestState& request, QObject* parent = nullptr);

    /// Panes for results (the input has its own). 0: nobody looks at any, and none is run unasked.
    void setPlaces(std::size_t places);
    std::size_t places() const { return m_places; }
    /// Variants with a pane.
    const std::vector<std::string>& shown() const { return m_shown.ids(); }
    /// The picture to flip to and to wipe against: "input", a variant's id or a snapshot's key. It is computed when it
    /// lacks.
    void setReference(const std::string& key);
    const std::string& reference() const { return m_reference; }
    /// Another family was taken up, of whose pictures none was chosen yet.
    void forgetReference();
    /// Whether the baseline's picture is looked at though it has no pane; it is computed when it lacks.
    void setBaselineWanted(bool wanted);
    /// Variants whose pictures are looked at, those with a pane first.
    std::vector<std::string> variants() const;
    /// Gives every place its variant anew.
    void update();

signals:
    /// Places hold other variants, or may.
    void changed();
    void referenceChanged();
    /// There are more places: variants that nobody looked at have one now.
    void grown();
    /// A variant without a pane is looked at from now on.
    void wanted(const std::string& variant);

private:
    RequestState& m_request;
    ShownVariants m_shown;
    std::size_t m_places = 3;
    std::string m_reference = "input";
    bool m_baselineWanted = false;
};

}  // namespace warplens::gui
