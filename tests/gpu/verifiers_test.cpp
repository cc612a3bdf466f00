// SPDX-License-Identifier: Apache-2.0
// Who checks the check: of every family and every choice that its parameters offer, results are made wrong on purpose,
// number by number, by a little more and a little less than the bound. The bounds are those of the definitions, which
// each family's tests state once more (verifier_definition.hpp). A family or a choice without one is red here.
#include "gpu/core/error.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/device/simt/simt_device.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "tests/gpu/verifier_definition.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <ostream>
#include <vector>

namespace warplens::gpu::testing {

Parameter::Value noisePicture(const io::Shape& shape, io::PixelType type, std::uint64_t seed) {
    auto grid = noise(shape, type, seed);
    if (type == io::PixelType::f32)
        for (std::int64_t i = 0; i < shape.values(); ++i) grid->as<float>()[i] = 2 * grid->as<float>()[i] - 1;
    return std::make_shared<const NamedGrid>(NamedGrid{"noise", std::move(grid)});
}

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN(), kEndless = std::numeric_limits<double>::infinity();
/// Parts of a bound: within it, and beyond.
constexpr double kLess = 0.75, kMore = 1.5;
/// What is planted this many bounds away, or nearer, tells a bound 16 times too wide.
constexpr double kSharp = 8;

/// One choice of one parameter of one family; the others are what it takes to be asked for that.
struct Choice {
    const Family* family = nullptr;
    std::string name;
    ParameterValues values;

