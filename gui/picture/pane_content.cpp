// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/pane_content.hpp"

#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <QStringList>

namespace warplens::gui {

PaneContent inputPane(std::shared_ptr<const io::Grid> picture, const QString& fileName) {
    PaneContent content;
    content.key = QStringLiteral("input");
    content.title = QCoreApplication::translate("Pane", "Input");
    content.detail = fileName;
    content.picture = std::move(picture);
    content.hint = QCoreApplication::translate("Pane", "reference");
    return content;
}

PaneContent resultPane(const gpu::RunRecord& record, const gpu::Variant& variant, bool baseline) {
    PaneContent content;
    content.key = QString::fromStdString(variant.id);
    content.title = QString::fromStdString(variant.title.empty() ? variant.id : variant.title);
    content.idea = variant.idea;
    content.state = stateOf(record);
    content.picture = record.result.picture;
    content.tables = record.result.tables;
    if (content.picture == nullptr) content.histogram = gpu::countsOf(content.tables);
    content.message = QString::fromStdString(record.reason);
    if (baseline) content.detail = QCoreApplication::translate("Pane", "baseline");
    if (record.time && content.state == ResultState::verified) {
        content.timeMs = record.time->medianMs;
        content.ranked = record.time->clock == gpu::Clock::device;
    }
    return content;
}

QString pixelText(const io::Grid& grid, std::int64_t x, std::int64_t y, std::int64_t slice) {
    const auto& shape = grid.shape();
    if (x < 0 || y < 0 || slice < 0 || x >= shape.width || y >= shape.height || slice >= shape.depth) return {};
    QStringList values;
    for (int c = 0; c < shape.channels; ++c) {
        const double value = grid.value(x, y, slice, c);
        values << (grid.type() == io::PixelType::f32 ? format::exact(static_cast<float>(value))
                                                     : format::integer(static_cast<std::int64_t>(value)));
    }
    // A comma inside a number and between numbers would read as one.
    return values.join(values.join(QString()).contains(u',') ? QStringLiteral("; ") : QStringLiteral(", "));
}

}  // namespace warplens::gui
