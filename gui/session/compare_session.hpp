// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/family_work.hpp"
#include "gui/session/history.hpp"
#include "gui/session/input_files.hpp"
#include "gui/session/recipe_state.hpp"
#include "gui/session/reference_model.hpp"
#include "gui/session/region_tools.hpp"
#include "gui/session/result_files.hpp"
#include "gui/session/run_control.hpp"

namespace warplens::gui {

/// The parts of the task at hand, put together. It decides nothing; whoever needs a part takes that part:
///   activity    what is under way and what is said of it
///   devices     the devices, the chosen one, its measured ceilings
///   document    the picture and what its file says of it
///   parameters  the family and its values
///   variants    the family's ladder and which rows are checked
///   request     what is asked for, of the four above: the current variant, the baseline, the family's change
///   lookedAt    which variants have a pane, and the reference
///   runs        the table of the runs
///   results     the newest run of each variant and whether it is stale; the last comparison
///   snapshots   results that are kept
///   preview     frames of a result that has not come yet
///   control     live filtering, checks, comparisons; the runner and the tracer
///   exact       the double reference of the current result, while somebody looks at it
///   inputs      opening pictures and values
///   turns       turning the picture
///   work        other pictures made of it
///   outputs     saving, keeping and using results
///   recipe      the steps that the picture belongs to
///   history     undo and redo of parameters and inputs
///   mask        what is painted over the picture
///   regions     the tools that paint it
class CompareSession : public QObject {
    Q_OBJECT
public:
    explicit CompareSession(QObject* parent = nullptr);

    Activity& activity() { return m_activity; }
    DeviceChoice& devices() { return m_devices; }
    Document& document() { return m_document; }
    ParameterState& parameters() { return m_parameters; }
    VariantListModel& variants() { return m_variants; }
    RequestState& request() { return m_request; }
    VisibleVariants& lookedAt() { return m_lookedAt; }
    RunTableModel& runs() { return m_runs; }
    Results& results() { return m_results; }
    Snapshots& snapshots() { return m_snapshots; }
    LivePreview& preview() { return m_preview; }
    RunControl& control() { return m_control; }
    ReferenceModel& exact() { return m_exact; }
    InputFiles& inputs() { return m_inputs; }
    FamilyWork& work() { return m_work; }
    ResultFiles& outputs() { return m_outputs; }
    RecipeState& recipe() { return m_recipe; }
    History& history() { return m_history; }
    Mask& mask() { return m_mask; }
    RegionTools& regions() { return m_regions; }

private:
    // In this order: later ones hear of the earlier ones, and end before them. The runner outlives all jobs.
    gpu::Runner m_runner;
    Activity m_activity;
    DeviceChoice m_devices{m_activity};
    Document m_document;
    ParameterState m_parameters;
    VariantListModel m_variants;
    RequestState m_request{m_document, m_parameters, m_variants, m_devices};
    VisibleVariants m_lookedAt{m_request};
    RunTableModel m_runs;
    Results m_results{m_request, m_lookedAt, m_runs};
    Snapshots m_snapshots;
    LivePreview m_preview{m_runner, m_request, m_results, m_activity};
    RunControl m_control{m_runner, m_request, m_lookedAt, m_results, m_preview, m_activity};
    ReferenceModel m_exact{m_request, m_results, m_control};
    InputFiles m_inputs{m_request, m_activity};
    FamilyWork m_work{m_control, m_request, m_activity};
    ResultFiles m_outputs{m_request, m_lookedAt, m_results, m_snapshots, m_activity};
    History m_history{m_request, m_inputs, m_activity};
    RecipeState m_recipe{m_control, m_request, m_outputs, m_history, m_activity};
    Mask m_mask{m_request, m_history};
    RegionTools m_regions{m_request, m_mask, m_control, m_activity};
};

}  // namespace warplens::gui
