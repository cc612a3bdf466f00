// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/views/samples.hpp"

#include <cmath>

namespace warplens::gui::samples {

std::shared_ptr<const io::Grid> scene(int width, int height, io::PixelType type, int channels) {
    auto grid = std::make_shared<io::Grid>(io::Shape{width, height, 1, channels}, type);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double u = static_cast<double>(x) / width, v = static_cast<double>(y) / height;
            const double disc = std::exp(-40 * ((u - 0.4) * (u - 0.4) + (v - 0.5) * (v - 0.5)));
            const double stripes = 0.5 + 0.5 * std::sin(60 * (u + 0.3 * v) * (0.2 + v));
            for (int c = 0; c < channels; ++c) {
                const double level =
                    c == 3 ? 1 : 0.15 + 0.55 * disc * (1 - 0.25 * c) + 0.3 * stripes * (1 - 0.3 * c) * u;
                double value = 255 * level;
                if (type == io::PixelType::u16) value *= 257;
                grid->setValue(x, y, 0, c, type == io::PixelType::f32 ? value : std::floor(value));
            }
        }
    }
    return grid;
}

const std::vector<gpu::Variant>& ladder() {
    static const std::vector<gpu::Variant> variants = [] {
        using gpu::Idea;
        std::vector<gpu::Variant> made;
        const auto add = [&](const char* id, Idea idea) {
            gpu::Variant v;
            v.id = v.title = id;
            v.idea = idea;
            if (idea == Idea::library) v.kind = gpu::Variant::Kind::library;
            made.push_back(v);
        };
        add("naive", Idea::plain);
        add("constant", Idea::cache);
        add("coarsened", Idea::coarsening);
        add("tiled_input", Idea::sharedTile);
        add("tiled_output", Idea::sharedTileRefined);
        add("halo_cached", Idea::loss);
        add("register_tiled", Idea::registers);
        add("separable", Idea::workSaved);
        add("separable_fused", Idea::savedAndFused);
        add("opencv", Idea::library);
        return made;
    }();
    return variants;
}

gpu::RunRecord record(const gpu::Variant& variant, double medianMs, gpu::Clock clock,
                      std::shared_ptr<const io::Grid> output) {
    gpu::RunRecord r;
    r.family = "convolution";
    r.variant = variant.id;
    r.kind = variant.kind;
    r.runsOn = clock == gpu::Clock::device ? "cuda:0" : "cpu";
    r.time = gpu::Timing{.clock = clock,
                         .medianMs = medianMs,
                         .q1Ms = medianMs * 0.99,
                         .q3Ms = medianMs * 1.01,
                         .minMs = medianMs * 0.98,
                         .lowMs = medianMs * 0.995,
                         .highMs = medianMs * 1.005,
                         .samples = 100};
    r.verification.emplace().checkedShare = 1;
    r.result.picture = std::move(output);
    return r;
}

std::vector<TimeBar> bars() {
    using gpu::Idea;
    const auto bar = [](const char* name, Idea idea, double q1, double median, double q3) {
        return TimeBar{QString::fromLatin1(name), idea, median, q1, q3, {}};
    };
    return {
        bar("separable_fused", Idea::savedAndFused, 0.149, 0.150, 0.151),
        bar("register_tiled", Idea::registers, 0.215, 0.216, 0.218),
        bar("separable", Idea::workSaved, 0.296, 0.298, 0.301),
        bar("constant", Idea::cache, 0.513, 0.515, 0.518),
        bar("tiled_input", Idea::sharedTile, 0.526, 0.529, 0.533),
        bar("naive", Idea::plain, 0.567, 0.569, 0.572),
        bar("tiled_output", Idea::sharedTileRefined, 0.585, 0.589, 0.594),
        bar("coarsened", Idea::coarsening, 0.796, 0.803, 0.812),
        bar("halo_cached", Idea::loss, 1.27, 1.30, 1.34),
        TimeBar{
            QStringLiteral("opencv"), Idea::library, {}, {}, {}, QStringLiteral("CPU clock: not drawn on this scale")}};
}

}  // namespace warplens::gui::samples
