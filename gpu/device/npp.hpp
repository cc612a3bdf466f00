// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu::library {

// What NPP's functions take, as nppdefs.h has it.
struct NppSize {
    int width = 0, height = 0;
};
struct NppPoint {
    int x = 0, y = 0;
};
struct NppContext {
    void* stream = nullptr;
    int device = 0, multiprocessors = 0, threadsPerMultiprocessor = 0, threadsPerBlock = 0;
    std::size_t sharedBytes = 0;
    int major = 0, minor = 0;
    unsigned flags = 0, reserved = 0;
};
constexpr int kNppReplicate = 2;  ///< of its borders

/// The libraries that it is made of, as far as they are called: libnppidei, libnppif, libnppig, libnppist.
enum class NppPart { exchange, filtering, geometry, statistics };

/// Why functions of these libraries cannot be called, or empty. They are looked for when they are first asked for.
std::string nppRefusal(std::initializer_list<NppPart> parts);
/// Its name for values of this type: "8u", "16u", "32f".
std::string nppNameOf(io::PixelType type);
/// Throws Error(unsupported) when the library has none of this name.
void* nppFunction(NppPart part, const std::string& name);
NppContext nppContext(Device& device);
/// Throws Error(unsupported) unless `status` is a success or a warning.
void nppCheck(int status, const std::string& name);

/// Calls of NPP's on a device's stream that are made together, and the memory that they need.
class NppCalls {
public:
    explicit NppCalls(Device& device) : m_device(&device), m_context(nppContext(device)) {}

    /// Adds a call that launch() makes. `name` is without "_Ctx": every function's last argument is the context.
    /// Arguments have to be of the very types of its prototype; of pointers the address counts alone.
    template <class... A>
    void add(NppPart part, const std::string& name, A... arguments) {
        const auto function = reinterpret_cast<int (*)(A..., NppContext)>(nppFunction(part, name + "_Ctx"));
        m_calls.push_back([=, context = m_context] { nppCheck(function(arguments..., context), name); });
    }
    /// Makes a call at once.
    template <class... A>
    void now(NppPart part, const std::string& name, A... arguments) const {
        const auto function = reinterpret_cast<int (*)(A..., NppContext)>(nppFunction(part, name + "_Ctx"));
        nppCheck(function(arguments..., m_context), name);
    }
    /// Likewise one that knows no context.
    template <class... A>
    void ask(NppPart part, const std::string& name, A... arguments) const {
        nppCheck(reinterpret_cast<int (*)(A...)>(nppFunction(part, name))(arguments...), name);
    }

    /// Memory on the device for as long as the calls.
    Buffer& scratch(std::size_t bytes) { return m_scratch.emplace_back(m_device->allocate(bytes > 0 ? bytes : 1)); }
    /// A list of addresses on the host for as long as the calls.
    void* const* keep(std::vector<void*> addresses) { return m_kept.emplace_back(std::move(addresses)).data(); }
    /// Address of a buffer's byte.
    void* at(std::uint64_t handle, std::size_t offset = 0) const {
        return static_cast<std::byte*>(m_device->context().address(handle)) + offset;
    }
    void* at(const Buffer& buffer, std::size_t offset = 0) const { return at(buffer.handle(), offset); }

    void launch() const {
        for (const auto& call : m_calls) call();
    }
    /// Fills the scratch memory with a pattern, as a session does with its output.
    void poison() const {
        for (const Buffer& buffer : m_scratch) m_device->fill(buffer, 0xff);
    }

private:
    Device* m_device;
    NppContext m_context;
    std::vector<std::function<void()>> m_calls;
    std::deque<Buffer> m_scratch;
    std::deque<std::vector<void*>> m_kept;
};

}  // namespace warplens::gpu::library
