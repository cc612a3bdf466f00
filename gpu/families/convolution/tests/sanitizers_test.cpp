// SPDX-License-Identifier: Apache-2.0
// Every kernel instance at the sizes that compute-sanitizer runs over (scripts/gpu-check), in parts that fit side by
// side. Rows of 72 values take the kernels that load four at a time.
#include "gpu/families/convolution/tests/every_row.hpp"
#include "tests/support/devices.hpp"

#include <tuple>

namespace warplens::gpu::testing {
namespace {

class EveryInstance : public EveryRow,
                      public ::testing::WithParamInterface<std::tuple<std::string, io::PixelType, int>> {
protected:
    void SetUp() override { requireDevice(std::get<0>(GetParam())); }
};

TEST_P(EveryInstance, AtTheSanitizersSizes) {
    const auto& [device, type, side] = GetParam();
    for (const auto& border : kBorders) {
        for (const int radius : {1, 2, 3, 4, 5, 7, 8, 15}) {
            expectAllOk(device, noise({side, side}, type), {{"border", border}, {"radius", std::int64_t{radius}}},
                        border + " r" + std::to_string(radius));
        }
    }
}

std::string nameOfCase(const ::testing::TestParamInfo<EveryInstance::ParamType>& one) {
    const auto& [device, type, side] = one.param;
    return std::string(device == "cpu" ? "cpu_" : "gpu_") + std::string(io::nameOf(type)) + "_" + std::to_string(side);
}

INSTANTIATE_TEST_SUITE_P(
    Convolution, EveryInstance,
    ::testing::Combine(kDevices, ::testing::Values(io::PixelType::u8, io::PixelType::u16, io::PixelType::f32),
                       ::testing::Values(1, 31, 33, 70, 72)),
    &nameOfCase);

}  // namespace
}  // namespace warplens::gpu::testing
