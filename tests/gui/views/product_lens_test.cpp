// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gui/lenses/product/product_tiles.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/lens.hpp"
#include "io/generate.hpp"

#include <QLabel>
#include <QSpinBox>
#include <QTest>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace warplens::gui {
namespace {

const gpu::Family& product() { return gpu::familyOf("product"); }

ProductTiles tilesOf(const io::Grid& picture, const std::string& id, const gpu::ParameterValues& values = {}) {
    const auto [row, chosen] = gpu::parseRunSpec(product(), id);
    const auto tiles = productTiles(picture, values, *row, gpu::resolve(*row, chosen));
    EXPECT_TRUE(tiles) << id;
    return tiles.value_or(ProductTiles());
}

// Whatever the variant: the blocks cover C once, and the slices of one of them its rows of A and its columns of B once.
TEST(ProductTiles, CoverAllThatIsNeededOnce) {
    const io::Grid picture = io::generate("gen:noise:150x140:f32");
    int staging = 0;
    for (const gpu::Variant& variant : product().variants()) {
        const auto tiles = productTiles(picture, {}, variant, gpu::resolve(variant, {}));
        if (!tiles) continue;
        staging += tiles->staged();
        EXPECT_EQ(tiles->columns, 140) << "its own transpose";
        std::vector<int> made(static_cast<std::size_t>(tiles->rows * tiles->columns));
        for (int y = 0; y < tiles->down(); ++y)
            for (int x = 0; x < tiles->across(); ++x) {
                const QRect outputs = tiles->outputs({x, y});
                EXPECT_EQ(tiles->blockOf(outputs.center()), QPoint(x, y)) << variant.id;
                for (int row = outputs.top(); row <= outputs.bottom(); ++row)
                    for (int column = outputs.left(); column <= outputs.right(); ++column)
                        ++made[static_cast<std::size_t>(row * tiles->columns + column)];
            }
        EXPECT_EQ(std::ranges::count(made, 1), tiles->rows * tiles->columns) << variant.id;
        int deep = 0;
        for (int slice = 0; slice < tiles->slices(); ++slice) {
            const QRect a = tiles->ofA({0, 0}, slice), b = tiles->ofB({0, 0}, slice);
            EXPECT_EQ(a.left(), deep) << variant.id;
            EXPECT_EQ(b.top(), deep) << variant.id;
            EXPECT_EQ(a.width(), b.height()) << variant.id << ": terms of the same sums";
            deep += a.width();
        }
        EXPECT_EQ(deep, tiles->inner) << variant.id;
        const gpu::Idea idea = variant.idea;
        const bool plain = idea == gpu::Idea::plain || idea == gpu::Idea::cache || idea == gpu::Idea::loss ||
                           idea == gpu::Idea::registersAlone;
        EXPECT_EQ(tiles->staged(), !plain) << variant.id;
    }
    EXPECT_GE(staging, 9);
}

TEST(ProductTiles, AValueIsReadOnceABlockThatNeedsIt) {
    const io::Grid picture = io::generate("gen:noise:256x512:f32");
    EXPECT_EQ(tilesOf(picture, "coalesced").readsOfA(), 512);
    EXPECT_EQ(tilesOf(picture, "tiled").readsOfA(), 16);
    const ProductTiles coarse = tilesOf(picture, "coarsened");
    EXPECT_EQ(coarse.readsOfA(), 4) << "four tiles beside one another share it";
    EXPECT_EQ(coarse.readsOfB(), 16);
    EXPECT_EQ(tilesOf(picture, "double_buffered@outputs_per_thread=128").readsOfB(), 2);
    EXPECT_EQ(tilesOf(picture, "tiled", {{"task", std::string("dct")}, {"keep", std::int64_t{25}}}).columns, 64);
}

TEST(ProductTilesPanel, StepsThroughTheSlicesOfTheBlockOfAPixel) {
    CompareSession session;
    const std::unique_ptr<QWidget> owned{lensOf(product()).formParts(session.request(), {}, nullptr).front().widget};
    QWidget& panel = *owned;
    EXPECT_TRUE(panel.isHidden());
    OpenedPicture picture;
    picture.grid = std::make_shared<const io::Grid>(io::generate("gen:noise:256x512:f32"));
    session.document().set(QStringLiteral("test"), picture);
    session.request().setFamily(product());
    session.request().setCurrent("tiled");
    EXPECT_FALSE(panel.isHidden());
    panel.resize(300, 420);
    panel.show();
    const auto text = [&](const char* name) {
        return panel.findChild<QLabel*>(QString::fromLatin1(name))->text().toStdString();
    };
    auto* slice = panel.findChild<QSpinBox*>(QStringLiteral("product-slice"));
    auto* view = panel.findChild<QWidget*>(QStringLiteral("product-tiles"));
    EXPECT_EQ(slice->maximum(), 8);
    EXPECT_EQ(text("product-block"), "Block 8, 8 makes 32 × 32 outputs");
    EXPECT_EQ(text("product-staged"), "Staged in shared memory: 32 × 32 of A and 32 × 32 of B.");
    EXPECT_EQ(text("product-reads"),
              "A value of A is read 16 times, one of B 16 times; without tiles 512 times and 512 times.");
    const QImage first = view->grab().toImage();
    QTest::keyClick(view, Qt::Key_Right);
    EXPECT_EQ(slice->value(), 2);
    EXPECT_NE(view->grab().toImage(), first);
    QTest::keyClick(view, Qt::Key_Home);
    EXPECT_EQ(view->grab().toImage(), first);
    QTest::mouseClick(view, Qt::LeftButton, {}, {92, 120});  // in C, a tenth down
    EXPECT_EQ(text("product-block"), "Block 0, 1 makes 32 × 32 outputs");
    session.request().setCurrent("coalesced");
    EXPECT_TRUE(slice->isHidden());
    EXPECT_TRUE(QString::fromStdString(text("product-staged")).startsWith("Nothing is staged"));
    session.parameters().set("task", std::string("colours"));
    EXPECT_TRUE(panel.isHidden()) << "no product of two matrices";
}

}  // namespace
}  // namespace warplens::gui
