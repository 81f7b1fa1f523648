"""The device's address space: a set of allocations, every access checked."""
import numpy as np

FIRST_ADDRESS = 0x10_0000_0000
ALIGNMENT = 0x10000


class Fault(Exception):
    """The program did something that hardware may punish or, worse, may not."""


class Memory:
    """Allocations that never touch, so that one byte past an end is nobody's."""

    def __init__(self):
        self.ranges = []   # (start, end, bytes)
        self.next = FIRST_ADDRESS

    def add(self, array):
        """Maps an array (shared, not copied) and returns its device address."""
        start = self.next
        self.map(start, array)
        self.next = (start + array.nbytes + ALIGNMENT) & ~(ALIGNMENT - 1)
        return start

    def map(self, start, array):
        """Maps an array at a given address, as a host pointer in a test of the real library is one."""
        if not array.flags.c_contiguous:
            raise ValueError("only contiguous arrays can be mapped")
        flat = array.reshape(-1).view(np.uint8) if array.size else np.zeros(0, np.uint8)
        self.ranges.append((start, start + array.nbytes, flat))

    def _find(self, address, size, what):
        for start, end, data in self.ranges:
            if start <= address and address + size <= end:
                return address - start, data
        raise Fault(f"{what} of {size} bytes at {address:#x}, which is not allocated")

    def read(self, addresses, size):
        """`size` bytes at each address: uint8 [len(addresses), size]."""
        addresses = addresses.astype(np.int64)
        out = np.empty((len(addresses), size), np.uint8)
        if not len(addresses):
            return out
        low, high = int(addresses.min()), int(addresses.max())
        for start, end, data in self.ranges:
            if start <= low and high + size <= end:
                return data[(addresses - start)[:, None] + np.arange(size)]
        for i, address in enumerate(addresses):
            offset, data = self._find(int(address), size, "read")
            out[i] = data[offset:offset + size]
        return out

    def write(self, addresses, rows):
        """One row of bytes to each address, in order: the last of equal addresses wins."""
        for address, row in zip(addresses, rows):
            offset, data = self._find(int(address), len(row), "write")
            data[offset:offset + len(row)] = row
