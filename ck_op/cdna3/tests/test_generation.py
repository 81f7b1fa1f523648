"""The generation of ck_tile, told from its headers by hip/generation.cmake: what is unknown is an error that says so."""
import shutil
import subprocess
from pathlib import Path

import pytest

HIP = Path(__file__).parents[2] / "hip"
CMAKE = shutil.which("cmake")
pytestmark = pytest.mark.skipif(CMAKE is None, reason="there is no cmake")

# What tells each generation: the template parameters as its headers name them.
PROBLEM = {
    1: "template <typename Traits_> struct BlockFmhaPipelineProblem",
    2: "template <typename FmhaMask_, typename Traits_> struct BlockFmhaPipelineProblem",
    3: "template <typename AttentionVariant_, typename FmhaMask_, typename Traits_> struct BlockFmhaPipelineProblem",
    4: "template <typename AttentionVariant_, typename FmhaMask_, bool kUseTrLoad_, typename Traits_> struct ...",
}
KERNEL = {1: "template <typename TilePartitioner_, typename FmhaPipeline_, typename EpiloguePipeline_> struct FmhaFwdKernel"}
LATER = "template <typename FmhaPipeline_, typename EpiloguePipeline_> struct FmhaFwdKernel { MakeKargsImpl(); };"


def ask(folder, problem, kernel):
    fmha = folder / "ck_tile" / "ops" / "fmha"
    for name, text in (("pipeline/block_fmha_pipeline_problem.hpp", problem), ("kernel/fmha_fwd_kernel.hpp", kernel)):
        (fmha / name).parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            (fmha / name).write_text(text)
    done = subprocess.run([CMAKE, f"-DCK_INCLUDE_DIR={folder}", "-P", HIP / "generation.cmake"], capture_output=True, text=True)
    # CMake breaks its messages into lines.
    return done.returncode, " ".join((done.stdout + done.stderr).split())


@pytest.mark.parametrize("generation", [2, 3, 4])
def test_each_known_generation_is_told(tmp_path, generation):
    status, text = ask(tmp_path, PROBLEM[generation], LATER)
    assert (status, text) == (0, f"ck_tile of generation {generation} in {tmp_path}")


def test_generation_1_is_refused_by_name(tmp_path):
    status, text = ask(tmp_path, PROBLEM[1], KERNEL[1])
    assert status != 0 and "generation 1" in text and "known are 2 to 4" in text


@pytest.mark.parametrize("problem,kernel", [
    ("// renamed in a later release", "template <typename Pipeline> struct FmhaForward;"),
    (PROBLEM[4], None),
    (None, LATER),
])
def test_an_unknown_generation_is_an_error_that_says_what_is_known_and_the_way_out(tmp_path, problem, kernel):
    status, text = ask(tmp_path, problem, kernel)
    assert status != 0
    assert str(tmp_path) in text and "unknown" in text and "known are 2 to 4" in text and "-DFOREBAY_CK=OFF" in text


@pytest.mark.parametrize("generation", [2, 3, 4])
def test_the_shim_of_the_kernels_knows_the_same_generations(generation):
    assert f"//   {generation}  " in (HIP / "kernels" / "ck.h").read_text()
