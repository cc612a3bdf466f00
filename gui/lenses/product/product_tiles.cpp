// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/product/product_tiles.hpp"

#include "gpu/families/product/problem.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

int parts(int of, int size) { return (of + size - 1) / size; }

/// Columns of the right factor; 0: it does not fit, or the task is no product.
int columnsOf(const io::Grid& picture, const gpu::ParameterValues& values) {
    namespace product = gpu::product;
    const auto& list = product::parameters().list();
    const io::Shape& s = picture.shape();
    const std::string& task = gpu::textOf(list, values, "task");
    if (task == "dct") return static_cast<int>((gpu::integerOf(list, values, "keep") * s.width + 99) / 100);
    if (task != "product") return 0;
    const auto with = gpu::pictureOf(list, values, "with");
    if (with == nullptr || with->grid == nullptr) return static_cast<int>(s.height);
    const io::Shape& factor = with->grid->shape();
    return factor.height == s.width ? static_cast<int>(factor.width) : 0;
}

}  // namespace

int ProductTiles::slices() const { return staged() ? parts(inner, depth) : 1; }
int ProductTiles::across() const { return parts(columns, tileWidth); }
int ProductTiles::down() const { return parts(rows, tileHeight); }

QPoint ProductTiles::blockOf(QPoint output) const {
    return {std::clamp(output.x(), 0, columns - 1) / tileWidth, std::clamp(output.y(), 0, rows - 1) / tileHeight};
}

QRect ProductTiles::outputs(QPoint block) const {
    return QRect(block.x() * tileWidth, block.y() * tileHeight, tileWidth, tileHeight) & QRect(0, 0, columns, rows);
}

QRect ProductTiles::ofA(QPoint block, std::optional<int> slice) const {
    const QRect made = outputs(block), band(0, made.y(), inner, made.height());
    return slice && staged() ? band & QRect(*slice * depth, made.y(), depth, made.height()) : band;
}

QRect ProductTiles::ofB(QPoint block, std::optional<int> slice) const {
    const QRect made = outputs(block), band(made.x(), 0, made.width(), inner);
    return slice && staged() ? band & QRect(made.x(), *slice * depth, made.width(), depth) : band;
}

std::optional<ProductTiles> productTiles(const io::Grid& picture, const gpu::ParameterValues& values,
                                         const gpu::Variant& variant, const gpu::TunableValues& tunables) {
    namespace product = gpu::product;
    if (variant.kind != gpu::Variant::Kind::kernel) return std::nullopt;
    const product::KernelEntry& entry = product::ladder().anyBuildOf(variant);
    const int columns = columnsOf(picture, values);
    if (entry.multiply == nullptr || columns <= 0) return std::nullopt;
    const gpu::Footprint tile = entry.footprint({}, tunables);
    return ProductTiles{.rows = static_cast<int>(picture.shape().height),
                        .inner = static_cast<int>(picture.shape().width),
                        .columns = columns,
                        .tileWidth = std::max(1, tile.tileWidth),
                        .tileHeight = std::max(1, tile.tileHeight),
                        .depth = tile.stagedDepth};
}

}  // namespace warplens::gui
