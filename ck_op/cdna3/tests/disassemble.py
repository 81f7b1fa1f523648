"""Disassembly of a code object that was just built: by llvm-objdump, here or in the folder that in-sid.sh knows."""
import os
import shlex
import subprocess
import tempfile

from cdna3 import own


def disassembler(code):
    """The text for these bytes: the committed one where they are the committed ones."""
    committed, text = own.committed()
    if code == committed:
        return text
    with tempfile.NamedTemporaryFile(suffix=".co", dir=os.environ.get("FOREBAY_CK_SCRATCH")) as file:
        file.write(code)
        file.flush()
        # FOREBAY_OBJDUMP may be a command with words, and see the file under another path: {} is its name.
        command = os.environ.get("FOREBAY_OBJDUMP", "llvm-objdump -d " + os.path.dirname(file.name) + "/{}")
        words = [word.replace("{}", os.path.basename(file.name)) for word in shlex.split(command)]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout
