// SPDX-License-Identifier: Apache-2.0
// The smallest family there can be: 255 (of u16 65,535, of floats 1) where a value is above a level, else 0, and how
// many values of each channel are.
#include "gpu/core/family.hpp"

#include "gpu/core/error.hpp"
#include "gpu/kernels/transfer.hpp"
#include "tests/families/toy/table.hpp"

#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

namespace warplens::gpu::toy {
namespace {

const std::vector<Parameter>& toyParameters() {
    static const std::vector<Parameter> list{{.id = "level",
                                              .title = "Level",
                                              .type = Parameter::Type::integer,
                                              .fallback = std::int64_t{100},
                                              .minimum = 0,
                                              .maximum = 65535,
                                              .help = "Values above it become the largest, the others 0."}};
    return list;
}

class ToyProblem final : public Problem {
public:
    ToyProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
        : m_input(std::move(input)), m_level(static_cast<float>(integerOf(toyParameters(), values, "level"))) {
        validate(toyParameters(), values);
        if (m_input == nullptr || m_input->empty()) throw Error(Error::Kind::argument, "no picture: open one first");
    }

    Work work() const override {
        const auto bytes = static_cast<std::int64_t>(m_input->bytes());
        return {.traffic = Traffic::copy, .bytesRead = bytes, .bytesWritten = bytes};
    }
    Traits traits() const override {
        return {.kinds = {{"type", io::nameOf(m_input->type())}},
                .sizes = {{"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
    }
    std::vector<std::string> facts() const override { return {"above " + std::to_string(static_cast<int>(m_level))}; }
    std::string refusal(const Variant& variant, const TunableValues& tunables,
                        const DeviceInfo& device) const override {
        if (variant.kind == Variant::Kind::library) return {};
        if (ladder().entryOf(variant, device) == nullptr) return "this program was built without the CUDA device";
        const Footprint f = footprint(variant, tunables);
        return f.blockWidth * f.blockHeight > device.maxThreadsPerBlock ? "too many threads per block" : "";
    }
    Footprint footprint(const Variant& variant, const TunableValues& tunables) const override {
        return ladder().anyBuildOf(variant).footprint(tunables);
    }
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;

    Result runLibrary(const Variant&, double& milliseconds, std::stop_token) const override {
        auto output = std::make_shared<io::Grid>(m_input->shape(), m_input->type());
        const auto start = std::chrono::steady_clock::now();
        forEachValue([&](auto x, auto y, auto z, int c) { output->setValue(x, y, z, c, exactAt(x, y, z, c)); });
        milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        return {.picture = std::move(output), .tables = {table(exactCounts())}};
    }
    Verification verify(const Result& result, const Variant&, std::stop_token) const override {
        Verification verification;
        verification.checkedShare = 1;
        forEachValue([&](auto x, auto y, auto z, int c) {
            const double error = std::fabs(result.picture->value(x, y, z, c) - exactAt(x, y, z, c));
            verification.maxAbsError = std::max(verification.maxAbsError, error);
            if (error != 0) ++verification.mismatches;
        });
        const Table* above = findTable(result.tables, "above");
        if (above == nullptr || above->integers("count") != exactCounts()) ++verification.mismatches;
        return verification;
    }

    static std::shared_ptr<const Table> table(Column::Integers counts) {
        Column::Integers channels(counts.size());
        std::iota(channels.begin(), channels.end(), 0);
        auto table = std::make_shared<Table>(Table{.id = "above", .title = "Above the level", .columns = {}});
        table->columns.push_back({.id = "channel", .title = "Channel", .values = std::move(channels)});
        table->columns.push_back({.id = "count", .title = "Values", .values = std::move(counts)});
        return table;
    }

    const std::shared_ptr<const io::Grid>& input() const { return m_input; }
    Arguments arguments() const {
        const io::Shape& s = m_input->shape();
        return {.type = m_input->type(),
                .width = static_cast<int>(s.width),
                .height = static_cast<int>(s.height),
                .depth = static_cast<int>(s.depth),
                .planes = static_cast<int>(s.depth * s.channels),
                .level = m_level};
    }

private:
    double exactAt(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const {
        return m_input->value(x, y, z, channel) > m_level ? largestOf(m_input->type()) : 0;
    }
    Column::Integers exactCounts() const {
        Column::Integers counts(static_cast<std::size_t>(m_input->shape().channels));
        forEachValue([&](auto x, auto y, auto z, int c) {
            if (exactAt(x, y, z, c) > 0) ++counts[static_cast<std::size_t>(c)];
        });
        return counts;
    }
    template <class F>
    void forEachValue(F f) const {
        const io::Shape& s = m_input->shape();
        for (std::int64_t z = 0; z < s.depth; ++z)
            for (std::int64_t y = 0; y < s.height; ++y)
                for (std::int64_t x = 0; x < s.width; ++x)
                    for (int c = 0; c < s.channels; ++c) f(x, y, z, c);
    }

    std::shared_ptr<const io::Grid> m_input;
    float m_level;
};

class ToySession final : public Session {
public:
    ToySession(const ToyProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_arguments(problem.arguments()) {
        keepResident(device, problem.input(), resident);
        m_output = device.allocate(problem.input()->bytes());
        m_arguments.input = resident.planes.handle();
        m_arguments.output = m_output.handle();
        m_counts = device.allocate(sizeof(std::int64_t) * static_cast<std::size_t>(problem.input()->shape().channels));
        m_arguments.above = m_counts.handle();
    }
    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
    }
    void launch() override {
        m_device.fill(m_counts, 0);
        m_entry->launch(m_device.context(), m_arguments, m_tunables);
    }
    void poisonOutput() override {
        m_device.fill(m_output, 0xff);
        m_device.fill(m_counts, 0xff);
    }
    Result download(double& layoutMs, double& downloadMs) override {
        auto output = std::make_shared<io::Grid>(m_problem.input()->shape(), m_problem.input()->type());
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        Column::Integers counts(static_cast<std::size_t>(m_problem.input()->shape().channels));
        downloadMs +=
            m_device.time([&] { m_device.download(counts.data(), m_counts, counts.size() * sizeof(std::int64_t)); });
        return {.picture = std::move(output), .tables = {ToyProblem::table(std::move(counts))}};
    }
    std::optional<DevicePicture> picture() const override {
        return DevicePicture{&m_output, m_problem.input()->shape(), m_problem.input()->type()};
    }

private:
    const ToyProblem& m_problem;
    Device& m_device;
    Arguments m_arguments;
    Buffer m_output, m_counts;
    const KernelEntry* m_entry = nullptr;
    TunableValues m_tunables;
};

std::unique_ptr<Session> ToyProblem::open(Device& device, Resident& resident) const {
    return std::make_unique<ToySession>(*this, device, resident);
}

std::vector<std::vector<NameList::Value>> namedLevels() {
    return {{std::string("low"), std::int64_t{10}}, {std::string("high"), std::int64_t{200}}};
}

class ToyFamily final : public Family {
public:
    const FamilyInfo& info() const override {
        static const FamilyInfo info{.id = "toy",
                                     .title = "Toy",
                                     .group = "Filter",
                                     .task = "Black and white",
                                     .makesPicture = true,
                                     .makesTables = true,
                                     .volumes = true,
                                     .swept = "level"};
        return info;
    }
    const std::vector<Parameter>& parameters() const override { return toyParameters(); }
    const std::vector<Variant>& variants() const override { return ladder().variants(); }
    std::vector<NameList> lists() const override {
        return {{.id = "levels", .columns = {{"Name", {"id"}}, {"Level", {"level"}}}, .rows = &namedLevels}};
    }
    std::unique_ptr<Problem> makeProblem(std::shared_ptr<const io::Grid> input,
                                         const ParameterValues& values) const override {
        return std::make_unique<ToyProblem>(std::move(input), values);
    }
};

}  // namespace

const Family& family() {
    static const ToyFamily instance;
    return instance;
}

}  // namespace warplens::gpu::toy
