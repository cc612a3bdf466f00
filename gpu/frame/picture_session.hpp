// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/kernels/transfer.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>

namespace warplens::gpu {

/// A PictureProblem whose kernels make the whole output in one launch, unless launch() is overridden, on a device where
/// its planes lie already. A is what launchers and libraries see, made of the problem's posed().
template <class P, class A>
class PictureSession : public Session {
public:
    PictureSession(const P& problem, Device& device, const Resident& resident)
        : m_problem(problem), m_device(device), m_arguments{problem.posed()} {
        const auto values = static_cast<std::size_t>(problem.outputShape().values());
        m_output = device.allocate(values * io::sizeOf(problem.outputType()));
        m_arguments.input = resident.planes.handle();
        m_arguments.output = m_output.handle();
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_kernel = m_problem.rows().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_library = {};  // its memory goes before the next is asked for
        if (m_kernel == nullptr) m_library = m_problem.rows().libraryOf(variant)->open(m_device, m_arguments);
    }
    void launch() override {
        if (m_kernel == nullptr) return m_library.launch();
        if constexpr (requires { m_kernel->launch(m_device.context(), m_arguments, m_tunables); })
            m_kernel->launch(m_device.context(), m_arguments, m_tunables);
        else
            throw std::logic_error("a session whose kernels take other arguments launches them itself");
    }
    void poisonOutput() override {
        m_device.fill(m_output, 0xff);
        if (m_library.poison) m_library.poison();
    }
    Result download(double& layoutMs, double& downloadMs) override {
        if (m_library.finish) m_library.finish();
        auto output = m_problem.emptyOutput();
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return {.picture = std::move(output)};
    }
    std::optional<DevicePicture> picture() const override {
        if (m_library.finish) return std::nullopt;  // it is not there yet
        return DevicePicture{&m_output, m_problem.outputShape(), m_problem.outputType()};
    }

protected:
    using Kernel = std::remove_cvref_t<decltype(std::declval<const P&>().rows().anyBuildOf(std::declval<Variant>()))>;

    const P& m_problem;
    Device& m_device;
    A m_arguments;
    Buffer m_output;
    const Kernel* m_kernel = nullptr;  ///< null: a library
    LibraryCalls m_library;
    TunableValues m_tunables;
};

}  // namespace warplens::gpu
