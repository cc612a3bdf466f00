// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/model/occupancy.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/kit/marks.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"

#include <QObject>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QFormLayout;
class QLabel;
class QPushButton;

namespace warplens::gui {

/// The launch parameters that are being typed for a row and are not its own yet: what draws a row's blocks draws these.
class LaunchDraft : public QObject {
    Q_OBJECT
public:
    /// The one of a request.
    static LaunchDraft& of(RequestState& request);
    /// What a block touches then; absent without a draft for the row, and where the device runs none.
    std::optional<gpu::Footprint> footprint(const std::string& row) const;
    void set(const std::string& row, const std::optional<gpu::Footprint>& footprint);

signals:
    void changed();

private:
    explicit LaunchDraft(RequestState& request);
    std::string m_row;
    std::optional<gpu::Footprint> m_footprint;
};

/// The launch parameters of a row, one field each. While they are typed it says which tile a block has by them, how
/// full it keeps a multiprocessor, or why the device runs none; then they can be put beside as a row of their own, or
/// take the place of the row's where it was added.
class LaunchFields : public QWidget {
    Q_OBJECT
public:
    LaunchFields(RequestState& request, const Results& results, QWidget* parent);
    /// Whose parameters they are; a library and a row that is gone have none.
    void setRow(const std::string& id);
    bool empty() const { return m_fields.empty(); }
    /// Of all that stands there now.
    int heightFor(int width);
    /// The first field is ready to be typed in; `instead`: Return then changes the row, rather than putting one beside.
    void focusFirst(bool instead = false);

signals:
    /// The id of a run that is not in the list yet.
    void besideWanted(const std::string& id);
    void insteadWanted(const std::string& id);
    /// Escape: back to the row.
    void left();
    /// It needs more or less room.
    void resized();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* field(const gpu::Tunable& tunable);
    gpu::RunKey key() const;
    /// The present picture's problem is posed aside: it may take a while.
    void pose();
    void refresh();
    /// Says what a block of these parameters does; whether the device runs it.
    bool judge();
    void showOccupancy(const gpu::TunableValues& tunables);
    void take(bool instead);
    bool belongs() const;

    RequestState& m_request;
    const Results& m_results;
    gpu::RunSpec m_row;
    struct Field {
        const gpu::Tunable* tunable;
        QWidget* widget;
        std::function<int()> value;
        std::function<void(int)> set;
    };
    std::vector<Field> m_fields;
    JobRunner m_poseJobs;
    std::shared_ptr<const gpu::Problem> m_problem;  ///< null until it is posed, and where it cannot be
    QFormLayout* m_form;
    QLabel *m_said, *m_block, *m_refusal, *m_full, *m_registers;
    StatusMark* m_mark;
    QWidget* m_occupancy;
    OccupancyBar* m_bar;
    OriginMark* m_origin;
    QPushButton *m_reset, *m_change, *m_beside;
    bool m_instead = false;
};

}  // namespace warplens::gui
