// SPDX-License-Identifier: Apache-2.0
// warplens_views_gallery FOLDER: draws the views into PNG files, both schemes, at 1x and 2x.
#include "gui/kit/marks.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/plot/time_bars.hpp"
#include "gui/kit/source_view.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/lenses/convolution/filter_matrix_view.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/range_bar.hpp"
#include "tests/gui/views/chart_samples.hpp"
#include "tests/gui/views/samples.hpp"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QThreadPool>
#include <cmath>
#include <cstdio>

using namespace warplens;
using namespace warplens::gui;

namespace {

constexpr const char* kSource = R"(// register_tiled: one thread computes eight
//   outputs of a column from registers.
template <int R, class T>
__global__ void register_tiled(
    View<const T> in, View<T> out, Border b)
{
    constexpr int N = 8;  // outputs a thread
    __shared__ float tile[64+2*R][32+2*R];

    load_tile<R>(tile, in, b);
    __syncthreads();

    float sum[N] = {};
    for (int dx = 0; dx <= 2*R; ++dx) {
        float column[N + 2*R];
        #pragma unroll
        for (int i = 0; i < N + 2*R; ++i)
            column[i] = tile[row+i][col+dx] * 0.5e-3f;
    }
    store<N>(out, sum);
}
)";

std::vector<float> gaussian(int side) {
    std::vector<float> w;
    double sum = 0;
    for (int i = 0; i < side * side; ++i) {
        const double x = i % side - side / 2, y = i / side - side / 2;
        w.push_back(static_cast<float>(std::exp(-(x * x + y * y) / (side * 0.5))));
        sum += w.back();
    }
    for (float& v : w) v = static_cast<float>(v / sum);
    return w;
}

/// Waits for work on other threads, so that the picture is the settled one.
void settle() {
    for (int i = 0; i < 5; ++i) {
        QCoreApplication::processEvents();
        QThreadPool::globalInstance()->waitForDone();
    }
    QCoreApplication::processEvents();
}

struct Bench {
    QString folder, suffix;
    double scale;
    bool good = true;

