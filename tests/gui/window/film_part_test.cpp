// SPDX-License-Identifier: Apache-2.0
// The film of a block, on the page Why: made by one that stands in for the trace.
#include "tests/gui/window/why_page_fixture.hpp"

#include <atomic>

namespace warplens::gui::test {
namespace {

class FilmPartTest : public WhyPageTest {
protected:
    /// Two warps, each of which reads 32 pixels of the row of its number and fills as many cells; one barrier; each
    /// then reads them, and stores the pixels.
    gpu::Film made(const gpu::Request& request, const gpu::FilmQuery& query) {
        ++m_made;
        m_query = query;
        const io::Shape& shape = request.input->shape();
        const std::string source = gpu::variantOf(gpu::familyOf(request.family), request.variants.front()).source;
        const auto site = [&](gpu::Space space, gpu::Operation operation, int line) {
            return gpu::WarpSite{.space = space,
                                 .operation = operation,
                                 .bytes = 4,
                                 .file = source,
                                 .line = line,
                                 .stack = {source + ":" + std::to_string(line)}};
        };
        gpu::Film film{.kernel = "kernel",
                       .grid = {2, 6, 1},
                       .block = {32, 2, 1},
                       .index = {1, 2, 0},
                       .extent = {shape.width, shape.height, shape.depth},
                       .sites = {site(gpu::Space::global, gpu::Operation::load, 20),
                                 site(gpu::Space::shared, gpu::Operation::store, 21),
                                 site(gpu::Space::shared, gpu::Operation::load, 24),
                                 site(gpu::Space::global, gpu::Operation::store, 25)},
                       .buffers = {{.bytes = shape.values() * 4, .valueBytes = 4}},
                       .arrays = {{.name = "tile", .bytes = 256, .valueBytes = 4}},
                       .barriers = {{.file = source, .line = 22}}};
        for (int number = 0; number < 4; ++number) {
            for (int warp = 0; warp < 2; ++warp) {
                gpu::FilmStep step{.warp = warp, .epoch = number / 2, .round = number % 2};
                const bool shared = number == 1 || number == 2;
                step.array = shared ? 0 : -1;
                step.request = {.site = number, .buffer = shared ? -1 : 0, .mask = 0xffffffffU};
                for (std::size_t lane = 0; lane < 32; ++lane) {
                    const auto at = static_cast<std::int64_t>(lane);
                    step.request.offset[lane] = 4 * (shared ? warp * 32 + at : (10 + warp) * shape.width + 32 + at);
                    if (number == 1 || number == 3) step.values.push_back(0);
                }
                step.request.count = {.requests = 1, .lanes = 32, .sectors = 4, .usefulBytes = 128, .wavefronts = 1};
                film.steps.push_back(step);
            }
        }
        return film;
    }
    void show() {
        WhyPageTest::show();
        page().film().setMaker([this](const gpu::Request& request, const gpu::FilmQuery& query, std::stop_token) {
            return made(request, query);
        });
        session().request().setCurrent("tiled_output");
        ASSERT_TRUE(settled());
        QTest::keyClick(window.get(), Qt::Key_M);
        ASSERT_EQ(page().part(), WhyPage::Part::film);
        ASSERT_TRUE(QTest::qWaitFor([this] { return page().film().film() != nullptr; }, kPatienceMs));
    }
    FilmModel& film() { return page().film(); }
    QWidget* panel() { return find<QWidget>("film-lanes")->parentWidget(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(panel(), key, modifiers); }
    QString sentence() { return find<QLabel>("film-sentence")->text(); }

    std::atomic<int> m_made{0};
    gpu::FilmQuery m_query;
};

TEST_F(FilmPartTest, IsSteppedThroughByKeys) {
    show();
    EXPECT_EQ(m_query.kernel, "kernel") << "the one that was counted";
    EXPECT_EQ(film().at(), 0);
    EXPECT_EQ(sentence(), "Warp 0 reads 32 pixels.");
    EXPECT_EQ(find<QLabel>("film-where")->text(), "Step 1 of 8  load, warp 0, global load");
    EXPECT_EQ(film().line(), 20);
    press(Qt::Key_Right);
    EXPECT_EQ(sentence(), "Warp 1 reads 32 pixels.");
    press(Qt::Key_Right);
    EXPECT_EQ(sentence(), "Warp 0 fills 32 cells of tile.");
    EXPECT_EQ(film().line(), 21);
    EXPECT_TRUE(film().state().cells(0)[31].filled);
    EXPECT_FALSE(film().state().cells(0)[32].filled);
    EXPECT_EQ(film().state().cells(0)[5].pixel, 10 * 64 + 37);
    press(Qt::Key_Down);
    EXPECT_EQ(film().step()->warp, 1);
    press(Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(film().at(), 4) << "the next phase";
    press(Qt::Key_End);
    EXPECT_EQ(film().at(), 7);
    press(Qt::Key_Left, Qt::ShiftModifier);
    EXPECT_EQ(film().at(), 6) << "the first step of this one";
    press(Qt::Key_Home);
    EXPECT_EQ(film().at(), 0);
    press(Qt::Key_Space);
    EXPECT_TRUE(QTest::qWaitFor([this] { return film().at() > 0; }, kPatienceMs));
    press(Qt::Key_Space);
    EXPECT_FALSE(film().playing());
}

TEST_F(FilmPartTest, ByTheMouse) {
    show();
    auto* lanes = find<QWidget>("film-lanes");
    QTest::mouseClick(lanes, Qt::LeftButton, {}, {lanes->width() - 20, 10});
    EXPECT_EQ(film().at(), 6) << "the phase's first step";
    QTest::mouseClick(find<QPushButton>("film-first"), Qt::LeftButton);
    EXPECT_EQ(film().at(), 0);
    // A pixel of the block goes to the step that touches it, another one to its block.
    auto* picture = find<ImageView>("film-picture");
    QTest::mouseClick(picture, Qt::LeftButton, {}, picture->toWidget(QPointF(40.5, 11.5)).toPoint());
    EXPECT_EQ(film().at(), 1);
    EXPECT_EQ(m_made, 1);
    film().pick(3, 40, 0);
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_made == 2 && !film().busy(); }, kPatienceMs));
    EXPECT_EQ(m_query.pixel, (std::array<std::int64_t, 3>{3, 40, 0}));
}

TEST_F(FilmPartTest, SaysWhyThereIsNone) {
    show();
    session().request().setCurrent("opencv");
    EXPECT_TRUE(QTest::qWaitFor([this] { return sentence().contains("cannot be filmed"); }, kPatienceMs));
    EXPECT_EQ(film().step(), nullptr);
}

}  // namespace
}  // namespace warplens::gui::test
