// SPDX-License-Identifier: Apache-2.0
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

namespace warplens::gpu::opencl {

/// The functions that are called, of whatever loader is found: no program is linked to one.
#define WARPLENS_OPENCL_FUNCTIONS(row)                                                                            \
    row(clGetPlatformIDs) row(clGetPlatformInfo) row(clGetDeviceIDs) row(clGetDeviceInfo) row(clCreateContext)    \
        row(clReleaseContext) row(clCreateCommandQueue) row(clReleaseCommandQueue) row(clCreateBuffer)            \
            row(clReleaseMemObject) row(clCreateProgramWithSource) row(clBuildProgram) row(clGetProgramBuildInfo) \
                row(clReleaseProgram) row(clCreateKernel) row(clReleaseKernel) row(clSetKernelArg)                \
                    row(clGetKernelWorkGroupInfo) row(clEnqueueNDRangeKernel) row(clEnqueueWriteBuffer)           \
                        row(clEnqueueReadBuffer) row(clFinish) row(clGetEventProfilingInfo) row(clReleaseEvent)

struct Library {
#define WARPLENS_OPENCL_MEMBER(name) decltype(&::name) name = nullptr;
    WARPLENS_OPENCL_FUNCTIONS(WARPLENS_OPENCL_MEMBER)
#undef WARPLENS_OPENCL_MEMBER
};

/// The loader of that file name, or null where there is none or it lacks a function.
const Library* loadLibrary(const char* name);
/// libOpenCL.so.1, looked for once. It stays loaded: drivers do not like to be unloaded.
const Library* library();

/// The device of that place among deviceList().devices.
cl_device_id deviceAt(int place);

}  // namespace warplens::gpu::opencl
