//! The kernel alone, without ONNX Runtime: CPU milliseconds and GFLOP/s per instruction set.
//!
//! `cargo run --release -p ck-op --example kernel_speed [queries...]`, one thread, 12 heads of 32 and 64.

#![allow(clippy::print_stdout, reason = "its output is what it is for")]

use std::mem::MaybeUninit;

use forebay_ck_op::cpu::{self, Isa, Serial, Tensors};
use forebay_ck_op::op::{Attributes, Layout, Shape, Window};

/// CPU time of this process: wall time says nothing on a shared machine.
fn cpu_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

fn main() {
    let mut lengths: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    if lengths.is_empty() {
        lengths = vec![512, 2048];
    }
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    for (n, head_dim) in lengths.into_iter().flat_map(|n| [(n, 32), (n, 64)]) {
        let shape = Shape { batch: 1, heads: 12, queries: n, keys: n, head_dim };
        let [q, k, v]: [Vec<f32>; 3] =
            std::array::from_fn(|_| (0..shape.query_elements()).map(|_| random()).collect());
        let mut out = vec![0.0f32; q.len()];
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            let mut workspace = vec![MaybeUninit::uninit(); cpu::workspace_words(isa, &shape)];
            for (name, window) in
                [("global", Window::OPEN), ("local", Window { left: Some(64), right: Some(64) })]
            {
                let attributes = Attributes {
                    scale: 0.125,
                    window,
                    padded_queries_unused: false,
                    allow_bf16: true,
                };
                let pairs: usize = (0..n).map(|i| window.keys(i, n).len()).sum();
                let flops = 4.0 * head_dim as f64 * 12.0 * pairs as f64;
                let mut best = f64::INFINITY;
                for _ in 0..if n > 4000 { 2 } else { 7 } {
                    let tensors = Tensors {
                        layout: Layout::HeadsFirst,
                        q: &q,
                        k: &k,
                        v: &v,
                        key_bias: None,
                        rotary: None,
                        out: &mut out,
                    };
                    let start = cpu_seconds();
                    cpu::attention(isa, &shape, &attributes, tensors, &Serial, &mut workspace)
                        .unwrap_or_else(|error| println!("{error}"));
                    best = best.min(cpu_seconds() - start);
                }
                println!(
                    "{n:6} d{head_dim} {name:7} {:12} {:9.2} ms {:7.1} GFLOP/s",
                    isa.name(),
                    best * 1e3,
                    flops / best * 1e-9
                );
            }
        }
    }
}