    friend void PrintTo(const Choice& choice, std::ostream* to) { *to << choice.name; }
};

/// Sets what a parameter needs to be asked for.
void makeAskable(const std::vector<Parameter>& list, const Parameter& parameter, ParameterValues& values) {
    if (parameter.visibleWhen.empty()) return;
    const auto other = std::ranges::find(list, parameter.visibleWhen, &Parameter::id);
    const auto& chosen = valueOf(list, values, other->id);
    const auto* text = std::get_if<std::string>(&chosen);
    if (text != nullptr && std::ranges::count(parameter.visibleWhenIn, *text) == 0)
        values[other->id] = parameter.visibleWhenIn.front();
    makeAskable(list, *other, values);
}

std::vector<Choice> everyChoice() {
    std::vector<Choice> all;
    for (const Family* family : families()) {
        const auto& list = family->parameters();
        all.push_back({family, family->id() + "_defaults", {}});
        for (const Parameter& parameter : list) {
            // What names weights verifies nothing by the name.
            if (parameter.role == Parameter::Role::filter) continue;
            std::vector<Parameter::Value> values(parameter.choices.begin(), parameter.choices.end());
            if (parameter.type == Parameter::Type::flag) values = {true};
            for (const Parameter::Value& value : values) {
                if (value == parameter.fallback) continue;
                Choice choice{family, family->id() + '_' + parameter.id + '_' + format(value), {{parameter.id, value}}};
                makeAskable(list, parameter, choice.values);
                std::ranges::replace_if(
                    choice.name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
                all.push_back(std::move(choice));
            }
        }
    }
    return all;
}

/// Every type, number of channels, and depth, with odd extents.
std::vector<std::shared_ptr<const io::Grid>> inputsFor(const Family& family) {
    using io::PixelType;
    std::vector<std::shared_ptr<const io::Grid>> inputs;
    std::uint64_t seed = 1;
    const auto add = [&](const io::Shape& shape, PixelType type) {
        inputs.push_back(std::get<std::shared_ptr<const NamedGrid>>(noisePicture(shape, type, seed++))->grid);
    };
    add({9, 7}, PixelType::f32);
    add({7, 5}, PixelType::u8);
    add({5, 4, 1, 3}, PixelType::u8);
    add({6, 5, 1, 3}, PixelType::u16);
    add({5, 4, 1, 4}, PixelType::f32);
    add({5, 4, 3}, PixelType::f32);
    if (family.info().wideIntegers) {
        add({7, 5}, PixelType::u32);
        add({5, 7}, PixelType::i32);
    }
    // Sums so small that what a bound has beside them is most of it.
    io::Grid tiny = inputs.front()->clone();
    for (std::int64_t i = 0; i < tiny.shape().values(); ++i) tiny.as<float>()[i] *= 0x1p-140F;
    inputs.push_back(std::make_shared<const io::Grid>(std::move(tiny)));
    // What is no number, at an edge and inside.
    io::Grid odd = inputs.front()->clone();
    odd.setValue(8, 6, 0, 0, kNone);
    odd.setValue(1, 2, 0, 0, kEndless);
    odd.setValue(4, 0, 0, 0, -kEndless);
    inputs.push_back(std::make_shared<const io::Grid>(std::move(odd)));
    return inputs;
}

/// For those who refuse what is not sorted.
std::shared_ptr<const io::Grid> risingValues() {
    auto made = std::make_shared<io::Grid>(io::Shape{9, 7}, io::PixelType::f32);
    for (std::int64_t i = 0; i < made->shape().values(); ++i) made->as<float>()[i] = static_cast<float>(i / 2);
    return made;
}

/// Numbers to put in a number's place.
struct Planted {
    std::vector<double> right, wrong;
    bool sharp = false;  ///< one of the wrong ones is near enough to tell a bound that is too wide
};

void addOtherClasses(Planted& planted, double value) {
    for (const double other : {kNone, kEndless, -kEndless, 0.0})
        if (!(other == value || (std::isnan(other) && std::isnan(value))) && (other != 0 || !std::isfinite(value)))
            planted.wrong.push_back(other);
}

/// Integers from `low` to `high`, which lie within `slack` and the bound.
Planted integersAround(const Expected& expected, double slack, double low, double high) {
    Planted planted;
    const double target = std::isfinite(expected.value) ? std::clamp(expected.value, low, high) : expected.value;
    for (const double sign : {1.0, -1.0}) {
        const double bound = sign > 0 ? expected.above : expected.below, end = sign > 0 ? high : low;
        const double least = target + sign * (slack + kMore * bound);
        const double wrong = sign > 0 ? std::floor(least) + 1 : std::ceil(least) - 1;
        if (sign * wrong <= sign * end) {
            planted.wrong.push_back(wrong);
            planted.sharp |= bound > 0 && std::fabs(wrong - target) <= slack + kSharp * bound;
        }
        const double most = target + sign * (slack + kLess * bound);
        const double right = sign > 0 ? std::floor(most) : std::ceil(most);
        if (sign * (right - target) >= 0) planted.right.push_back(sign * right <= sign * end ? right : end);
    }
    return planted;
}

/// Numbers of which `next(value, towards)` gives the neighbour and `rounded(value)` the nearest one.
template <class Next, class Rounded>
Planted realsAround(const Expected& expected, Next next, Rounded rounded) {
    Planted planted;
    const double value = expected.value;
    addOtherClasses(planted, rounded(value));
    if (!std::isfinite(rounded(value)) || !std::isfinite(expected.above + expected.below)) return planted;
    for (const double sign : {1.0, -1.0}) {
        const double bound = sign > 0 ? expected.above : expected.below;
        double wrong = rounded(value + sign * kMore * bound);
        while (!(sign * (wrong - value) >= kMore * bound) || wrong == rounded(value))
            wrong = next(wrong, sign * kEndless);
        planted.wrong.push_back(wrong);
        planted.sharp |= bound > 0 && std::fabs(wrong - value) <= kSharp * bound;
        double right = rounded(value + sign * kLess * bound);
        if (std::fabs(right - value) > 0.9 * bound) right = next(right, -sign * kEndless);
        planted.right.push_back(std::fabs(right - value) <= 0.9 * bound ? right : rounded(value));
    }
    return planted;
}

Planted inPicture(const Expected& expected, io::PixelType type) {
    if (type == io::PixelType::f32)
        return realsAround(
            expected,
            [](double v, double to) {
                return static_cast<double>(std::nextafter(static_cast<float>(v), static_cast<float>(to)));
            },
            [](double v) { return static_cast<double>(static_cast<float>(v)); });
    return io::withType(type, [&]<class T>(T) {
        const auto low = static_cast<double>(std::numeric_limits<T>::lowest()),
                   high = static_cast<double>(std::numeric_limits<T>::max());
        return integersAround(expected, 0.5, low, high);
    });
}

/// A request whose right result is known, to be made wrong.
class Case {
public:
    Case(const Choice& choice, std::shared_ptr<const io::Grid> input, Runner& runner)
        : m_family(*choice.family), m_known(familyDefinitions().at(m_family.id())), m_input(std::move(input)) {
        m_values = m_known.complete ? m_known.complete(*m_input, choice.values) : choice.values;
        try {
            m_problem = m_family.pose(m_input, m_values);
            run(runner);
        } catch (const Error&) {
            m_problem.reset();  // some pictures are refused when they are posed, some when their equations are made
        }
    }

    /// Whether the family does this, with this picture.
    bool posed() const { return m_problem != nullptr && !m_variants.empty(); }

    /// Plants, and expects to be told of all that is wrong and of nothing else.
    void check() {
        const Posed posed{m_family, m_input, m_values, m_right};
        const auto definition = m_known.of(posed);
        ASSERT_TRUE(definition.has_value())
            << "no definition of this: add it to gpu/families/" << m_family.id() << "/tests/verifier_definition.cpp";
        m_definition = *definition;
        for (const Variant* variant : m_variants) {
            SCOPED_TRACE(variant->id);
            m_variant = variant;
            m_everywhere = variant == m_variants.front();
            if (m_right.picture != nullptr) checkPicture();
            for (std::size_t i = 0; i < m_right.tables.size(); ++i) checkTable(i);
            if (::testing::Test::HasFailure()) return;
        }
    }

    bool bounded = false, sharp = false;

private:
    /// One kernel for the result; every row that does it for its bounds.
    void run(Runner& runner) {
        for (const Variant& variant : m_family.variants()) {
            // What such a library computes on a GPU is its own: nothing is planted into it here.
            if (isLibrary(variant) && variant.devices == Variant::Devices::cuda) continue;
            const auto tunables = m_problem->resolved(variant, {}, simtDeviceInfo());
            if (!m_problem->refusal(variant, tunables, simtDeviceInfo()).empty()) continue;
            if (variant.kind == Variant::Kind::kernel && m_right.empty() && !isIntentionallyWrong(variant)) {
                Request request = requestFor(m_input, m_values, "cpu");
                request.family = m_family.id();
                request.variants = {variant.id};
                const RunRecord record = runner.run(request).runs.front();
                EXPECT_EQ(record.status, Status::ok) << describe(record);
                m_right = record.result;
            }
            m_variants.push_back(&variant);
        }
        if (m_right.empty()) m_variants.clear();
    }

    Verification verify(const Result& result) const { return m_problem->verify(result, *m_variant, {}); }

    std::vector<Spot> spots() const {
        const io::Shape& s = m_right.picture->shape();
        std::vector<Spot> all;
        for (std::int64_t z = 0; z < s.depth; ++z)
            for (std::int64_t y = 0; y < s.height; ++y)
                for (std::int64_t x = 0; x < s.width; ++x)
                    for (int c = 0; c < s.channels; ++c) all.push_back({x, y, z, c});
        return all;
    }

    Expected expectedAt(const Spot& p) const {
        if (m_definition.picture) {
            const Expected told = m_definition.picture(*m_variant, p);
            if (told.how != Expected::How::exact) return told;
        }
        return within(m_right.picture->value(p.x, p.y, p.z, p.c), 0);
    }

    void checkPicture() {
        auto grid = std::make_shared<io::Grid>(m_right.picture->clone());
        const Result result{.picture = grid, .tables = m_right.tables};
        std::vector<std::pair<Spot, Planted>> plants;
        for (const Spot& p : spots()) {
            const Expected expected = expectedAt(p);
            if (expected.how == Expected::How::open) continue;
            plants.emplace_back(p, inPicture(expected, grid->type()));
            bounded |= expected.above + expected.below > 0 && grid->type() != io::PixelType::u8;
            sharp |= plants.back().second.sharp;
        }
        EXPECT_TRUE(!plants.empty() || isLibrary(*m_variant)) << "nothing is verified";
        const auto put = [&grid](const Spot& p, double value) { grid->setValue(p.x, p.y, p.z, p.c, value); };
        for (std::size_t i = 0; i < plants.size(); ++i)
            if (const auto& right = plants[i].second.right; !right.empty())
                put(plants[i].first, right[i % right.size()]);
        const Verification fine = verify(result);
        EXPECT_EQ(fine.mismatches, 0) << fine.firstMismatch;
        EXPECT_EQ(fine.checkedShare, 1);
        for (std::size_t i = 0; i < plants.size(); ++i) {
            if (!m_everywhere && i != 0 && i != plants.size() / 2 && i + 1 != plants.size()) continue;
            const auto& [p, planted] = plants[i];
            const double before = grid->value(p.x, p.y, p.z, p.c);
            for (const double wrong : planted.wrong) {
                put(p, wrong);
                const Verification found = verify(result);
                EXPECT_EQ(found.mismatches, 1) << wrong << " instead of " << before << " at x " << p.x << " y " << p.y
                                               << " z " << p.z << " channel " << p.c;
                EXPECT_TRUE(namesPlace(found.firstMismatch, p)) << found.firstMismatch;
            }
            put(p, before);
            if (::testing::Test::HasFailure()) return;
        }
    }

    static bool namesPlace(const std::string& text, const Spot& p) {
        const std::string start = "x " + std::to_string(p.x) + " y " + std::to_string(p.y) + ' ';
        return text.starts_with(start) && text.find("channel " + std::to_string(p.c) + ':') != std::string::npos;
    }

    void checkTable(std::size_t index) {
        const Table& right = *m_right.tables[index];
        auto table = std::make_shared<Table>(right);
        Result result = m_right;
        result.tables[index] = table;
        const auto wrong = [&](const std::string& what) {
            EXPECT_GE(verify(result).mismatches, 1) << right.id << what;
        };
        bool verified = false;
        for (Column& column : table->columns) {
            for (std::size_t row = 0; row < column.size(); ++row) {
                // The first rows, the last ones, and one in so many between.
                const std::size_t every = 1 + column.size() / 16;
                if (row > 2 && row + 3 < column.size() && row % every != 0) continue;
                Expected expected;
                if (m_definition.number) expected = m_definition.number(*m_variant, right.id, column.id, row);
                if (expected.how == Expected::How::open) continue;
                verified = true;
                checkNumber(column, row, expected, [&](bool isRight, const std::string& what) {
                    const Verification found = verify(result);
                    EXPECT_EQ(found.mismatches > 0, !isRight)
                        << right.id << ' ' << column.id << ' ' << row << ": " << what << ' ' << found.firstMismatch;
                });
                if (::testing::Test::HasFailure()) return;
            }
        }
        if (!verified || table->columns.empty()) return;
        table->columns.back().id += '_';
        wrong(": another column");
        table->columns.back().id = right.columns.back().id;
        if (right.rows() == 0) return;
        for (Column& column : table->columns) std::visit([](auto& values) { values.pop_back(); }, column.values);
        wrong(": a row is missing");
    }

    /// Puts right and wrong numbers in, each of which told(isRight, what) looks at; what was there comes back.
    template <class Told>
    void checkNumber(Column& column, std::size_t row, const Expected& expected, Told told) {
        if (auto* texts = std::get_if<Column::Texts>(&column.values)) {
            (*texts)[row] += 'x';
            told(false, (*texts)[row]);
            (*texts)[row].pop_back();
            return;
        }
        const bool reals = std::holds_alternative<Column::Reals>(column.values);
        const double before = column.number(row);
        const Expected of = expected.how == Expected::How::exact ? within(before, 0) : expected;
        bounded |= of.above + of.below > 0;
        const auto set = [&](double value) {
            if (reals)
                std::get<Column::Reals>(column.values)[row] = value;
            else
                std::get<Column::Integers>(column.values)[row] = static_cast<std::int64_t>(value);
        };
        const Planted planted =
            reals ? realsAround(
                        of, [](double v, double to) { return std::nextafter(v, to); }, [](double v) { return v; })
                  : integersAround(of, 0, -0x1p53, 0x1p53);
        sharp |= planted.sharp;
        for (const double right : planted.right) {
            set(right);
            told(true, std::to_string(right));
        }
        for (const double wrong : planted.wrong) {
            set(wrong);
            told(false, std::to_string(wrong));
        }
        set(before);
    }

    const Family& m_family;
    const FamilyDefinition& m_known;
    std::shared_ptr<const io::Grid> m_input;
    ParameterValues m_values;
    std::unique_ptr<Problem> m_problem;
    std::vector<const Variant*> m_variants;
    Result m_right;
    Definition m_definition;
    const Variant* m_variant = nullptr;
    bool m_everywhere = true;
};

class Verifiers : public ::testing::TestWithParam<Choice> {};

INSTANTIATE_TEST_SUITE_P(Every, Verifiers, ::testing::ValuesIn(everyChoice()),
                         [](const auto& given) { return given.param.name; });

TEST_P(Verifiers, FindWhatIsWrongAndNothingElse) {
    const Choice& choice = GetParam();
    ASSERT_TRUE(familyDefinitions().contains(choice.family->id()))
        << "nobody says what a result of " << choice.family->id() << " may be off by: add gpu/families/"
        << choice.family->id() << "/tests/verifier_definition.cpp";
    static Runner runner;
    int posed = 0;
    bool bounded = false, sharp = false;
    auto inputs = inputsFor(*choice.family);
    inputs.push_back(risingValues());
    for (const auto& input : inputs) {
        if (input == inputs.back() && posed > 0) break;
        const io::Shape& s = input->shape();
        SCOPED_TRACE(std::to_string(s.width) + " x " + std::to_string(s.height) + " x " + std::to_string(s.depth) +
                     " of " + std::to_string(s.channels) + ' ' + io::nameOf(input->type()));
        Case one(choice, input, runner);
        if (!one.posed()) continue;
        ++posed;
        one.check();
        bounded |= one.bounded;
        sharp |= one.sharp;
        if (HasFailure()) return;
    }
    EXPECT_GT(posed, 0) << "no picture is fit for this: complete the request in gpu/families/" << choice.family->id()
                        << "/tests/verifier_definition.cpp";
    EXPECT_TRUE(sharp || !bounded) << "no error that was planted is near its bound: choose other values";
}

}  // namespace
}  // namespace warplens::gpu::testing
