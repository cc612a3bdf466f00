// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/multi_device_problem.hpp"
#include "gpu/core/parameter.hpp"
#include "gpu/device/device_info.hpp"
#include "gpu/run/runner.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/session/document.hpp"
#include "gui/session/parameter_state.hpp"
#include "gui/session/variant_list_model.hpp"

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplens::gpu {
class Family;
class UserKernel;
}  // namespace warplens::gpu

namespace warplens::gui {

class Activity;

/// The devices there are, the one that is chosen, and what is known of it.
class DeviceChoice : public QObject {
    Q_OBJECT
public:
    explicit DeviceChoice(Activity& activity, QObject* parent = nullptr) : QObject(parent), m_activity(activity) {}

    /// Asks for the devices; `wanted` (an id, a UUID, or several as deviceIds() takes them) is taken when it is there.
    void fetch(const std::string& wanted = {});
    const gpu::DeviceList& list() const { return m_list; }
    /// The one chosen, or the first of several; null until the list has come.
    const gpu::DeviceInfo* chosen() const;
    /// The id of chosen(), or empty.
    const std::string& id() const { return m_id; }
    /// The ids of those that share the slabs of a volume with it.
    const std::vector<std::string>& beside() const { return m_beside; }
    /// All of them with commas between, as the command line takes them.
    std::string names() const;
    /// One, or several with commas between.
    void choose(const std::string& names);
    /// How several give each other the halos of what is iterated.
    gpu::HaloExchangeMode halos() const { return m_halos; }
    void setHalos(gpu::HaloExchangeMode way);
    /// Whether all of those named are there.
    bool there(const std::string& names) const { return !found(names).empty(); }
    /// Several that can be chosen at once: all GPUs, or the CPU twice, which shows what several do to those who have
    /// none. Empty: there are none that could.
    std::string several() const;
    /// Whether times on the chosen device rank kernels.
    bool ranking() const;
    /// Measured ceilings of the chosen device, once a comparison has read them.
    const std::optional<gpu::Limits>& limits() const { return m_limits; }
    void setLimits(const std::optional<gpu::Limits>& limits);

signals:
    void listChanged();
    /// The chosen device, or what is known of it.
    void changed();

private:
    /// Those named, where all of them are there.
    std::vector<std::string> found(const std::string& names) const;
    QString consequence() const;

    Activity& m_activity;
    gpu::DeviceList m_list;
    std::string m_id;
    std::vector<std::string> m_beside;
    gpu::HaloExchangeMode m_halos = gpu::HaloExchangeMode::overlapped;
    std::optional<gpu::Limits> m_limits;
    JobRunner m_jobs;
};

/// What is asked for, as a value: of which picture, which family with which values, by which rows, and where. Copies
/// share the picture.
struct Task {
    Document::State picture;
    const gpu::Family* family = nullptr;
    gpu::ParameterValues values;     ///< those that were chosen; absent ones are defaults
    std::vector<std::string> added;  ///< rows with tunables of their own, beside the family's variants
    std::map<std::string, std::shared_ptr<const gpu::UserKernel>> kernels;  ///< of the user's, by their rows' ids
    std::set<std::string> checked;
    std::string current, baseline;
    std::string chosen;  ///< the variant that the user named; empty: none
    std::string devices;
    gpu::HaloExchangeMode halos = gpu::HaloExchangeMode::overlapped;
    std::int64_t memoryCap = 0;

    bool samePicture(const Task& other) const;
    bool sameValues(const Task& other) const { return family == other.family && values == other.values; }
    bool sameValue(const Task& other, const std::string& id) const;
    /// Of the family's parameter of that role; true where it has none.
    bool sameValue(const Task& other, gpu::Parameter::Role role) const;
    bool sameRows(const Task& other) const { return family == other.family && added == other.added; }
    /// Whether what was found on the one's devices holds on the other's.
    bool sameDevices(const Task& other) const;
    /// Whether both have the same current variant, of the same family.
    bool sameCurrent(const Task& other) const { return family == other.family && current == other.current; }
    bool operator==(const Task& other) const;
};

/// The name of a picture that was painted here: no file has it.
inline constexpr const char* kPaintedMask = "painted mask";

/// What is asked for: a family and its parameters, the variants, the picture and the device. It knows no results.
class RequestState : public QObject {
    Q_OBJECT
public:
    RequestState(Document& document, ParameterState& parameters, VariantListModel& variants, DeviceChoice& devices,
                 QObject* parent = nullptr);

    Document& document() const { return m_document; }
    ParameterState& parameters() const { return m_parameters; }
    VariantListModel& variants() const { return m_variants; }
    DeviceChoice& devices() const { return m_devices; }

    /// All of it as it was told last.
    const Task& task() const { return m_task; }
    /// Makes several changes, which are told as one.
    void change(const std::function<void()>& changes);

    /// Takes up the family where it was left: its values, its checked variants, its current one and its baseline.
    void setFamily(const gpu::Family& family);
    /// The variant that live filtering, the source and saving are about.
    const std::string& current() const { return m_current; }
    const gpu::Variant* currentVariant() const { return m_variants.variant(m_current); }
    void setCurrent(const std::string& variant);
    /// The variant that the user named, or empty. Where it cannot take the present values another one is the current
    /// one, until it can.
    const std::string& chosen() const { return m_chosen; }
    /// Whether the user named the current variant; otherwise it follows what `auto` takes.
    bool currentChosen() const { return !m_chosen.empty() && m_chosen == m_current; }
    /// Whether the current variant is there in place of the one that the user named.
    bool standsIn() const { return !m_chosen.empty() && m_chosen != m_current; }
    /// Makes a variant the current one that the user did not name.
    void followChoice(const std::string& variant);
    const std::string& baseline() const { return m_baseline; }
    void setBaseline(const std::string& variant);

    /// Bytes that a run may allocate on the device; 0: whatever it has.
    std::int64_t memoryCap() const { return m_memoryCap; }
    void setMemoryCap(std::int64_t bytes);

    /// Whether live runs are for the picture alone, as in the workspace Picture; else for its variants.
    bool filtering() const { return m_filtering; }
    void setFiltering(bool filtering) { m_filtering = filtering; }

    /// Whether there is a picture, a family and a device.
    bool ready() const;
    /// What is asked for now, of some variants; `live`: once, unverified. A family and a picture are there.
    gpu::Request make(const std::vector<std::string>& variants, bool live) const;
    /// Asks for these variants instead, kernels of the user's among them.
    void choose(gpu::Request& request, const std::vector<std::string>& variants) const;
    /// Compares, or runs the recipe that the picture belongs to and the task behind it. Empty when no command says the
    /// same: the picture was computed otherwise, or a mask painted or a kernel written, and not saved yet.
    QString command() const;
    /// Whether several devices share what is iterated, so that they exchange halos.
    bool exchangesHalos() const;

signals:
    /// Something else is asked for; all of it is as `now` says when the first one hears of it.
    void taskChanged(const warplens::gui::Task& before, const warplens::gui::Task& now);

private:
    Task gather() const;
    void announce();

    Document& m_document;
    ParameterState& m_parameters;
    VariantListModel& m_variants;
    DeviceChoice& m_devices;

    /// What a family is left with and found with again.
    struct Left {
        std::string current, baseline, chosen;
    };
    std::string m_current, m_baseline, m_chosen;
    std::int64_t m_memoryCap = 0;
    Task m_task;
    bool m_changing = false, m_filtering = false;
    std::map<const gpu::Family*, Left> m_left;
};

}  // namespace warplens::gui
