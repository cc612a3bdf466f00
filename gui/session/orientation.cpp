// SPDX-License-Identifier: Apache-2.0
#include "gui/session/orientation.hpp"

#include <QCoreApplication>
#include <QStringList>

namespace warplens::gui {

using gpu::Service;

Orientation Orientation::then(Service step) const {
    switch (step) {
        case Service::turnRight: return {flipped, (quarters + 1) % 4};
        case Service::turnLeft: return {flipped, (quarters + 3) % 4};
        // A flip turns the other way what was turned before it.
        case Service::flipHorizontally: return {!flipped, (4 - quarters) % 4};
        case Service::flipVertically: return {!flipped, (6 - quarters) % 4};
        default: break;
    }
    return *this;
}

Orientation Orientation::then(const Orientation& next) const {
    Orientation result = *this;
    for (const Service step : next.steps()) result = result.then(step);
    return result;
}

std::vector<Service> Orientation::steps() const {
    if (flipped && quarters == 2) return {Service::flipVertically};
    std::vector<Service> list;
    if (flipped) list.push_back(Service::flipHorizontally);
    if (quarters == 3) list.push_back(Service::turnLeft);
    for (int i = 0; i < quarters && quarters < 3; ++i) list.push_back(Service::turnRight);
    return list;
}

QString Orientation::words() const {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Orientation", text); };
    if (quarters == 2) return flipped ? tr("flipped vertically") : tr("turned by 180°");
    QStringList words;
    if (flipped) words << tr("flipped horizontally");
    if (quarters == 1) words << tr("turned right");
    if (quarters == 3) words << tr("turned left");
    return words.join(QStringLiteral(", "));
}

}  // namespace warplens::gui
