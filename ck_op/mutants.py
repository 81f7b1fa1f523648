#!/usr/bin/env python3
"""Breaks the operator on purpose, one small change at a time, and shows that the tests notice each.

    ck_op/mutants.py [--only cpu|rewriter|hip] [--match WORDS]

`cpu` and `rewriter` mutants are of the Rust sources: each is applied to a copy of the crates, which has to compile, and the
tests have to fail (half a minute of CPU each). `hip` mutants are of the hand-written kernels' source: compiled for gfx942 by
hipcc, and run in the interpreter against float64; they need FOREBAY_SID, see hip/fetch-sid.sh, and python3 with numpy,
msgpack and pyelftools. Not a step of CI, for the time it takes: there the committed code object's instructions are mutated
(cdna3/tests/test_mutants.py). Exits with 1 if a mutant survives.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
KERNEL, ROWS, BIAS, X86 = (f"src/cpu/{name}.rs" for name in ("kernel", "rows", "bias", "x86"))
OP, LAYOUT, REGISTER, HIP = "src/op.rs", "src/op/layout.rs", "src/register.rs", "src/hip.rs"
MASK, COMPARE, FUSE, EMIT = (f"onnx-rewrite/src/{name}.rs" for name in ("mask", "compare", "fuse", "emit"))
OWN = "hip/kernels/own.hip"
SURVIVED = "SURVIVED"
# Tests of thousands of keys, minutes each without optimisation: shorter ones have to notice.
LONG = ["--skip", "32k", "--skip", "thousands"]

# What is broken, file, text (it must be there once), and what takes its place.
CPU = [
    ("window's right side one short", OP, "keys.min(query + right + 1)", "keys.min(query + right)"),
    ("window's left side one long", OP, "query.saturating_sub(left))", "query.saturating_sub(left + 1))"),
    ("accumulators not rescaled to a new maximum", KERNEL, "if now != before {", "if now.is_nan() {"),
    ("sum of earlier chunks forgotten", KERNEL, "        sum = a.add(sum, old);\n", "        let _ = old;\n"),
    ("maximum of earlier chunks forgotten", KERNEL, "before.max(a.highest(highest))", "a.highest(highest)"),
    ("maximum not subtracted", KERNEL, "a.splat(if now == f32::NEG_INFINITY { 0.0 } else { now })", "a.splat(0.0)"),
    ("a row that sees no key divides by zero", KERNEL, "total == 0.0 ||", "false ||"),
    ("scale without log2(e)", "src/cpu/mod.rs", "attributes.scale * std::f32::consts::LOG2_E", "attributes.scale"),
    ("key bias not added", KERNEL, "x = a.add(x, unsafe { a.load(bias.as_ptr()) });", "let _ = bias;"),
    ("scores outside a row's limits kept", KERNEL, "if edge {\n", "if edge && low > high {\n"),
    ("padding not trimmed from the rows' limits", KERNEL,
     "let limits = clip(plan.window.keys(row + r, keys));", "let limits = plan.window.keys(row + r, keys);"),
    ("padded values read", KERNEL, "            if kept.contains(&key) {\n                E::row(&plan.v",
     "            if key < plan.shape.keys {\n                E::row(&plan.v"),
    ("padded rows computed though unused", KERNEL, "|| !used.contains(&(first_row + r))", ""),
    ("last vector of keys dropped", KERNEL, "(to - chunk).div_ceil(A::LANES)", "(to - chunk) / A::LANES"),
    ("products of bfloat16 pair a row with itself", KERNEL, "row(key + 1, odd_buffer)", "row(key, odd_buffer)"),
    ("packed keys one column off", KERNEL, "panel[column + lane..]", "panel[(column + lane) ^ 1..]"),
    ("rotary embedding with the other sign", KERNEL,
     "a.sub(a.mul(first, load(cos, i)), a.mul(second, load(sin, i)))",
     "a.add(a.mul(first, load(cos, i)), a.mul(second, load(sin, i)))"),
    ("heads of later sequences misplaced", ROWS, "head % self.heads * self.head_step", "head * self.head_step"),
    ("joint projection read as Q throughout", ROWS, "start: part * width", "start: 0"),
    ("one table of the rotary embedding for all sequences", ROWS, "if self.cos.len() == positions * d { 0 }",
     "if self.cos.len() >= positions * d { 0 }"),
    ("first sequence's bias for all", BIAS, "if self.rows.len() == 1 { 0 } else { batch }", "if batch > 0 { 0 } else { batch }"),
    ("a key hidden by -10000 is seen", BIAS, "*x > MASKED_AT_MOST", "*x >= MASKED_AT_MOST"),
    ("a NaN in the bias accepted", BIAS, "x.is_nan() || x == f32::INFINITY", "x == f32::INFINITY"),
    ("AVX-512 keeps scores before the first key", X86, "below(end) & !below(first)", "below(end)"),
    ("AVX2 keeps scores after the last key", X86, "_mm256_andnot_si256(before, inside)",
     "_mm256_andnot_si256(before, _mm256_set1_epi32(-1))"),
    ("exp2 of AVX2 gives no zero", X86, "_mm256_and_ps(scaled, normal)", "{ let _ = normal; scaled }"),
    ("a bias per head accepted", OP, "if heads != 1 {", "if heads < 0 {"),
    ("head_dim of K not checked", OP, '["batch", "heads", "keys", "head_dim"].into_iter().zip(dims)',
     '["batch", "heads", "keys"].into_iter().zip(dims)'),
    ("bytes that overflow accepted", OP, "isize::try_from(bytes).is_ok()", "bytes > 0 || bytes == 0"),
    ("parts of a joint projection not counted", LAYOUT, "if three != 3 {", "if three < 0 {"),
    ("output keeps the dimension of three", REGISTER, "            dims.remove(2);\n", ""),
    ("another instruction set than asked for", REGISTER, "Isa::from_name(&name).ok_or_else", "Some(Isa::Portable).ok_or_else"),
    ("HIP back end of any version accepted", HIP, "if found != ABI {", "if found < 0 {"),
    ("HIP window's sides exchanged", HIP, "window_left: side(attributes.window.left)",
     "window_left: side(attributes.window.right)"),
    ("HIP refusal taken for success", HIP, "if message.is_null() {", "if message.is_null() || call.batch > 0 {"),
]
REWRITER = [
    ("learned window one short", MASK, "left = left.max(query.saturating_sub(key));",
     "left = left.max(query.saturating_sub(key + 1));"),
    ("a mask that is no band accepted", MASK, "self.left.is_none_or(|left| key + left >= query)", "true"),
    ("padding not learned", MASK, "Ok(Meaning { hides_padding: true, ..band })", "Ok(band)"),
    ("a different answer accepted", COMPARE, "if self.error <= accepted {", "if self.error <= accepted || self.cases > 0 {"),
    ("parts of a joint projection in any order", FUSE, "[Some((packed, 0)), Some((second, 1)), Some((third, 2))]",
     "[Some((packed, _)), Some((second, _)), Some((third, _))]"),
    ("bias left out", EMIT, "if meaning.hides_padding { bias.of(wanted) } else { String::new() }",
     "if meaning.hides_padding && options.seed == 0 { bias.of(wanted) } else { String::new() }"),
    ("dead nodes stay", EMIT, "needed.nodes.contains(&(i - 1))", "i > 0 || needed.nodes.contains(&(i - 1))"),
]
KERNELS = [
    ("window's left side one short", "(key >= query - a.left)", "(key > query - a.left)"),
    ("window's right side one short", "(key <= query + a.right)", "(key < query + a.right)"),
    ("no barrier before a tile is overwritten", "    __syncthreads();   // the last tile is read to the end\n", ""),
    ("no barrier before a tile is read", "    __syncthreads();\n\n    float16v s;", "    float16v s;"),
    ("keys past the end read", "      if (key < a.keys) {\n", "      {\n"),
    ("queries past the end read", "query < a.queries ? *(const uint64_t*)(q + i * kDepth + half * 4) : 0",
     "*(const uint64_t*)(q + i * kDepth + half * 4)"),
    ("rows past the end written", "  if (query >= a.queries) return;\n", ""),
    ("maximum not exchanged between the halves", "    highest = fmaxf(highest, __shfl_xor(highest, kRows));\n", ""),
    ("sum not exchanged between the halves", "    sum += __shfl_xor(sum, kRows);\n", ""),
    ("rows of the MFMA misplaced", "return i / 4 * 8 + half * 4 + i % 4;", "return i / 4 * 8 + i % 4 * 2 + half;"),
    ("accumulators not rescaled", "out[t][i] *= shrink;", "out[t][i] *= 1.f;"),
    ("sum not rescaled", "total = total * shrink + sum;", "total = total + sum;"),
    ("first sequence's bias for all", "(size_t)sequence * a.bias_stride", "(size_t)0 * a.bias_stride"),
    ("a hidden key seen", "x <= -1e4f ? kHidden", "x <= -1e30f ? kHidden"),
    ("a hidden key counted", "s[i] > kHidden ? exp2f(s[i] - highest) : 0.f", "exp2f(s[i] - highest)"),
    ("a row without a key divides by zero", "total > 0 ? 1.f / total : 0.f", "1.f / total"),
    ("heads of later sequences misplaced", "(size_t)sequence * a.heads + head", "(size_t)sequence + head"),
    ("values not transposed", "values[from + 2 * j + 1][row] = (uint16_t)(vw[j] >> 16);",
     "values[from + 2 * j + 1][row] = (uint16_t)vw[j];"),
    ("tiles start too late", "start = start < 0 ? 0 : start / kRows * kRows;", "start = start < 0 ? 0 : (start + 31) / kRows * kRows;"),
    ("tiles end too early", "int end = first + kWaves * kRows + a.right;", "int end = first + kRows + a.right;"),
]


def broken(text, old, new, what):
    if text.count(old) != 1:
        sys.exit(f"{what}: the text to change is there {text.count(old)} times: {old!r}")
    return text.replace(old, new)


class Crates:
    """A workspace of the two crates alone, with the versions of the real one."""

    def __init__(self, folder):
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        manifest = (ROOT / "Cargo.toml").read_text()
        members = 'members = ["ck_op", "ck_op/onnx-rewrite"]'
        manifest = re.sub(r"^(default-)?members = \[.*?\]\n", "", manifest, flags=re.S | re.M)
        (folder / "Cargo.toml").write_text(manifest.replace("[workspace]\n", f"[workspace]\n{members}\n", 1))
        shutil.copy(ROOT / "Cargo.lock", folder)
        shutil.copytree(HERE, folder / "ck_op", ignore=shutil.ignore_patterns("cdna3", "__pycache__", "target"))

    def cargo(self, *arguments):
        return subprocess.run(["cargo", "test", "--quiet", "--offline", "-p", "ck-op", *arguments], cwd=self.folder,
                              capture_output=True, text=True, env=os.environ | {"RUST_BACKTRACE": "0"})

    def outcome(self, what, file, old, new, tests):
        """`killed` with the first test that failed, or SURVIVED."""
        path = self.folder / "ck_op" / file
        text = path.read_text()
        path.write_text(broken(text, old, new, what))
        try:
            for test in tests:
                if (built := self.cargo("--no-run", *test[:2])).returncode != 0:
                    return f"DOES NOT COMPILE\n{built.stderr[-2000:]}"
                if (done := self.cargo(*test)).returncode != 0:
                    failed = re.search(r"^---- (\S+) stdout", done.stdout, re.M)
                    return f"killed by {failed[1] if failed else ' '.join(test)}"
            return SURVIVED
        finally:
            path.write_text(text)


def hip_outcome(folder, what, old, new):
    """The mutant in the interpreter, on calls that have everything: several tiles, both masks, two sequences, odd ends."""
    sys.path[:0] = [str(HERE), str(HERE / "cdna3" / "tests")]
    import numpy as np
    from cases import Call
    from cdna3 import gpu
    sources = folder / "hip-mutant"
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(HERE / "hip" / "kernels", sources)
    text = (sources / "own.hip").read_text()
    # One instance: the others are the same source.
    text = "\n".join(line for line in text.splitlines() if not re.match(r"FOREBAY_INSTANCE\((?!f16, F16, 32)", line)) + "\n"
    (sources / "own.hip").write_text(text if old is None else broken(text, old, new, what))
    inside = [str(HERE / "hip" / "in-sid.sh"), os.environ["FOREBAY_SID"]]
    environment = os.environ | {"FOREBAY_OUT": str(folder)}

    def run(*command):
        done = subprocess.run([*inside, *command], env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{what}: {done.stderr[-2000:]}")
        return done.stdout
    run("hipcc", "-O3", "--offload-arch=gfx942", "--cuda-device-only", "--no-gpu-bundle-output", "-I/out/hip-mutant", "-c",
        "/out/hip-mutant/own.hip", "-o", "/out/mutant.co")
    program = gpu.load((folder / "mutant.co").read_bytes(), run("llvm-objdump", "-d", "/out/mutant.co"))
    bias = np.zeros((2, 72), np.float32)
    bias[1, 50:] = -65504
    bias[0, :3] = -np.inf
    hidden = np.zeros((2, 40), np.float32)
    hidden[1] = -np.inf
    calls = [Call("f16", 32, queries=72, keys=72, batch=2, bias=bias, left=20, right=15, magnitude=3),
             Call("f16", 32, queries=150, keys=140, heads=2, batch=2, magnitude=3),
             Call("f16", 32, queries=200, left=20, right=20), Call("f16", 32, queries=40, batch=2, bias=hidden)]
    for number, call in enumerate(calls):
        try:
            if not call.holds(call.run(program, adversarial=True)):
                return f"killed by call {number}: another result"
        except (gpu.Fault, NotImplementedError, OverflowError, ValueError) as fault:
            return f"killed by call {number}: {type(fault).__name__}"
    return SURVIVED


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["cpu", "rewriter", "hip"])
    parser.add_argument("--match", default="", help="mutants whose description holds these words")
    arguments = parser.parse_args()
    results = []

    def chosen(kind, mutants):
        return [m for m in mutants if arguments.match in m[0]] if arguments.only in (None, kind) else []

    def tell(kind, what, outcome):
        results.append(outcome)
        print(f"{kind}: {what}: {outcome}", flush=True)
    target = Path(os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target")))
    # A name that does not change, so that cargo knows the crates again.
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        crates = Crates(target / "ck_op" / "mutants")
        os.environ.setdefault("FOREBAY_ORT_LIB", str(ROOT / ".forebay/ort/libonnxruntime.so"))
        accuracy = ["--test", "accuracy", "--", *LONG]
        for what, file, old, new in chosen("cpu", CPU):
            # First the tests that are there for this file.
            tests = [["--lib"], accuracy, ["--test", "operator"], ["--test", "settings"]]
            if file.startswith("src/cpu/"):
                tests[:2] = reversed(tests[:2])
            elif file in (REGISTER, HIP):
                tests.reverse()
            tell("cpu", what, crates.outcome(what, file, old, new, tests))
        for what, file, old, new in chosen("rewriter", REWRITER):
            tell("rewriter", what, crates.outcome(what, file, old, new, [["--test", "rewrite"]]))
        kernels = chosen("hip", KERNELS)
        if kernels and "FOREBAY_SID" not in os.environ:
            print("hip: NOT RUN: FOREBAY_SID is not set")
        elif kernels:
            unchanged = hip_outcome(folder, "unchanged", None, None)
            if unchanged != SURVIVED:
                sys.exit(f"hip: the unchanged kernel fails: {unchanged}")
            for what, old, new in kernels:
                tell("hip", what, hip_outcome(folder, what, old, new))
    killed = sum(outcome.startswith("killed") for outcome in results)
    print(f"{killed} of {len(results)} killed")
    return killed != len(results)


if __name__ == "__main__":
    sys.exit(main())
