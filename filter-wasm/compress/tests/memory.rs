//! How much memory a request takes, by an allocator that counts.

#![allow(unsafe_code, reason = "a global allocator can only be written so")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use compress::{Compressor, Config, Mode, Role, SelectRequest};

struct Counting;

thread_local! {
    /// Bytes in use, their peak, and allocations, of this thread: tests run side by side.
    static COUNTS: Cell<(isize, isize, usize)> = const { Cell::new((0, 0, 0)) };
}

fn count(bytes: isize) {
    // A thread that ends frees after its counts are gone.
    let _ = COUNTS.try_with(|counts| {
        let (now, peak, calls) = counts.get();
        let now = now + bytes;
        counts.set((now, peak.max(now), calls + usize::from(bytes > 0)));
    });
}

// SAFETY: every call is handed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const KIB: usize = 1024;

/// Peak of the heap in bytes, and allocations, of one request.
fn cost(text: &str) -> (usize, usize) {
    let texts = [text];
    let request = SelectRequest {
        texts: &texts,
        roles: &[Role::User],
        flagged: &[],
        budget_tokens: 512,
        mode: Mode::Guarded,
    };
    // What is built once for all requests is not counted.
    let _once = Compressor::new(&Config::default());
    COUNTS.set((0, 0, 0));
    let mut compressor = Compressor::new(&Config::default());
    for end in (16 * KIB..text.len()).step_by(16 * KIB).filter(|end| text.is_char_boundary(*end)) {
        compressor.advance(0, &text[..end], false);
    }
    compressor.advance(0, text, true);
    let kept = compressor.select(request).tokens_kept;
    let (_, peak, calls) = COUNTS.get();
    assert!(kept <= 512);
    (usize::try_from(peak).unwrap_or(0), calls)
}

/// Sentences of words drawn from a vocabulary with a long tail.
fn prose(bytes: usize) -> String {
    let mut state = 7u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % bound
    };
    let mut text = String::new();
    while text.len() < bytes {
        for word in 0..14 {
            let rank = below(40) * below(40) * below(40) / 40;
            text += &format!("{}{}", if word == 0 { "W" } else { " w" }, rank * 37 % 1601);
        }
        text += ". ";
    }
    text
}

#[test]
fn memory_is_at_most_four_times_the_text_and_a_constant() {
    // The constant: counts of trigrams, the lexicon, and tables that double.
    let constant = 192 * KIB;
    for kib in [1, 8, 32, 64, 256, 1024] {
        let text = prose(kib * KIB);
        let (peak, _) = cost(&text);
        assert!(peak <= 4 * text.len() + constant, "{} KiB for {kib} KiB", peak / KIB);
    }
}

#[test]
fn hostile_text_has_a_bound_too() {
    let constant = 768 * KIB;
    let han = |bytes: usize| -> String {
        (0..bytes / 3)
            .filter_map(|n| char::from_u32(0x4E00 + u32::try_from(n * n * 31 % 9000).ok()?))
            .collect()
    };
    for kib in [32, 1024] {
        for text in ["Yes. No. Maybe. ".repeat(kib * 64), "x".repeat(kib * KIB), han(kib * KIB)] {
            let (peak, _) = cost(&text);
            assert!(peak <= 8 * text.len() + constant, "{} KiB for {kib} KiB", peak / KIB);
        }
    }
}

#[test]
fn nothing_is_allocated_for_each_word() {
    let (_, few) = cost(&prose(64 * KIB));
    let (_, many) = cost(&prose(512 * KIB));
    // Lists grow, so there are a few more; 75,000 more words are read.
    assert!(few < 900 && many < few + 400, "{few} allocations for 64 KiB, {many} for 512 KiB");
}
