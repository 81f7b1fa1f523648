//! The CPU back end against float64, on every instruction set of this machine.
//!
//! The rule: the largest error is at most twice that of a plain implementation in the same precision (plus one unit of
//! that precision, for cases where the plain one happens to be exact).

#![allow(
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::panic,
    reason = "test arithmetic on small numbers"
)]

mod support;

use forebay_ck_op::cpu::{self, Isa, Serial};
use forebay_ck_op::op::{Attributes, Layout, Shape, Window};
use forebay_ck_op::reference;
use half::f16;
use support::{Case, Inputs, Padding, Precision, largest_error, plain, run};

fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_available())
}

fn precision(isa: Isa) -> Precision {
    if isa == Isa::Avx512Bf16 { Precision::Bf16 } else { Precision::F32 }
}

fn hold_to_the_rule(case: &Case) {
    let inputs = Inputs::random(case);
    let exact = inputs.exact(case);
    for isa in isas() {
        let out = run(isa, case, &inputs);
        let precision = precision(isa);
        let ours = largest_error(&out, &exact);
        let theirs = largest_error(&plain(case, &inputs, precision), &exact);
        let unit = precision.unit() * inputs.largest_value();
        assert!(ours <= 2.0 * theirs + unit, "{isa:?} {case:?}: error {ours:e}, plain {theirs:e}");
    }
}

const LENGTHS: [usize; 17] =
    [1, 2, 11, 12, 13, 31, 32, 33, 95, 96, 97, 191, 251, 255, 256, 257, 509];

#[test]
fn every_length_around_a_tile_edge_holds() {
    for n in LENGTHS {
        hold_to_the_rule(&Case { queries: n, keys: n, ..Case::default() });
    }
}

#[test]
fn every_head_dim_holds() {
    for head_dim in [32, 64, 128] {
        for (queries, keys) in [(97, 97), (1, 300), (300, 1), (13, 257)] {
            hold_to_the_rule(&Case { head_dim, queries, keys, ..Case::default() });
        }
    }
}

#[test]
fn every_window_holds() {
    let sides = [None, Some(0), Some(1), Some(63), Some(64)];
    for left in sides {
        for right in sides {
            for n in [1, 64, 65, 200, 421] {
                let window = Window { left, right };
                hold_to_the_rule(&Case { queries: n, keys: n, window, ..Case::default() });
            }
        }
    }
}

#[test]
fn windows_with_more_queries_than_keys_hold() {
    let window = Window { left: Some(3), right: Some(5) };
    for (queries, keys) in [(300, 40), (40, 300), (130, 97)] {
        hold_to_the_rule(&Case { queries, keys, window, ..Case::default() });
    }
}

#[test]
fn ragged_padding_on_either_side_holds() {
    for padding in [Padding::Right, Padding::Left, Padding::Holes, Padding::Soft] {
        for window in [Window::OPEN, Window { left: Some(64), right: Some(64) }] {
            for n in [5, 96, 130, 300] {
                hold_to_the_rule(&Case {
                    batch: 3,
                    queries: n,
                    keys: n,
                    window,
                    padding,
                    ..Case::default()
                });
            }
        }
    }
}

#[test]
fn large_logits_do_not_overflow() {
    for window in [Window::OPEN, Window { left: Some(64), right: Some(64) }] {
        hold_to_the_rule(&Case {
            queries: 300,
            keys: 300,
            magnitude: 60.0,
            window,
            ..Case::default()
        });
    }
}

#[test]
fn sequences_of_thousands_hold() {
    hold_to_the_rule(&Case { heads: 1, queries: 2053, keys: 2053, ..Case::default() });
    let window = Window { left: Some(64), right: Some(64) };
    hold_to_the_rule(&Case { heads: 1, queries: 32_749, keys: 32_749, window, ..Case::default() });
}

