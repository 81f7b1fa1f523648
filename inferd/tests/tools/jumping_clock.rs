//! A `clock_gettime` for a daemon under test (`LD_PRELOAD`): the time of day jumps by months, back and forth, at each look. Other clocks
//! are as they are, as when a person or NTP sets the time. Built by the test with `rustc` alone; x86-64 Linux.

use std::sync::atomic::{AtomicI64, Ordering};

/// C's `struct timespec`.
#[repr(C)]
pub struct Time {
    seconds: i64,
    nanos: i64,
}

const CLOCK_REALTIME: i32 = 0;
const CLOCK_REALTIME_COARSE: i32 = 5;
const MONTH_SECONDS: i64 = 30 * 24 * 3600;

static LOOKS: AtomicI64 = AtomicI64::new(0);

/// # Safety
///
/// As the C function: `time` must point to a `struct timespec` that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: i32, time: *mut Time) -> i32 {
    const SYS_CLOCK_GETTIME: i64 = 228;
    let mut result = SYS_CLOCK_GETTIME;
    // SAFETY: the system call writes to `time`, which the caller vouches for, and to rcx and r11.
    unsafe {
        core::arch::asm!(
            "syscall",
            inlateout("rax") result,
            in("rdi") i64::from(clock),
            in("rsi") time,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    if result != 0 {
        return -1;
    }
    if clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE {
        let months = LOOKS.fetch_add(1, Ordering::Relaxed) % 11 - 5;
        // SAFETY: the kernel has just written there.
        unsafe { (*time).seconds += months * MONTH_SECONDS };
    }
    0
}
