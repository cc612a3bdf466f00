// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/nvml.hpp"

#include <dlfcn.h>

namespace warplens::gpu {

/// The few entry points used; types and values as nvml.h has them.
struct Nvml::Library {
    void* handle = nullptr;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*byUuid)(const char*, void**) = nullptr;
    int (*clock)(void*, int type, unsigned* mhz) = nullptr;
    int (*throttle)(void*, unsigned long long* reasons) = nullptr;
};

namespace {

constexpr int kSmClock = 1;
// Held back by the power cap, by heat, or by a hardware slowdown; idle and application settings are no throttling.
constexpr unsigned long long kPowerCap = 0x4, kHardware = 0x8, kSoftwareHeat = 0x20, kHardwareHeat = 0x40,
                             kPowerBrake = 0x80;

template <class F>
void load(void* handle, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(handle, name));
}

}  // namespace

Nvml::Nvml() : m_library(std::make_unique<Library>()) {
    auto& l = *m_library;
    l.handle = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (l.handle == nullptr) return;
    load(l.handle, "nvmlInit_v2", l.init);
    load(l.handle, "nvmlShutdown", l.shutdown);
    load(l.handle, "nvmlDeviceGetHandleByUUID", l.byUuid);
    load(l.handle, "nvmlDeviceGetClockInfo", l.clock);
    load(l.handle, "nvmlDeviceGetCurrentClocksThrottleReasons", l.throttle);
    if (l.init == nullptr || l.init() != 0) {
        dlclose(l.handle);
        l = {};
    }
}

Nvml::~Nvml() {
    if (m_library->handle == nullptr) return;
    if (m_library->shutdown != nullptr) m_library->shutdown();
    dlclose(m_library->handle);
}

void* Nvml::deviceOf(const std::string& uuid) {
    if (m_uuid != uuid) {
        m_uuid = uuid;
        if (m_library->byUuid == nullptr || m_library->byUuid(uuid.c_str(), &m_device) != 0) m_device = nullptr;
    }
    return m_device;
}

int Nvml::smClockMhz(const std::string& uuid) {
    unsigned mhz = 0;
    void* device = deviceOf(uuid);
    if (device == nullptr || m_library->clock == nullptr || m_library->clock(device, kSmClock, &mhz) != 0) return 0;
    return static_cast<int>(mhz);
}

void Nvml::addThrottling(const std::string& uuid, ClockState& state) {
    unsigned long long reasons = 0;
    void* device = deviceOf(uuid);
    if (device == nullptr || m_library->throttle == nullptr || m_library->throttle(device, &reasons) != 0) return;
    const auto add = [&](unsigned long long bit, const char* text) {
        if ((reasons & bit) == 0) return;
        state.throttled = true;
        if (state.reason.find(text) != std::string::npos) return;
        state.reason += (state.reason.empty() ? "" : ", ") + std::string(text);
    };
    add(kPowerCap, "power cap");
    add(kHardware, "hardware slowdown");
    add(kSoftwareHeat | kHardwareHeat, "heat");
    add(kPowerBrake, "power brake");
}

}  // namespace warplens::gpu