#[test]
fn a_global_layer_of_32k_keys_holds_on_sampled_rows() {
    // Without a window a row does not depend on its position, so few queries over all keys test the long sum; the full
    // square is then run once, on the fastest set, and its rows compared with theirs.
    let n = 32_768;
    let case = Case { heads: 1, queries: 24, keys: n, ..Case::default() };
    hold_to_the_rule(&case);
    let isa = Isa::choose(false, None);
    let mut inputs = Inputs::random(&case);
    let few = run(isa, &case, &inputs);
    let rows = inputs.q.clone();
    inputs.q = rows.iter().copied().cycle().take(n * case.head_dim).collect();
    let all = run(isa, &Case { queries: n, ..case }, &inputs);
    for (i, row) in all.chunks_exact(case.head_dim).enumerate() {
        assert_eq!(row, &few[i % 24 * case.head_dim..][..case.head_dim], "row {i}");
    }
}

#[test]
fn a_row_without_a_key_is_zero() {
    let case =
        Case { batch: 2, queries: 40, keys: 40, padding: Padding::AllInSecond, ..Case::default() };
    let inputs = Inputs::random(&case);
    for isa in isas() {
        let out = run(isa, &case, &inputs);
        let (first, second) = out.split_at(out.len() / 2);
        assert!(first.iter().any(|&x| x != 0.0));
        assert!(second.iter().all(|&x| x == 0.0), "{isa:?}");
    }
}

#[test]
fn what_padding_holds_never_reaches_a_result() {
    let case =
        Case { batch: 3, queries: 130, keys: 130, padding: Padding::Right, ..Case::default() };
    let inputs = Inputs::random(&case);
    let poisoned = inputs.with_poisoned_padding(&case, f32::NAN);
    for isa in isas() {
        assert_eq!(run(isa, &case, &inputs), run(isa, &case, &poisoned), "{isa:?}");
    }
}

#[test]
fn a_batch_gives_each_sequence_its_own_result() {
    let case =
        Case { batch: 3, queries: 131, keys: 131, padding: Padding::Left, ..Case::default() };
    let inputs = Inputs::random(&case);
    let one = Case { batch: 1, ..case };
    for isa in isas() {
        let together = run(isa, &case, &inputs);
        let size = together.len() / 3;
        for b in 0..3 {
            let alone = run(isa, &one, &inputs.sequence(&case, b));
            assert_eq!(alone, &together[b * size..][..size], "{isa:?} sequence {b}");
        }
    }
}

#[test]
fn skipped_padded_queries_are_zero_and_the_others_do_not_change() {
    for padding in [Padding::Right, Padding::Left] {
        let case = Case { batch: 3, queries: 300, keys: 300, padding, ..Case::default() };
        let inputs = Inputs::random(&case);
        let skipping = Case { padded_queries_unused: true, ..case };
        for isa in isas() {
            let all = run(isa, &case, &inputs);
            let some = run(isa, &skipping, &inputs);
            let mut skipped = 0;
            for (row, (all, some)) in
                all.chunks_exact(case.head_dim).zip(some.chunks_exact(case.head_dim)).enumerate()
            {
                let (batch, query) = (row / (case.heads * 300), row % 300);
                if inputs.is_masked(&case, batch, query) {
                    skipped += 1;
                    assert!(some.iter().all(|&x| x == 0.0), "{isa:?} {padding:?} row {row}");
                } else {
                    assert_eq!(all, some, "{isa:?} {padding:?} row {row}");
                }
            }
            assert!(skipped > 0);
        }
    }
}

#[test]
fn nan_in_a_query_is_not_hidden() {
    let case = Case { queries: 20, keys: 20, heads: 1, ..Case::default() };
    let mut inputs = Inputs::random(&case);
    inputs.q[5 * case.head_dim] = f32::NAN;
    for isa in isas() {
        let out = run(isa, &case, &inputs);
        for (i, row) in out.chunks_exact(case.head_dim).enumerate() {
            assert_eq!(row.iter().all(|x| x.is_nan()), i == 5, "{isa:?} row {i}");
        }
    }
}

