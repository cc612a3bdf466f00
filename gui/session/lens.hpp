// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/parameter.hpp"
#include "gpu/device/device_info.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/picture/overlays.hpp"
#include "gui/session/input_files.hpp"

#include <QKeySequence>
#include <QString>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gui {

class CompareSession;
class Page;
class VolumeState;

/// A value where there is room for few digits: whole ones whole, 0.498 with two digits ".50".
inline QString slotText(double value, int digits) {
    constexpr double kWidest = 1e6;
    if (value == std::floor(value) && std::abs(value) < kWidest) return QString::number(std::llround(value));
    QString text = format::significant(value, digits);
    if (text.startsWith(QLatin1String("0."))) text.remove(0, 1);
    return text;
}

/// A form part of a lens that shows what happens at the pixel under the cursor.
class PixelFollower {
public:
    PixelFollower() = default;
    PixelFollower(const PixelFollower&) = delete;
    PixelFollower& operator=(const PixelFollower&) = delete;
    virtual ~PixelFollower() = default;
    /// From here on the pixel is that of this view; null: of none, the last one stays.
    virtual void follow(ViewState* view) = 0;
};

/// What a kernel does to each pixel of its input, as a picture, and how that is said.
struct PixelMap {
    QString name;     ///< "Reads"
    QString detail;   ///< "%1, global memory", of a variant
    QString waiting;  ///< "counting how often each pixel is read"
    QString legend;   ///< "reads of a pixel"
    QString atPixel;  ///< "read %1 times"

    struct Counted {
        std::shared_ptr<const io::Grid> map;  ///< null: there is none
        std::string reason;                   ///< why there is none
    };
    /// Work for a JobRunner, as the variant is launched on the device; throws gpu::Error. Empty: the trace counts
    /// loads.
    std::function<Counted(const std::shared_ptr<const io::Grid>& input, const gpu::ParameterValues& values,
                          const std::string& variant, const gpu::DeviceInfo& device, const std::stop_token& stop)>
        count{};
};

/// What only one family shows in the window. Nothing of it is needed: a family without a lens has its form, its results
/// and all pages that take it.
class Lens {
public:
    Lens() = default;
    Lens(const Lens&) = delete;
    Lens& operator=(const Lens&) = delete;
    virtual ~Lens() = default;

    /// A widget right below a parameter's row of the form. It hides itself where it says nothing.
    struct FormPart {
        std::string parameter;
        QWidget* widget;
    };
    /// Called with what was not taken, and why.
    using Refuse = std::function<void(const QString& why)>;
    virtual std::vector<FormPart> formParts(RequestState&, const Refuse&, QWidget*) const { return {}; }
    /// Those that a value is changed with, which stand also where nobody asks how the family works.
    virtual std::vector<FormPart> editors(RequestState&, const Refuse&, QWidget*) const { return {}; }

    /// A file that holds values of parameters, opened from the File menu.
    struct ValuesFile {
        const char* action;  ///< its object name
        QString text, title;
        QKeySequence key;
        QStringList filters;
        ReadValues read;
    };
    virtual std::vector<ValuesFile> valuesFiles() const { return {}; }

    /// A command that makes another picture of the one that is open.
    struct PictureCommand {
        const char* action;  ///< its object name
        QString text;
        QString done;                   ///< what the picture is then: "equalised"
        gpu::ParameterValues values{};  ///< what is asked of the family
        bool ofVolumes = false;         ///< only there is something to do
        /// Instead of the family's kernels.
        std::function<io::Grid(const io::Grid& picture)> work{};
    };
    virtual std::vector<PictureCommand> pictureCommands() const { return {}; }
    /// What of an integral picture is read for the pixel under the cursor; nothing: no box is drawn. `result` is what
    /// the family made, or null.
    virtual std::optional<BoxReads> boxReads(const gpu::ParameterValues& values, const io::Grid& input,
                                             const io::Grid* result, QPoint pixel, std::int64_t slice) const;

    /// What lies over a view of the picture or of a result on the Compare page, and shows itself when there is need of
    /// it; the view owns it. Null: nothing.
    virtual QWidget* makeLayer(RequestState&, ImageView&) const { return nullptr; }

    /// A page of its own; null: none. `display` is what the pages that show the picture share: range, colours, slice.
    virtual Page* makePage(CompareSession&, ViewState& /*display*/, QWidget*) const { return nullptr; }
    /// What the Why page shows in place of the reads of each pixel; null: those.
    virtual const PixelMap* pixelMap() const { return nullptr; }
    /// Cells that one step of a cell reads, where that is a pattern along the axes: 3, 5, 7 or 27; 0: the whole halo.
    virtual int taps(const RequestState&) const { return 0; }
    /// Adds commands that act at the crosshair to the Volume page.
    virtual void addVolumeActions(RequestState&, Activity&, VolumeState&, Page&) const {}
};

/// Of a family that has none, one that shows nothing.
const Lens& lensOf(const gpu::Family& family);

/// Stands at the end of gui/lenses/NAME/lens.cpp: what the family NAME shows.
#define WARPLENS_LENS_OF(name, Class) \
    namespace lenses {                \
    const Lens& name() {              \
        static const Class lens;      \
        return lens;                  \
    }                                 \
    }

}  // namespace warplens::gui
