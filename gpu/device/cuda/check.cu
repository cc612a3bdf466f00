// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/check.hpp"

namespace warplens::gpu::cuda {

bool isSticky(cudaError_t result) {
    switch (result) {
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchTimeout:
        case cudaErrorAssert:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorLaunchFailure:
        case cudaErrorECCUncorrectable: return true;
        default: return false;
    }
}

void check(cudaError_t result, const char* call, const std::string& what) {
    if (result == cudaSuccess) return;
    // A failure that is not sticky must not be found again by the next call.
    cudaGetLastError();
    const std::string code = cudaGetErrorName(result);
    std::string where(call);
    where = where.substr(0, where.find('('));
    const std::string message = "cuda: " + where + (what.empty() ? "" : " (" + what + ")") + " failed with " + code +
                                ", " + cudaGetErrorString(result) + ": ";
    if (isSticky(result))
        throw Error(Error::Kind::fault, message + "the GPU is lost to this process: restart Warplens", code);
    switch (result) {
        case cudaErrorMemoryAllocation:
            throw Error(Error::Kind::outOfMemory, message + "close other GPU programs or take a smaller picture", code);
        case cudaErrorInsufficientDriver:
            throw Error(Error::Kind::driverTooOld, message + "update the NVIDIA driver, or use the device 'cpu'", code);
        case cudaErrorNoDevice:
        case cudaErrorInvalidDevice:
        case cudaErrorInitializationError:
        case cudaErrorDevicesUnavailable:
            throw Error(Error::Kind::noDevice, message + "check nvidia-smi, or use the device 'cpu'", code);
        case cudaErrorInvalidConfiguration:
        case cudaErrorLaunchOutOfResources:
            throw Error(Error::Kind::unsupported, message + "choose a smaller block", code);
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorUnsupportedPtxVersion:
            throw Error(Error::Kind::unsupported,
                        message + "this build has no code for this GPU: build with its architecture", code);
        default: throw Error(Error::Kind::internal, message + "report this with the command that led to it", code);
    }
}

}  // namespace warplens::gpu::cuda