    void save(QWidget& widget, const QString& name) {
        widget.show();
        settle();
        QImage image((QSizeF(widget.size()) * scale).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        widget.render(&image);
        good = image.save(folder + u'/' + name + suffix + QStringLiteral(".png")) && good;
    }
};

std::vector<PaneContent> contents(gpu::Clock clock, io::PixelType type, int channels) {
    const auto& ladder = samples::ladder();
    const auto input = samples::scene(1600, 1000, type, channels);
    const auto output = samples::scene(1600, 1000, io::PixelType::f32, channels);
    PaneContent wrong = resultPane(samples::record(ladder[6], 0.216, clock, output), ladder[6], false);
    gpu::RunRecord failed = samples::record(ladder[5], 1, clock, nullptr);
    failed.status = gpu::Status::unsupported;
    failed.reason = "The tile needs 96 KiB of shared memory, and a block may have 48 KiB. Choose a smaller block.";
    return {inputPane(input, QStringLiteral("camera-8k.tif")),
            resultPane(samples::record(ladder[0], 0.569, clock, output), ladder[0], true), wrong,
            resultPane(failed, ladder[5], false)};
}

void comparePage(Bench& bench, bool gpu) {
    QWidget page;
    page.resize(1336, 940);
    auto* const column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* const strip = new QWidget;
    setLook(strip, "strip");
    strip->setFixedHeight(kStripHeight);
    auto* const tools = new QHBoxLayout(strip);
    tools->setContentsMargins(kDockMargin, 0, kDockMargin, 0);
    auto* const link = new QPushButton(QStringLiteral("Link"));
    link->setCheckable(true);
    link->setChecked(true);
    setLook(link, "flat");
    auto* const primary = new QPushButton(QStringLiteral("Compare 9 variants"));
    setLook(primary, "primary");
    auto* const range = new RangeBar;
    tools->addWidget(link);
    tools->addStretch();
    tools->addWidget(range);
    tools->addWidget(primary);
    auto* const notice = new NoticeBar;
    if (!gpu) {
        notice->setNotice(
            QStringLiteral("No NVIDIA driver found. Counts are exact; CPU times don't predict GPU speed, so <b>no "
                           "winner is shown</b>."));
        notice->setAction(QStringLiteral("Why?"), QStringLiteral("F1"));
    }
    auto* const grid = new PaneGrid;
    auto* const inspector = new InspectorStrip;
    inspector->setViewState(grid->viewState());
    range->setViewState(grid->viewState());
    const auto panes = contents(gpu ? gpu::Clock::device : gpu::Clock::simulated,
                                gpu ? io::PixelType::f32 : io::PixelType::u8, gpu ? 1 : 3);
    grid->setPanes(panes);
    grid->setCurrent(2);
    inspector->setPanes(panes);
    range->setInput(panes[0].picture);
    auto* const source = new SourceView;
    source->setSource(QStringLiteral("register_tiled.cuh"), QString::fromLatin1(kSource), gpu::Idea::registers);
    source->goToLine(13);
    source->setFixedWidth(384);
    auto* const middle = new QHBoxLayout;
    middle->setSpacing(1);
    auto* const left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(strip);
    left->addWidget(notice);
    left->addWidget(grid, 1);
    left->addWidget(inspector);
    middle->addLayout(left, 1);
    middle->addWidget(source);
    column->addLayout(middle, 1);

    auto* const chart = new TimeBars;
    chart->setFixedHeight(kHeadHeight + 11 * kRowHeight);
    if (gpu) {
        chart->setBars(samples::bars());
        chart->setLimit(0.126, QStringLiteral("input once + output once at copy speed"));
        chart->setSelectedRow(1);
    } else {
        std::vector<TimeBar> bars;
        double ms = 5;
        for (const auto& v : samples::ladder())
            bars.push_back({QString::fromStdString(v.id), v.idea, ms += 3.1, ms - 0.4, ms + 0.5, {}});
        chart->setBars(bars);
        chart->setSelectedRow(4);
        chart->setRanking(false, QStringLiteral("CPU (SIMT) time in ms: ranks nothing"));
    }
    auto* const lower = new QHBoxLayout;
    lower->addStretch();
    chart->setFixedWidth(384);
    lower->addWidget(chart);
    column->addLayout(lower);
    auto* const legend = new OriginLegend;
    column->addWidget(legend, 0, Qt::AlignRight);
    page.show();
    settle();
    if (gpu) {
        grid->viewState()->setZoom(2, QPointF(640, 500));
        grid->viewState()->setCursor(QPoint(655, 480));
    }
    bench.save(page, gpu ? QStringLiteral("compare") : QStringLiteral("no-gpu"));
}

void partsPage(Bench& bench) {
    QWidget page;
    page.resize(720, 560);
    auto* const column = new QVBoxLayout(&page);
    auto* const matrices = new QHBoxLayout;
    auto* const five = new FilterMatrixView;
    five->setMatrix(5, 5, gaussian(5));
    auto* const laplacian = new FilterMatrixView;
    laplacian->setMatrix(3, 3, {-1, -1, -1, -1, 8, -1, -1, -1, -1});
    auto* const large = new FilterMatrixView;
    large->setMatrix(63, 63, gaussian(63));
    for (auto* m : {five, laplacian, large}) matrices->addWidget(m, 0, Qt::AlignTop);
    column->addLayout(matrices);

    auto* const shapes = new QHBoxLayout;
    for (const auto& v : samples::ladder()) {
        auto* const mark = new IdeaMark;
        mark->setIdea(v.idea);
        shapes->addWidget(mark);
        shapes->addWidget(new QLabel(QString::fromStdString(v.id).left(6)));
    }
    column->addLayout(shapes);
    auto* const states = new QHBoxLayout;
    for (const auto state : {ResultState::verified, ResultState::unverified, ResultState::wrong,
                             ResultState::unsupported, ResultState::failed}) {
        auto* const mark = new StatusMark;
        mark->setState(state);
        states->addWidget(mark);
        states->addWidget(new QLabel(stateName(state)));
    }
    column->addLayout(states);
    column->addWidget(new OriginLegend);
    auto* const folded = new OriginLegend;
    folded->setFolded(true);
    column->addWidget(folded, 0, Qt::AlignLeft);
    auto* const controls = new QHBoxLayout;
    auto* const slider = new QSlider(Qt::Horizontal);
    slider->setValue(20);
    auto* const spin = new QSpinBox;
    spin->setValue(2);
    auto* const combo = new QComboBox;
    combo->addItems({QStringLiteral("gaussian"), QStringLiteral("box")});
    auto* const check = new QCheckBox(QStringLiteral("naive"));
    check->setChecked(true);
    auto* const off = new QCheckBox(QStringLiteral("off"));
    for (QWidget* w :
         std::initializer_list<QWidget*>{slider, spin, combo, check, off, new QPushButton(QStringLiteral("Button"))})
        controls->addWidget(w);
    column->addLayout(controls);
    page.show();
    spin->setFocus(Qt::TabFocusReason);
    bench.save(page, QStringLiteral("parts"));
}

/// Each chart as large as it likes to be, and as small as it may be.
void chartPages(Bench& bench) {
    for (const auto& [name, widget] : samples::charts()) {
        setLook(widget.get(), "dock");
        widget->resize(widget->sizeHint());
        bench.save(*widget, QStringLiteral("chart-") + name);
        widget->resize(widget->minimumSizeHint().expandedTo({200, 60}));
        bench.save(*widget, QStringLiteral("chart-") + name + QStringLiteral("-small"));
    }
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: warplens_views_gallery FOLDER\n");
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[1]);
    QDir().mkpath(folder);
    Theme::install(application, SchemeChoice::dark);
    bool good = true;
    for (const auto choice : {SchemeChoice::dark, SchemeChoice::light}) {
        Theme::apply(choice);
        for (const double scale : {1.0, 2.0}) {
            Bench bench{folder,
                        QStringLiteral("-%1-%2x")
                            .arg(choice == SchemeChoice::dark ? QStringLiteral("dark") : QStringLiteral("light"))
                            .arg(scale),
                        scale};
            comparePage(bench, true);
            comparePage(bench, false);
            partsPage(bench);
            if (scale == 1) chartPages(bench);
            good = good && bench.good;
        }
    }
    setProjectorMetrics(kProjectorType);
    Bench bench{folder, QStringLiteral("-projector"), 1};
    chartPages(bench);
    return good && bench.good ? 0 : 1;
}
