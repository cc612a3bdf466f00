// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/trace/tracer.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace warplens::gui::test {

/// Stands in for the tracing program: made-up counts that tell rungs apart, at lines that their sources have. A warp
/// reads `loads` rows of 32 neighbouring floats, the k-th beginning k floats after the pixel, and stores one.
class MadeUpTracer final : public gpu::Tracer {
public:
    static constexpr int kLine = 30, kLoads = 3;
    std::atomic<int> asked{0}, explained{0}, warps{0}, maps{0}, stopped{0};
    std::atomic<bool> slow{false};
    bool defective = false;  ///< every variant races at the line behind that of its loads, and waits in vain
    static constexpr int kDefect = kLine + 1;

    gpu::Comparison explain(const gpu::Request& request, std::stop_token stop, const gpu::Observer& observer) override {
        gpu::Comparison comparison;
        comparison.family = request.family;
        ++asked;
        for (const std::string& id : request.variants) {
            for (int i = 0; slow && i < 500 && !stop.stop_requested(); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            if (stop.stop_requested()) {
                ++stopped;
                comparison.interrupted = true;
                return comparison;
            }
            ++explained;
            if (observer.progress) observer.progress(0.5, id);
            comparison.runs.push_back(recordOf(request, id));
            if (defective) addDefects(comparison.runs.back());
            if (observer.record) observer.record(comparison.runs.back());
        }
        return comparison;
    }

    gpu::WarpTrace warp(const gpu::Request& request, const gpu::WarpQuery& query, std::stop_token) override {
        ++warps;
        const auto& shape = request.input->shape();
        gpu::WarpTrace trace{.kernel = "kernel",
                             .grid = {1, 1, 1},
                             .block = {32, 8, 1},
                             .index = {0, 0, 0},
                             .sites = {},
                             .buffers = {},
                             .requests = {}};
        const std::string& source =
            gpu::parseRunSpec(gpu::familyOf(request.family), request.variants.front()).variant->source;
        trace.lane = static_cast<int>(query.x % 32);
        trace.sites = {{.space = gpu::Space::global,
                        .operation = gpu::Operation::load,
                        .bytes = 4,
                        .file = source,
                        .line = kLine,
                        .stack = {source + ":" + std::to_string(kLine)}},
                       {.space = gpu::Space::shared,
                        .operation = gpu::Operation::load,
                        .bytes = 4,
                        .file = source,
                        .line = kLine + 2,
                        .stack = {source + ":" + std::to_string(kLine + 2)}}};
        trace.buffers = {{.bytes = shape.values() * 4, .valueBytes = 4}};
        const std::int64_t first = query.y * shape.width + query.x / 32 * 32;
        for (int i = 0; i < kLoads; ++i) {
            gpu::WarpRequest request32{.site = 0, .buffer = 0, .mask = 0xffffffffU};
            for (std::size_t lane = 0; lane < 32; ++lane)
                request32.offset[lane] = 4 * (first + i + static_cast<std::int64_t>(lane));
            request32.count = {
                .requests = 1, .lanes = 32, .threadBytes = 128, .sectors = i == 0 ? 4 : 5, .usefulBytes = 128};
            trace.requests.push_back(request32);
        }
        gpu::WarpRequest column{.site = 1, .buffer = -1, .mask = 0xffffffffU};
        for (std::size_t lane = 0; lane < 32; ++lane) column.offset[lane] = static_cast<std::int64_t>(lane) * 128;
        column.count = {.requests = 1, .lanes = 32, .threadBytes = 128, .wavefronts = 32, .worst = 32};
        trace.requests.push_back(column);
        return trace;
    }

    gpu::LoadMap loads(const gpu::Request& request, std::stop_token, const gpu::Observer&) override {
        ++maps;
        auto map = std::make_shared<io::Grid>(
            io::Shape{request.input->shape().width, request.input->shape().height, request.input->shape().depth, 1},
            io::PixelType::f32);
        for (std::int64_t i = 0; i < map->shape().pixels(); ++i) map->as<float>()[i] = static_cast<float>(i % 4 + 1);
        return {.loads = map};
    }

    static std::int64_t sectorsOf(const std::string& id) { return 1000 * static_cast<std::int64_t>(id.size()); }

private:
    static void addDefects(gpu::RunRecord& record) {
        const std::string& source = gpu::findVariant(record.family, record.variant)->source;
        auto& findings = record.counters->findings;
        findings.push_back({"shared-race", "kernel",
                            "block (0, 0, 0) thread (1, 0, 0) reads what thread (0, 0, 0) wrote", source, kDefect});
        findings.push_back({"divergent-barrier", "kernel", "thread (3, 0, 0) waits", source, kDefect + 4});
        record.status = gpu::Status::wrong;
        record.reason = findings.front().check + ": " + findings.front().message;
    }

    static gpu::RunRecord recordOf(const gpu::Request& request, const std::string& id) {
        const gpu::RunSpec run = gpu::parseRunSpec(gpu::familyOf(request.family), id);
        const gpu::Variant& variant = *run.variant;
        gpu::RunRecord record;
        record.family = request.family;
        record.variant = variant.id;
        record.chosen = run.chosen;
        record.tunables = gpu::resolve(variant, run.chosen);
        gpu::Counters c;
        c.globalLoad = {
            .requests = 200, .lanes = 6400, .threadBytes = 25600, .sectors = sectorsOf(id), .usefulBytes = 25600};
        c.globalStore = {.requests = 32, .lanes = 1024, .threadBytes = 4096, .sectors = 128, .usefulBytes = 4096};
        c.flops = 5000;
        c.operationsPerByte = 0.2;
        c.inputReuse = 6;
        c.activeLanes = 32;
        c.kernels = {{.kernel = "kernel",
                      .grid = {1, 1, 1},
                      .block = {32, 32, 1},
                      .launches = 1,
                      .blocks = 1,
                      .tracedBlocks = 1}};
        const auto line = [&](gpu::Space space, int number, const gpu::AccessCount& count) {
            const std::string place = variant.source + ":" + std::to_string(number);
            return gpu::CounterLine{.kernel = "kernel",
                                    .space = space,
                                    .operation = gpu::Operation::load,
                                    .file = variant.source,
                                    .line = number,
                                    .stack = {"gpu/kernels/view.cuh:22", place},
                                    .count = count};
        };
        c.lines = {line(gpu::Space::global, kLine, c.globalLoad),
                   line(gpu::Space::shared, kLine + 2,
                        {.requests = 10, .lanes = 160, .threadBytes = 640, .wavefronts = 25, .worst = 4})};
        c.branchLines = {{.kernel = "kernel",
                          .file = variant.source,
                          .line = kLine + 5,
                          .stack = {variant.source + ":" + std::to_string(kLine + 5)},
                          .executions = 40,
                          .divergent = 10,
                          .lanesApart = 50}};
        record.counters = c;
        return record;
    }
};

}  // namespace warplens::gui::test
