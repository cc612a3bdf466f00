// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "gpu/device/device_info.hpp"

#include <QString>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace warplens::gui {

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

}  // namespace warplens::gui
