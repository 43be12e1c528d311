# The plugin for CUDA devices: src/nn/cuda, with the toolkit's nvcc, cuBLAS and cuDNN.  No other part of
# the program depends on it; the program loads the plugin if its file exists and a device answers.

find_package(CUDAToolkit QUIET)
# If the toolkit lacks cuBLAS or cuDNN, PyPI's wheels are used, which tools/bootstrap --check puts into .venv.
file(GLOB wheels ${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/*)
find_path(CUBLAS_INCLUDE cublas_v2.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ${wheels} PATH_SUFFIXES include)
find_path(CUDNN_INCLUDE cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ${wheels} PATH_SUFFIXES include)
find_library(CUBLAS_LIBRARY NAMES cublas libcublas.so.${CUDAToolkit_VERSION_MAJOR}
  HINTS ${CUDAToolkit_LIBRARY_DIR} ${wheels} PATH_SUFFIXES lib)
find_library(CUDNN_LIBRARY NAMES cudnn libcudnn.so.9 HINTS ${CUDAToolkit_LIBRARY_DIR} ${wheels} PATH_SUFFIXES lib)

if(NOT CUDAToolkit_FOUND OR NOT CUDAToolkit_NVCC_EXECUTABLE)
  message(STATUS "No plugin for CUDA: there is no toolkit with nvcc")
elseif(NOT CUBLAS_INCLUDE OR NOT CUBLAS_LIBRARY OR NOT CUDNN_INCLUDE OR NOT CUDNN_LIBRARY)
  message(STATUS "No plugin for CUDA: the toolkit is there, cuBLAS or cuDNN is not")
else()
  # nvcc is called by a custom command: CMake's own support for CUDA would test nvcc and the host's C++
  # compiler for every language standard, on every machine.
  set(cuda_object ${CMAKE_BINARY_DIR}/nn_cuda_kernels.o)
  set(BANYAN_CUDA_ARCH "80;90" CACHE STRING "Compute capabilities to build kernels for")
  set(cuda_code)
  foreach(capability ${BANYAN_CUDA_ARCH})
    list(APPEND cuda_code -gencode arch=compute_${capability},code=sm_${capability})
  endforeach()
  list(GET BANYAN_CUDA_ARCH -1 capability)
  list(APPEND cuda_code -gencode arch=compute_${capability},code=compute_${capability})
  add_custom_command(OUTPUT ${cuda_object}
    COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} -std=c++17 -O2 ${cuda_code} -I${CMAKE_SOURCE_DIR}/src
      -Xcompiler -fPIC -c ${CMAKE_SOURCE_DIR}/src/nn/cuda/kernels.cu -o ${cuda_object}
    DEPENDS ${CMAKE_SOURCE_DIR}/src/nn/cuda/kernels.cu ${CMAKE_SOURCE_DIR}/src/nn/cuda/kernels.h
    COMMENT "Compiling the kernels for CUDA" VERBATIM)
  set_source_files_properties(${cuda_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  banyan_sources(cuda_sources nn/cuda)
  add_library(banyan_nn_cuda MODULE ${cuda_sources} ${cuda_object})
  set_target_properties(banyan_nn_cuda PROPERTIES PREFIX "" LINKER_LANGUAGE C)
  target_include_directories(banyan_nn_cuda SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS} ${CUBLAS_INCLUDE}
    ${CUDNN_INCLUDE})
  target_link_libraries(banyan_nn_cuda PRIVATE banyan_nn CUDA::cudart ${CUBLAS_LIBRARY} ${CUDNN_LIBRARY})
  target_link_options(banyan_nn_cuda PRIVATE -Wl,--exclude-libs,ALL)
  install(TARGETS banyan_nn_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/banyan)
endif()
