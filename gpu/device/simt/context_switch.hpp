// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace warplens::gpu::simt {

/// One side of a switch between two stacks of one OS thread: the scheduler, or a fiber. The only place that jumps,
/// since the sanitizers must be told before and after.
class Stack {
public:
    Stack() = default;
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;
    ~Stack() {
#if defined(__SANITIZE_THREAD__)
        if (m_owned) __tsan_destroy_fiber(m_tsan);
#endif
    }

    /// Makes this the scheduler's own side: the stack that runs now.
    void adopt() {
#if defined(__SANITIZE_THREAD__)
        m_tsan = __tsan_get_current_fiber();
#endif
    }

    /// Makes this a fresh fiber on [bottom, bottom + bytes) that begins in `entry` at the first switch. What ran on the
    /// stack before is abandoned.
    void reset(void* bottom, std::size_t bytes, void (*entry)(boost::context::detail::transfer_t)) {
        m_bottom = bottom;
        m_bytes = bytes;
#if defined(__SANITIZE_ADDRESS__)
        __asan_unpoison_memory_region(bottom, bytes);
        m_fake = nullptr;
#endif
#if defined(__SANITIZE_THREAD__)
        if (m_owned) __tsan_destroy_fiber(m_tsan);
        m_tsan = __tsan_create_fiber(0);
        m_owned = true;
#endif
        m_context = boost::context::detail::make_fcontext(static_cast<char*>(bottom) + bytes, bytes, entry);
    }

    /// Leaves `from`, which runs now, for `to`; returns when somebody switches back to `from`.
    static void jump(Stack& from, Stack& to) {
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_start_switch_fiber(&from.m_fake, to.m_bottom, to.m_bytes);
#endif
#if defined(__SANITIZE_THREAD__)
        __tsan_switch_to_fiber(to.m_tsan, 0);
#endif
        const auto back = boost::context::detail::jump_fcontext(to.m_context, &from);
        arrived(from, back);
    }

    /// To be called first thing in a fiber's entry, with what it was given.
    static void arrived(Stack& self, boost::context::detail::transfer_t transfer) {
        auto& origin = *static_cast<Stack*>(transfer.data);
        origin.m_context = transfer.fctx;
#if defined(__SANITIZE_ADDRESS__)
        // The scheduler's bounds are learnt here; a fiber's are known, and come out the same.
        const void* bottom = nullptr;
        std::size_t bytes = 0;
        __sanitizer_finish_switch_fiber(self.m_fake, &bottom, &bytes);
        origin.m_bottom = const_cast<void*>(bottom);
        origin.m_bytes = bytes;
#else
        (void)self;
#endif
    }

private:
    boost::context::detail::fcontext_t m_context = nullptr;
    void* m_bottom = nullptr;
    std::size_t m_bytes = 0;
#if defined(__SANITIZE_ADDRESS__)
    void* m_fake = nullptr;
#endif
#if defined(__SANITIZE_THREAD__)
    void* m_tsan = nullptr;
    bool m_owned = false;
#endif
};

}  // namespace warplens::gpu::simt