#[test]
fn half_precision_tensors_hold_to_the_same_rule() {
    for n in [1, 13, 97, 257] {
        let case =
            Case { batch: 2, queries: n, keys: n, padding: Padding::Right, ..Case::default() };
        let inputs = Inputs::random(&case).rounded(|x| f16::from_f32(x).to_f32());
        let exact = inputs.exact(&case);
        for isa in isas() {
            let out: Vec<f32> =
                support::run_f16(isa, &case, &inputs).iter().map(|x| x.to_f32()).collect();
            let rounded: Vec<f32> = plain(&case, &inputs, precision(isa))
                .iter()
                .map(|&x| f16::from_f32(x).to_f32())
                .collect();
            let (ours, theirs) = (largest_error(&out, &exact), largest_error(&rounded, &exact));
            assert!(
                ours <= 2.0 * theirs + 1e-3 * inputs.largest_value(),
                "{isa:?} {n}: {ours:e} {theirs:e}"
            );
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let case =
        Case { batch: 2, queries: 300, keys: 300, padding: Padding::Right, ..Case::default() };
    let inputs = Inputs::random(&case);
    for isa in isas() {
        let alone = run(isa, &case, &inputs);
        for threads in [2, 5] {
            assert_eq!(
                alone,
                support::run_on(isa, &case, &inputs, &support::Threads(threads)),
                "{isa:?}"
            );
        }
    }
}

#[test]
fn every_layout_gives_the_same_bits() {
    for (batch, n, head_dim, padding) in [
        (1, 1, 64, Padding::None),
        (2, 97, 32, Padding::Right),
        (3, 130, 64, Padding::Left),
        (2, 300, 128, Padding::Holes),
    ] {
        for window in [Window::OPEN, Window { left: Some(3), right: Some(64) }] {
            let case = Case {
                batch,
                heads: 3,
                queries: n,
                keys: n,
                head_dim,
                window,
                padding,
                padded_queries_unused: true,
                ..Case::default()
            };
            let inputs = Inputs::random(&case);
            let bias = inputs.bias.as_deref();
            let [q, k, v] =
                [&inputs.q, &inputs.k, &inputs.v].map(|x| support::exchanged(x, 3, n, head_dim));
            let joint = support::packed([&q, &k, &v], 3 * head_dim);
            for isa in isas() {
                let plain = support::exchanged(&run(isa, &case, &inputs), 3, n, head_dim);
                let three = [&q[..], &k, &v];
                let separate = support::run_in(isa, &case, Layout::TokensFirst, three, bias, None);
                assert_eq!(plain, separate, "{isa:?} {case:?}");
                let one = [&joint[..]; 3];
                let packed = support::run_in(isa, &case, Layout::Packed, one, bias, None);
                assert_eq!(plain, packed, "{isa:?} {case:?}");
            }
        }
    }
}

#[test]
fn tokens_first_takes_more_queries_than_keys_and_fewer() {
    for (queries, keys) in [(1, 300), (130, 33)] {
        let case = Case { batch: 2, heads: 3, queries, keys, ..Case::default() };
        let inputs = Inputs::random(&case);
        let q = support::exchanged(&inputs.q, 3, queries, 64);
        let [k, v] = [&inputs.k, &inputs.v].map(|x| support::exchanged(x, 3, keys, 64));
        for isa in isas() {
            let out = support::run_in(isa, &case, Layout::TokensFirst, [&q, &k, &v], None, None);
            assert_eq!(support::exchanged(&run(isa, &case, &inputs), 3, queries, 64), out);
        }
    }
}

#[test]
fn the_rotary_embedding_gives_the_bits_of_a_graph_that_does_it_before() {
    for (n, head_dim, table_rows) in [(1, 32, 1), (97, 32, 1), (130, 64, 2), (257, 128, 2)] {
        let case = Case {
            batch: 2,
            heads: 3,
            queries: n,
            keys: n,
            head_dim,
            padding: Padding::Right,
            ..Case::default()
        };
        let inputs = Inputs::random(&case);
        let tables = support::tables(table_rows, n, head_dim);
        let turned = Inputs {
            q: support::rotated(&inputs.q, &case, n, &tables),
            k: support::rotated(&inputs.k, &case, n, &tables),
            ..inputs.clone()
        };
        let [q, k, v] =
            [&inputs.q, &inputs.k, &inputs.v].map(|x| support::exchanged(x, 3, n, head_dim));
        let joint = support::packed([&q, &k, &v], 3 * head_dim);
        for isa in isas() {
            let before = run(isa, &case, &turned);
            let heads_first = support::run_in(
                isa,
                &case,
                Layout::HeadsFirst,
                [&inputs.q, &inputs.k, &inputs.v],
                inputs.bias.as_deref(),
                Some(&tables),
            );
            assert_eq!(before, heads_first, "{isa:?} {n}");
            let packed = support::run_in(
                isa,
                &case,
                Layout::Packed,
                [&joint[..]; 3],
                inputs.bias.as_deref(),
                Some(&tables),
            );
            assert_eq!(support::exchanged(&before, 3, n, head_dim), packed, "{isa:?} {n}");
        }
    }
}

#[test]
fn nothing_outside_the_buffers_is_touched() {
    // Each buffer ends at a page that may not be read or written, then starts just after one.
    for n in [1, 13, 97, 130, 257] {
        for head_dim in [32, 64, 128] {
            let case = Case {
                heads: 1,
                queries: n,
                keys: n,
                head_dim,
                padding: Padding::Holes,
                ..Case::default()
            };
            let inputs = Inputs::random(&case);
            for isa in isas() {
                let plain = run(isa, &case, &inputs);
                assert_eq!(plain, support::run_guarded(isa, &case, &inputs, support::Side::After));
                assert_eq!(plain, support::run_guarded(isa, &case, &inputs, support::Side::Before));
            }
        }
    }
}

#[test]
fn empty_extents_are_answered() {
    for (batch, queries, keys) in [(0, 5, 5), (2, 0, 5), (2, 5, 0)] {
        let shape = Shape { batch, heads: 2, queries, keys, head_dim: 64 };
        let attributes = Attributes::new(0.125, -1, -1, 0, 0).expect("valid");
        let q = vec![1.0f32; shape.query_elements()];
        let k = vec![1.0f32; shape.key_elements()];
        let mut out = vec![f32::NAN; q.len()];
        for isa in isas() {
            let tensors = cpu::Tensors {
                layout: Layout::HeadsFirst,
                q: &q,
                k: &k,
                v: &k,
                key_bias: None,
                rotary: None,
                out: &mut out,
            };
            let mut workspace = support::workspace(isa, &shape);
            cpu::attention(isa, &shape, &attributes, tensors, &Serial, &mut workspace)
                .expect("runs");
            assert!(out.iter().all(|&x| x == 0.0), "{isa:?}");
        }
    }
}

#[test]
fn the_reference_itself_matches_a_case_done_by_hand() {
    // One query, two keys with scores 0 and ln 3: weights 1/4 and 3/4.
    let shape = Shape { batch: 1, heads: 1, queries: 1, keys: 2, head_dim: 32 };
    let mut q = [0.0; 32];
    q[0] = 1.0;
    let mut k = [0.0; 64];
    k[32] = 3.0f32.ln();
    let mut v = [0.0; 64];
    (v[0], v[32]) = (8.0, 16.0);
    let attributes = Attributes::new(1.0, -1, -1, 0, 0).expect("valid");
    let out = reference::attention(&shape, &attributes, &q, &k, &v, None);
    assert!((out[0] - 14.0).abs() < 1e-6, "{}", out[0]);
    let window = Attributes::new(1.0, 0, 0, 0, 0).expect("valid");
    assert_eq!(reference::attention(&shape, &window, &q, &k, &v, None)[0], 8.0);
    let masked = Some(&[-1e4f32, 0.0][..]);
    assert_eq!(reference::attention(&shape, &attributes, &q, &k, &v, masked)[0], 16.0);
}
