// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <QObject>
#include <optional>
#include <string>

namespace warplens::gui {

class RequestState;

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

}  // namespace warplens::gui
