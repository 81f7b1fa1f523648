# Which generation of ck_tile a folder of headers holds. ck_tile has no version to ask for; its templates tell (see
# kernels/ck.h). What is not known is an error, for arguments in the wrong places compile and compute something else.
#
#   cmake -DCK_INCLUDE_DIR=... -P generation.cmake       says it, for a look at an installation

function(forebay_ck_generation include result)
  set(known "known are 2 to 4 (ROCm 6.3 to 7.2). Build with -DFOREBAY_CK=OFF to have the hand-written kernels alone")
  set(fmha ${include}/ck_tile/ops/fmha)
  foreach(header pipeline/block_fmha_pipeline_problem.hpp kernel/fmha_fwd_kernel.hpp)
    if(NOT EXISTS ${fmha}/${header})
      message(FATAL_ERROR "the ck_tile in ${include} has no ops/fmha/${header}: its generation is unknown; ${known}")
    endif()
  endforeach()
  file(READ ${fmha}/pipeline/block_fmha_pipeline_problem.hpp problem)
  file(READ ${fmha}/kernel/fmha_fwd_kernel.hpp kernel)
  if(kernel MATCHES "TilePartitioner_")
    message(FATAL_ERROR "the ck_tile in ${include} is of generation 1 (before ROCm 6.3), which is not supported; ${known}")
  elseif(problem MATCHES "kUseTrLoad_")
    set(generation 4)
  elseif(problem MATCHES "AttentionVariant_")
    set(generation 3)
  elseif(kernel MATCHES "MakeKargsImpl")
    set(generation 2)
  else()
    message(FATAL_ERROR "the generation of the ck_tile in ${include} is unknown; ${known}")
  endif()
  set(${result} ${generation} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  forebay_ck_generation(${CK_INCLUDE_DIR} generation)
  message("ck_tile of generation ${generation} in ${CK_INCLUDE_DIR}")
endif()
