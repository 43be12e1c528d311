# The plugin for CUDA devices: src/nn/cuda, with the toolkit's nvcc, cuBLAS and cuDNN.  Nothing else
# of the program knows it; it is loaded when it is there and a device answers.

find_package(CUDAToolkit QUIET)
find_path(CUDNN_INCLUDE cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_library(CUDNN_LIBRARY NAMES cudnn libcudnn.so.9 HINTS ${CUDAToolkit_LIBRARY_DIR})

if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE AND CUDNN_INCLUDE AND CUDNN_LIBRARY
    AND TARGET CUDA::cublas)
  # nvcc by hand: CMake's own support would test a compiler for every language standard that it
  # knows, and with it the host's C++ compiler, on every machine.
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
  target_include_directories(banyan_nn_cuda SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS} ${CUDNN_INCLUDE})
  target_link_libraries(banyan_nn_cuda PRIVATE banyan_nn CUDA::cudart CUDA::cublas ${CUDNN_LIBRARY})
  target_link_options(banyan_nn_cuda PRIVATE -Wl,--exclude-libs,ALL)
  install(TARGETS banyan_nn_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/banyan)
endif()
