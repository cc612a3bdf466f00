// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/run_key.hpp"

#include <QString>
#include <vector>

class QWidget;

namespace warplens::gui {

class RequestState;

/// Runs of one variant that a book sets beside each other.
struct LaunchExperiment {
    QString title;  ///< "Blocks 8 × 8 to 32 × 32"
    std::vector<gpu::RunKey> rows;
};
/// Square blocks, and one to sixteen outputs a thread, as far as the variant takes them.
std::vector<LaunchExperiment> experimentsOf(const gpu::Variant& variant);

/// A button whose menu puts the rows of an experiment with the current variant beside it, or takes all added rows away.
QWidget* makeExperiments(RequestState& request, QWidget* parent);

}  // namespace warplens::gui
