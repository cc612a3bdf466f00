// SPDX-License-Identifier: Apache-2.0
// The film of a block, on the page Why: made by one that stands in for the trace.
#include "gpu/run/user_kernel.hpp"
#include "gui/film/film_clock.hpp"
#include "gui/film/film_overview.hpp"
#include "gui/kit/source_view.hpp"
#include "tests/gui/window/why_page_fixture.hpp"

#include <QtEndian>
#include <atomic>

namespace warplens::gui::test {
namespace {

/// One that is only asked for its name and its text.
class NamedKernel final : public gpu::UserKernel {
public:
    NamedKernel(const std::string& path, std::string text) : m_text(std::move(text)) {
        m_variant.id = m_variant.title = "mine";
        m_variant.source = path;
    }
    const gpu::Variant& variant() const override { return m_variant; }
    const std::string& source() const override { return m_text; }
    void run(const gpu::UserKernelTask&, gpu::RunRecord&, const std::stop_token&) const override {}
    void count(const gpu::UserKernelTask&, std::int64_t, gpu::RunRecord&, const std::stop_token&) const override {}
    void film(const gpu::UserKernelTask&, const gpu::RunRecord&, const gpu::FilmQuery&, gpu::Film&,
              const std::stop_token&) const override {}

private:
    gpu::Variant m_variant;
    std::string m_text;
};

class FilmPartTest : public WhyPageTest {
protected:
    /// Two warps, each of which reads 32 pixels of the row of its number and fills as many cells; one barrier; each
    /// then reads them, and stores the pixels.
    gpu::Film made(const gpu::Request& request, const gpu::FilmQuery& query) {
        ++m_made;
        m_query = query;
        const io::Shape& shape = request.input->shape();
        const bool own = !request.kernels.empty();
        const std::string source =
            own ? "mine.cuh" : gpu::variantOf(gpu::familyOf(request.family), request.variants.front()).source;
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
        // Of another variant the values are not stored.
        const int numbers = own || request.variants.front() == "tiled_output" ? 4 : 3;
        for (int number = 0; number < numbers; ++number) {
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
        page().filmPanel().setMaker([this](const gpu::Request& request, const gpu::FilmQuery& query, std::stop_token) {
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
    EXPECT_FALSE(page().filmPanel().clock().playing());
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

TEST_F(FilmPartTest, OfAKernelOfTheUsers) {
    show();
    auto& variants = session().request().variants();
    variants.setMaker([](const std::string& path, const std::string& text) {
        return std::make_shared<const NamedKernel>(path, text);
    });
    const std::string text = std::string(23, '\n') + "    sum += tile[threadIdx.x];\n";
    session().request().setCurrent(variants.addKernel("/a/folder/mine.cuh", text, true));
    ASSERT_TRUE(QTest::qWaitFor([this] { return film().own() && film().film() != nullptr; }, kPatienceMs));
    EXPECT_EQ(sentence(), "Warp 0 reads 32 pixels.");
    film().goTo(4);
    EXPECT_EQ(film().line(), 24);
    EXPECT_TRUE(find<SourceView>("film-code")->text().contains("sum += tile"));
    // Where its blocks lie is told by its launch.
    EXPECT_FALSE(find<FilmOverview>("film-overview")->block().isEmpty());
    const int made = m_made;
    session().request().setCurrent(variants.addKernel("/a/folder/mine.cuh", text + "// changed", true));
    EXPECT_TRUE(QTest::qWaitFor([&] { return m_made > made; }, kPatienceMs)) << "another text is another kernel";
}

TEST_F(FilmPartTest, TwoVariantsShareOneTime) {
    show();
    FilmModel& other = page().filmPanel().second();
    FilmClock& clock = page().filmPanel().clock();
    press(Qt::Key_2);
    ASSERT_TRUE(clock.both());
    ASSERT_TRUE(QTest::qWaitFor([&] { return other.steps() == 6 && film().steps() == 8; }, kPatienceMs));
    EXPECT_TRUE(m_query.pixel.has_value()) << "the block of the same place";
    EXPECT_EQ(clock.moments(), 8);
    EXPECT_EQ(clock.columns(), 4);
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    EXPECT_EQ(film().at(), 2);
    EXPECT_EQ(other.at(), 2);
    other.goTo(5);
    EXPECT_EQ(film().at(), 5) << "either moves the other";
    EXPECT_FALSE(other.over());
    press(Qt::Key_Right);
    EXPECT_EQ(film().at(), 6);
    EXPECT_EQ(other.at(), 5);
    EXPECT_TRUE(other.over());
    EXPECT_TRUE(find<QLabel>("film-where")->text().endsWith("is done"))
        << find<QLabel>("film-where")->text().toStdString();
    EXPECT_TRUE(find<QLabel>("film-title-2")->text().endsWith("done after 6 steps"));
    EXPECT_TRUE(find<QWidget>("film-lanes-2")->isVisible());
    press(Qt::Key_2);
    EXPECT_FALSE(find<QWidget>("film-lanes-2")->isVisible());
    EXPECT_FALSE(other.over());
}

TEST_F(FilmPartTest, TheOverviewChoosesAnotherBlock) {
    show();
    auto* overview = find<FilmOverview>("film-overview");
    // Column 1 of blocks that write 32 x 8, row 2.
    EXPECT_TRUE(overview->block().contains(QPointF(48, 20))) << overview->block().x() << ' ' << overview->block().y();
    EXPECT_FALSE(overview->block().contains(QPointF(16, 20)));
    QTest::mouseClick(overview, Qt::LeftButton, {}, {2, 2});
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_made == 2 && !film().busy(); }, kPatienceMs));
    EXPECT_LT((*m_query.pixel)[0], 8);
    EXPECT_LT((*m_query.pixel)[1], 8);
}

/// Types of the chunks of a PNG with their lengths.
std::vector<std::pair<QByteArray, quint32>> chunksOf(const QByteArray& png) {
    std::vector<std::pair<QByteArray, quint32>> chunks;
    for (qsizetype at = 8; at + 12 <= png.size();) {
        const auto length = qFromBigEndian<quint32>(png.constData() + at);
        chunks.emplace_back(png.mid(at + 4, 4), length);
        at += 12 + static_cast<qsizetype>(length);
    }
    return chunks;
}

TEST_F(FilmPartTest, IsSavedAsAnAnimationAndAsFrames) {
    show();
    QTemporaryDir saved;
    const auto save = [&](bool frames, const QString& name, const QString& said) {
        page().filmPanel().saveFilm(frames);
        auto* dialog = window->findChild<QFileDialog*>("film-export-dialog");
        ASSERT_NE(dialog, nullptr);
        emit dialog->fileSelected(saved.filePath(name));
        dialog->close();
        ASSERT_TRUE(QTest::qWaitFor([&] { return find<QLabel>("film-where")->text() == said; }, kPatienceMs));
    };
    save(false, "film.png", "Saved 8 steps to film.png");
    QFile file(saved.filePath("film.png"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const auto chunks = chunksOf(file.readAll());
    EXPECT_EQ(chunks[1].first, "acTL");
    EXPECT_EQ(std::ranges::count(chunks, QByteArray("fcTL"), &std::pair<QByteArray, quint32>::first), 8);
    EXPECT_EQ(chunks.back().first, "IEND");
    const QImage first(saved.filePath("film.png"));
    save(true, "step.png", "Saved 8 pictures");
    EXPECT_EQ(QDir(saved.path()).entryList({"step-*.png"}).size(), 8);
    EXPECT_EQ(QImage(saved.filePath("step-0001.png")).convertToFormat(QImage::Format_RGB888),
              first.convertToFormat(QImage::Format_RGB888));
    EXPECT_NE(QImage(saved.filePath("step-0008.png")), QImage(saved.filePath("step-0001.png")));
}

TEST_F(FilmPartTest, SaysWhyThereIsNone) {
    show();
    session().request().setCurrent("opencv");
    EXPECT_TRUE(QTest::qWaitFor([this] { return sentence().contains("cannot be filmed"); }, kPatienceMs));
    EXPECT_EQ(film().step(), nullptr);
}

}  // namespace
}  // namespace warplens::gui::test
