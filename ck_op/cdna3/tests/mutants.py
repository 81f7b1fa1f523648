"""Programs with one instruction changed."""
import copy

from cdna3 import gpu

KERNEL = "forebay_fmha_f16_d32"
STRICT = {"v_cmp_le_i32_e64": "v_cmp_lt_i32_e64", "v_cmp_ge_i32_e64": "v_cmp_gt_i32_e64"}


def instructions(program, wanted):
    """Instructions of the kernel, in order."""
    start = program.symbols[KERNEL]
    end = min((address for name, address in program.symbols.items()
               if address > start and not name.endswith(".kd")), default=1 << 62)
    return [i for pc, i in sorted(program.code.items()) if start <= pc < end and wanted(i)]


def mutate(program, instruction, change):
    mutant = copy.copy(program)
    mutant.code = dict(program.code)
    changed = copy.copy(instruction)
    if change == "remove":
        changed.name, changed.run, changed.text = "s_nop", gpu.OPERATIONS["s_nop"], "removed"
    else:
        changed.name = STRICT[instruction.name]
        changed.run = gpu.OPERATIONS[changed.name]
    mutant.code[instruction.pc] = changed
    return mutant


def kept_running(program, calls):
    """Do all calls still give what they should, with memory at its slowest?"""
    for call in calls:
        try:
            if not call.holds(call.run(program, adversarial=True)):
                return False
        except (gpu.Fault, NotImplementedError, OverflowError, ValueError):
            return False
    return True
