// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/opencl/devices.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::opencl {

/// Memory on the device of a queue, freed with the object.
class Memory {
public:
    struct Held;
    explicit Memory(std::unique_ptr<Held> held);
    Memory(Memory&&) noexcept;
    Memory& operator=(Memory&&) noexcept;
    ~Memory();
    const Held& held() const { return *m_held; }

private:
    std::unique_ptr<Held> m_held;
};

/// Local memory of a work-group, as an argument of a kernel.
struct Local {
    std::size_t bytes = 0;
};

/// A kernel compiled for the device of a queue.
class Kernel {
public:
    struct Held;
    explicit Kernel(std::unique_ptr<Held> held);
    Kernel(Kernel&&) noexcept;
    Kernel& operator=(Kernel&&) noexcept;
    ~Kernel();
    const Held& held() const { return *m_held; }

    /// Its arguments in their order: Memory, Local, or a number of the very type of the parameter.
    template <class... A>
    void arguments(const A&... all) {
        unsigned place = 0;
        (argument(place++, all), ...);
    }

private:
    void argument(unsigned place, const Memory& memory);
    void argument(unsigned place, const Local& local);
    void argument(unsigned place, const int& number) { plain(place, &number, sizeof number); }
    void argument(unsigned place, const std::int64_t& number) { plain(place, &number, sizeof number); }
    void argument(unsigned place, const float& number) { plain(place, &number, sizeof number); }
    void plain(unsigned place, const void* value, std::size_t bytes);

    std::unique_ptr<Held> m_held;
};

/// One device, and what goes to it in order. Every member throws Error: unsupported where the device cannot,
/// outOfMemory, else internal.
class Queue {
public:
    /// The device of that place in deviceList(). Throws Error(unsupported) where there is none.
    explicit Queue(int place);
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    ~Queue();

    const DeviceFacts& facts() const { return m_facts; }
    /// At least a byte.
    Memory allocate(std::size_t bytes);
    Memory holding(const void* values, std::size_t bytes);
    void upload(const Memory& to, const void* from, std::size_t bytes);
    void download(void* to, const Memory& from, std::size_t bytes);
    /// Compiles the texts as one program and takes the kernel of that name. A mistake is told by the first line of the
    /// compiler's log that names one.
    Kernel build(const std::vector<std::string>& texts, const std::string& name, const std::string& options = {});
    /// `groups` work-groups of `group` work-items, along x, y and z.
    void launch(const Kernel& kernel, std::array<std::size_t, 3> groups, std::array<std::size_t, 3> group);
    void finish();
    /// Milliseconds from the start of the first kernel that `work` launches to the end of the last one, by the device's
    /// own events; 0 where it launches none.
    double time(const std::function<void()>& work);

private:
    struct Held;
    const DeviceFacts& m_facts;
    std::unique_ptr<Held> m_held;
};

}  // namespace warplens::gpu::opencl
