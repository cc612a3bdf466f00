// SPDX-License-Identifier: Apache-2.0
// Parameters that are bound to a struct.
#include "gpu/frame/bound_parameters.hpp"

#include "gpu/core/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace warplens::gpu::testing {
namespace {

struct Chosen {
    enum class Way { first, second, third } way{};
    int count = 0;
    double share = 0;
    bool both = false;
    std::string words{};
};

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {{.id = "way",
          .type = Type::choice,
          .fallback = std::string("second"),
          .choices = {"first", "second", "third"}},
         &Chosen::way},
        {{.id = "count", .type = Type::integer, .fallback = std::int64_t{7}, .maximum = 9}, &Chosen::count},
        {{.id = "share", .type = Type::real, .fallback = 0.5, .maximum = 1}, &Chosen::share},
        {{.id = "both", .type = Type::flag, .fallback = true}, &Chosen::both},
        {{.id = "words", .type = Type::text, .fallback = std::string("none")}, &Chosen::words},
    };
    return all;
}

TEST(BoundParameters, AreDefaultsWhereNothingIsGiven) {
    const Chosen chosen = parameters().read({});
    EXPECT_EQ(chosen.way, Chosen::Way::second);
    EXPECT_EQ(chosen.count, 7);
    EXPECT_EQ(chosen.share, 0.5);
    EXPECT_TRUE(chosen.both);
    EXPECT_EQ(chosen.words, "none");
    EXPECT_EQ(parameters().list().size(), 5U);
}

TEST(BoundParameters, AreWhatIsGiven) {
    const Chosen chosen = parameters().read({{"way", std::string("third")},
                                             {"count", std::int64_t{3}},
                                             {"share", 0.25},
                                             {"both", false},
                                             {"words", std::string("some")}});
    EXPECT_EQ(chosen.way, Chosen::Way::third);
    EXPECT_EQ(chosen.count, 3);
    EXPECT_EQ(chosen.share, 0.25);
    EXPECT_FALSE(chosen.both);
    EXPECT_EQ(chosen.words, "some");
}

TEST(BoundParameters, RefuseWhatIsNoneOrOutOfRange) {
    EXPECT_THROW(parameters().read({{"none", true}}), Error);
    EXPECT_THROW(parameters().read({{"count", std::int64_t{10}}}), Error);
    EXPECT_THROW(parameters().read({{"way", std::string("fourth")}}), Error);
}

}  // namespace
}  // namespace warplens::gpu::testing
