// SPDX-License-Identifier: Apache-2.0
// The recorded table of the trace's counts beside the hardware's (tests/gpu/ncu): it is whole, names a cause for each
// deviation, and holds the counts of today.
#include "gpu/core/registry.hpp"
#include "gpu/trace/variant_tracer.hpp"
#include "io/generate.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <sstream>

namespace warplens::gpu::testing {
namespace {

const std::filesystem::path kRoot = WARPLENS_SOURCE_DIR;

/// A case of a family's hardware.txt.
struct HardwareCase {
    std::string name, input, family;
    std::set<std::string> variants;
    ParameterValues parameters;
};

struct HardwareRow {
    std::string name, variant, quantity, cause;
    double counted = 0, hardware = 0, deviation = 0, limit = 0;
};

std::vector<std::string> split(const std::string& line, char by, std::size_t most) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    while (parts.size() + 1 < most) {
        const auto at = line.find(by, from);
        if (at == std::string::npos) break;
        parts.push_back(line.substr(from, at - from));
        from = at + 1;
    }
    parts.push_back(line.substr(from));
    return parts;
}

std::vector<HardwareCase> cases() {
    std::vector<HardwareCase> all;
    std::string every;
    for (const Family* family : families())
        every += test::readText(kRoot / "gpu/families" / family->id() / "hardware.txt");
    std::istringstream text(every);
    for (std::string line; std::getline(text, line);) {
        if (!line.starts_with("ncu ")) continue;
        HardwareCase one;
        std::string variants, option, value;
        std::istringstream words(line.substr(4));
        words >> one.name >> variants >> one.input >> one.family;
        for (const auto& id : split(variants, ',', 100)) one.variants.insert(id);
        const auto& declared = familyOf(one.family).parameters();
        while (words >> option >> value) {
            const auto parameter = std::ranges::find(declared, option.substr(2), &Parameter::id);
            if (parameter == declared.end()) throw std::runtime_error(line);
            if (parameter->type == Parameter::Type::picture)
                one.parameters[parameter->id] = std::make_shared<const NamedGrid>(
                    NamedGrid{value, std::make_shared<const io::Grid>(io::generate(value))});
            else
                one.parameters[parameter->id] = parse(*parameter, value);
        }
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<HardwareRow> table() {
    std::filesystem::path newest;
    for (const auto& entry : std::filesystem::directory_iterator(kRoot / "resources/recorded"))
        if (entry.path().extension() == ".csv" && entry.path().filename().string().starts_with("ncu-"))
            newest = std::max(newest, entry.path());
    std::vector<HardwareRow> rows;
    if (newest.empty()) return rows;
    std::istringstream text(test::readText(newest));
    std::string line;
    std::getline(text, line);
    while (std::getline(text, line)) {
        const auto cells = split(line, ',', 8);
        const auto number = [&](std::size_t i) { return std::strtod(cells.at(i).c_str(), nullptr); };
        rows.push_back(
            {cells.at(0), cells.at(1), cells.at(2), cells.at(7), number(3), number(4), number(5), number(6)});
    }
    return rows;
}

/// Case and variant of the kernels that changed, or came, since the hardware's counters were read.
std::set<std::pair<std::string, std::string>> changedSince() {
    std::set<std::pair<std::string, std::string>> changed;
    std::istringstream text(test::readText(kRoot / "tests/gpu/ncu/since.csv"));
    std::string line;
    for (std::getline(text, line); std::getline(text, line);) {
        const auto cells = split(line, ',', 3);
        changed.emplace(cells.at(0), cells.at(1));
    }
    return changed;
}

double valueOf(const std::string& quantity, const Counters& c) {
    const std::map<std::string, double> values{
        {"global load requests", static_cast<double>(c.globalLoad.requests)},
        {"global load sectors", static_cast<double>(c.globalLoad.sectors)},
        {"texture requests", static_cast<double>(c.texture.requests)},
        {"texture sectors", static_cast<double>(c.texture.sectors)},
        {"global store requests", static_cast<double>(c.globalStore.requests)},
        {"global store sectors", static_cast<double>(c.globalStore.sectors)},
        {"global atomic requests", static_cast<double>(c.globalAtomics.requests)},
        {"shared load wavefronts", static_cast<double>(c.sharedLoad.wavefronts)},
        {"shared store wavefronts", static_cast<double>(c.sharedStore.wavefronts)},
        {"shared atomic requests", static_cast<double>(c.sharedAtomics.requests)},
        // The hardware counts instructions of the multiprocessor: none where an atomic adds.
        {"floating-point operations", c.flops - c.atomicFlops}};
    return values.at(quantity);
}

TEST(HardwareTable, HoldsEveryKernelOfEveryFamily) {
    std::set<std::string> held;  // "stencil 3D naive"
    const auto key = [](const std::string& family, bool volume, const std::string& variant) {
        return family + (volume ? " 3D " : " 2D ") + variant;
    };
    const auto rows = table();
    const auto changed = changedSince();
    for (const HardwareCase& one : cases()) {
        for (const std::string& variant : one.variants) {
            held.insert(key(one.family, io::generate(one.input).shape().depth > 1, variant));
            if (changed.contains({one.name, variant})) continue;  // the next table has it
            for (const std::string quantity : {"requests", "sectors"}) {
                const bool there = std::ranges::any_of(rows, [&](const HardwareRow& row) {
                    const bool loads =
                        row.quantity == "global load " + quantity || row.quantity == "texture " + quantity;
                    return row.name == one.name && row.variant == variant && loads && row.hardware > 0;
                });
                EXPECT_TRUE(there) << one.name << ' ' << variant << ": " << quantity;
            }
        }
    }
    // A family may land before a GPU was at hand; once it has a case, none of its kernels may lack one.
    std::set<std::string> names;
    for (const HardwareCase& one : cases()) names.insert(one.family);
    for (const std::string& name : names) {
        const Family& family = familyOf(name);
        for (const Variant& variant : family.variants()) {
            if (variant.kind != Variant::Kind::kernel) continue;
            const bool picture = held.contains(key(name, false, variant.id));
            const bool volume = held.contains(key(name, true, variant.id));
            // Of the families only the stencil computes a volume in another way than a picture.
            if (name != "stencil") {
                EXPECT_TRUE(picture || volume) << name << ' ' << variant.id;
                continue;
            }
            if (std::ranges::count(variant.dimensions, 2) > 0) {
                EXPECT_TRUE(picture) << name << ' ' << variant.id;
            }
            if (std::ranges::count(variant.dimensions, 3) > 0) {
                EXPECT_TRUE(volume) << name << " 3D " << variant.id;
            }
        }
    }
}

TEST(HardwareTable, NamesACauseForEveryDeviationBeyondItsLimit) {
    int equal = 0, rows = 0;
    for (const HardwareRow& row : table()) {
        SCOPED_TRACE(row.name + " " + row.variant + ": " + row.quantity);
        const double deviation = row.hardware > 0 ? 100 * (row.counted - row.hardware) / row.hardware
                                                  : std::numeric_limits<double>::infinity();
        EXPECT_TRUE(!std::isfinite(deviation) || std::fabs(row.deviation - deviation) < 6e-4)
            << row.deviation << " is " << deviation;
        const bool wavefronts = row.quantity.starts_with("shared");
        EXPECT_EQ(row.limit, wavefronts ? 2 : 1);
        EXPECT_EQ(row.cause.size() > 20, std::fabs(deviation) > row.limit) << row.cause;
        equal += row.counted == row.hardware;
        ++rows;
    }
    EXPECT_GT(rows, 100);
    EXPECT_GT(2 * equal, rows) << "most figures agree to the last digit";
}

TEST(HardwareTable, HoldsTheCountsOfToday) {
    // The cheap ones of every family; the whole table takes a minute.
    const std::map<std::string, std::set<std::string>> cheap{
        {"convolution", {"tiled_input", "register_blocked", "separable_streamed", "texture"}},
        {"stencil-2d", {"naive", "marching"}},
        {"histogram", {"coarsened_contiguous", "multi_copy"}}};
    const auto rows = table();
    const auto changed = changedSince();
    for (const HardwareCase& one : cases()) {
        if (!cheap.contains(one.name)) continue;
        const Family& family = familyOf(one.family);
        trace::VariantTracer tracer(family, std::make_shared<const io::Grid>(io::generate(one.input)), one.parameters);
        for (const std::string& id : cheap.at(one.name)) {
            const auto record = tracer.trace(variantOf(family, id), {}, {.whole = true}, {}, {});
            ASSERT_TRUE(record.counters) << id << record.reason;
            bool same = true;
            for (const HardwareRow& row : rows) {
                if (row.name != one.name || row.variant != id) continue;
                const double now = valueOf(row.quantity, *record.counters);
                same = same && row.counted == now;
                if (!changed.contains({one.name, id})) {
                    EXPECT_EQ(row.counted, now) << row.name << ' ' << id << ": " << row.quantity;
                }
            }
            EXPECT_TRUE(!same || !changed.contains({one.name, id}))
                << id << " counts what the table holds: take it out of since.csv";
        }
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
