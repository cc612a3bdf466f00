// SPDX-License-Identifier: Apache-2.0
#include "gui/jobs/job_result.hpp"

#include "gpu/core/error.hpp"
#include "io/error.hpp"

#include <QCoreApplication>
#include <new>

namespace warplens::gui {

namespace {

JobFailure::Kind kindOf(io::Error::Kind kind) {
    switch (kind) {
        case io::Error::Kind::cancelled: return JobFailure::Kind::cancelled;
        case io::Error::Kind::argument: return JobFailure::Kind::argument;
        default: return JobFailure::Kind::file;
    }
}

JobFailure::Kind kindOf(gpu::Error::Kind kind) {
    switch (kind) {
        case gpu::Error::Kind::cancelled: return JobFailure::Kind::cancelled;
        case gpu::Error::Kind::argument:
        case gpu::Error::Kind::unsupported: return JobFailure::Kind::argument;
        case gpu::Error::Kind::internal: return JobFailure::Kind::internal;
        default: return JobFailure::Kind::device;
    }
}

}  // namespace

JobFailure failureOf(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const io::Error& e) {
        return {kindOf(e.kind()), QString::fromUtf8(e.what())};
    } catch (const gpu::Error& e) {
        return {kindOf(e.kind()), QString::fromUtf8(e.what())};
    } catch (const std::bad_alloc&) {
        return {JobFailure::Kind::internal,
                QCoreApplication::translate("Jobs",
                                            "Not enough memory for this picture; close others or take a smaller one.")};
    } catch (const std::exception& e) {
        return {JobFailure::Kind::internal, QString::fromUtf8(e.what())};
    } catch (...) {
        return {JobFailure::Kind::internal,
                QCoreApplication::translate("Jobs", "An unknown failure stopped the work.")};
    }
}

}  // namespace warplens::gui
