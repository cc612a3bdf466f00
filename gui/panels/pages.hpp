// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

class QWidget;

namespace warplens::gui {

class CompareSession;
class Page;

/// Every page of the window, in the order of the header. The first is shown at start and takes every family.
std::vector<Page*> makePages(CompareSession& session, QWidget* parent);

}  // namespace warplens::gui
