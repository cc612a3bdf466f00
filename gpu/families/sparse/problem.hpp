// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/arguments.hpp"
#include "gpu/families/sparse/given_matrix.hpp"
#include "gpu/families/sparse/solver.hpp"
#include "gpu/families/sparse/system.hpp"
#include "gpu/families/sparse/unknowns.hpp"
#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/picture_problem.hpp"
#include "gpu/frame/shared_parameters.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::sparse {

/// What the user may choose.
struct Chosen {
    Task task{};
    Values matrix{};
    std::shared_ptr<const NamedGrid> mask{}, source{};
    std::string at{};
    Method solver{};
    double tolerance = 0;
    std::int64_t iterations = 0;
    double k = 1, step = 0;
    Alpha alpha{};
};
const BoundParameters<Chosen>& parameters();

class StoredMatrix;
struct CompressedRows;

/// What libraries see: y = A x, channel by channel; read again at each launch.
struct LibraryProduct : Case {
    std::uint64_t input = 0, output = 0;
    /// Builds the matrices of a format, one or one a channel, and calls the function with each, which may take memory.
    std::function<void(Format, const std::function<void(const StoredMatrix&)>&)> build{};
    std::size_t which = 0;  ///< of the matrices
    Vector x{}, y{};
};

class SparseProblem;
using SparseFrame = PictureProblem<SparseProblem, KernelEntry, LibraryProduct>;

/// The rows of variants.inc with their kernels and libraries.
const SparseFrame::Ladder& ladder();
/// What builds matrices on a device.
const BuildingEntry& building(const DeviceInfo& device);

/// One picture, and the matrix that its pixels are multiplied by.
class SparseProblem final : public SparseFrame {
public:
    SparseProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    std::string traceRefusal() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    const Case& posed() const { return m_case; }
    const Unknowns& unknowns() const { return m_unknowns; }
    /// Of inpainting and cloning.
    const System& system() const { return *m_system; }
    Method method() const { return m_method; }
    const Stopping& stopping() const { return m_stopping; }
    io::PixelType outputType() const override { return io::PixelType::f32; }
    /// Whether every value is.
    bool finite() const;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;
    void poseProduct(const NamedGrid* mask);
    void poseSolve(const Chosen& chosen);
    std::int64_t mostNonzeros(Format format) const;

    Case m_case;
    std::shared_ptr<const GivenMatrix> m_given;
    Unknowns m_unknowns;
    std::unique_ptr<System> m_system;
    Method m_method = Method::multigrid;
    Stopping m_stopping;
    std::string m_mask;  ///< its name, or empty
    mutable std::mutex m_mutex;
    mutable std::optional<bool> m_finite;                  ///< what finite() found
    mutable std::shared_ptr<const CompressedRows> m_rows;  ///< for kernels of users, once they were needed
};

}  // namespace warplens::gpu::sparse
