use super::*;

fn message(q: &[i64], k: &[i64], v: &[i64], bias: Option<&[i64]>) -> String {
    Shape::check(q, k, v, bias).unwrap_err().to_string()
}

const Q: [i64; 4] = [2, 12, 7, 64];
const K: [i64; 4] = [2, 12, 9, 64];

#[test]
fn a_fitting_call_gives_its_extents() {
    let shape = Shape { batch: 2, heads: 12, queries: 7, keys: 9, head_dim: 64 };
    assert_eq!(Shape::check(&Q, &K, &K, None).unwrap(), shape);
    assert_eq!(Shape::check(&Q, &K, &K, Some(&[2, 1, 1, 9])).unwrap(), shape);
    assert_eq!(Shape::check(&Q, &K, &K, Some(&[1, 1, 1, 9])).unwrap(), shape);
}

#[test]
fn empty_extents_are_allowed() {
    let q = [0, 12, 0, 64];
    let k = [0, 12, 0, 64];
    assert_eq!(Shape::check(&q, &k, &k, Some(&[0, 1, 1, 0])).unwrap().query_elements(), 0);
}

#[test]
fn each_refusal_names_the_tensor_what_it_got_and_what_is_allowed() {
    let cases: [(String, &str); 9] = [
        (
            message(&[2, 7, 64], &K, &K, None),
            "Q must be [batch, heads, queries, head_dim]; got rank 3",
        ),
        (message(&Q, &[9, 64], &K, None), "K must be [batch, heads, keys, head_dim]; got rank 2"),
        (
            message(&[2, 12, 7, 48], &K, &K, None),
            "Q has head_dim 48; the kernels are built for 32, 64 and 128",
        ),
        (message(&Q, &[3, 12, 9, 64], &K, None), "K has batch 3; it must be 2"),
        (message(&Q, &K, &[2, 12, 8, 64], None), "V has keys 8; it must be 9"),
        (message(&Q, &K, &K, Some(&[3, 1, 1, 9])), "key_bias has batch 3; it must be 2 or 1"),
        (
            message(&Q, &K, &K, Some(&[2, 12, 1, 9])),
            "key_bias has heads 12; it must be 1 (one bias for all heads)",
        ),
        (
            message(&Q, &K, &K, Some(&[2, 1, 7, 9])),
            "key_bias has queries 7; it must be 1 (a mask over queries is no key bias)",
        ),
        (message(&Q, &[2, 12, -1, 64], &K, None), "K has keys -1; it must be 0 to 16777216"),
    ];
    for (got, wanted) in cases {
        assert_eq!(got, wanted);
    }
}

#[test]
fn extents_whose_bytes_overflow_are_refused() {
    // More than a usize holds, and 2^63 bytes: one more than a slice may have.
    for huge in [[1 << 24, 1 << 24, 1 << 24, 64], [1 << 20, 1 << 20, 1 << 15, 64]] {
        assert!(message(&huge, &huge, &huge, None).contains("overflow"), "{huge:?}");
    }
}

#[test]
fn attributes_are_checked() {
    let ok = Attributes::new(0.125, 64, -1, 1, 0).unwrap();
    assert_eq!(ok.window, Window { left: Some(64), right: None });
    assert!(ok.padded_queries_unused);
    for (scale, left, right, unused, bf16) in [
        (0.0, -1, -1, 0, 0),
        (f32::NAN, -1, -1, 0, 0),
        (1.0, -2, -1, 0, 0),
        (1.0, -1, 1 << 40, 0, 0),
        (1.0, -1, -1, 2, 0),
        (1.0, -1, -1, 0, -1),
    ] {
        Attributes::new(scale, left, right, unused, bf16).unwrap_err();
    }
}

#[test]
fn a_window_counts_both_ends_and_stays_inside_the_keys() {
    let window = Window { left: Some(2), right: Some(1) };
    assert_eq!(window.keys(0, 10), 0..2);
    assert_eq!(window.keys(5, 10), 3..7);
    assert_eq!(window.keys(9, 10), 7..10);
    assert_eq!(window.keys(30, 10), 10..10);
    assert_eq!(Window::OPEN.keys(3, 10), 0..10);
}

fn dims<'a>(q: &'a [i64], k: Option<&'a [i64]>, v: Option<&'a [i64]>) -> Dims<'a> {
    Dims { q, k, v, key_bias: None, cos: None, sin: None }
}

const TOKENS: [i64; 4] = [2, 7, 12, 64];
const PACKED: [i64; 5] = [2, 7, 3, 12, 64];

#[test]
fn each_layout_gives_the_same_extents() {
    let shape = Shape { batch: 2, heads: 12, queries: 7, keys: 7, head_dim: 64 };
    let heads = [2, 12, 7, 64];
    let check = |dims: Dims<'_>, tokens_first| dims.check(tokens_first).unwrap();
    assert_eq!(check(dims(&heads, Some(&heads), Some(&heads)), false), (shape, Layout::HeadsFirst));
    assert_eq!(
        check(dims(&TOKENS, Some(&TOKENS), Some(&TOKENS)), true),
        (shape, Layout::TokensFirst)
    );
    let mut packed = dims(&PACKED, None, None);
    assert_eq!(check(packed, true), (shape, Layout::Packed));
    for table in [&[7, 64][..], &[1, 7, 64], &[1, 1, 7, 64], &[2, 1, 7, 64]] {
        (packed.cos, packed.sin) = (Some(table), Some(table));
        assert_eq!(check(packed, true), (shape, Layout::Packed), "{table:?}");
    }
}

#[test]
fn each_refusal_of_a_layout_names_the_tensor_what_it_got_and_what_is_allowed() {
    let message = |dims: Dims<'_>, tokens_first| dims.check(tokens_first).unwrap_err().to_string();
    assert_eq!(message(dims(&TOKENS, None, Some(&TOKENS)), true), "K is missing");
    assert_eq!(message(dims(&TOKENS, Some(&TOKENS), None), true), "V is missing");
    assert_eq!(message(dims(&Q, None, None), false), "K is missing");
    assert_eq!(
        message(dims(&TOKENS, None, None), true),
        "Q must be [batch, positions, 3, heads, head_dim] without K and V, \
         or [batch, positions, heads, head_dim]; got rank 4"
    );
    assert_eq!(
        message(dims(&[2, 7, 2, 12, 64], None, None), true),
        "Q has parts 2; it must be 3 (Q, K and V)"
    );
    assert_eq!(
        message(dims(&TOKENS, Some(&[2, 7, 4, 64]), Some(&TOKENS)), true),
        "K has heads 4; it must be 12"
    );
    assert_eq!(
        message(dims(&TOKENS, Some(&[2, 7, 768]), Some(&TOKENS)), true),
        "K must be [batch, positions, heads, head_dim]; got rank 3"
    );
    let huge = [1 << 20, 1 << 20, 3, 1 << 15, 64];
    assert!(message(dims(&huge, None, None), true).contains("overflow"));

    let rotary = |cos: &[i64], sin: &[i64]| {
        let mut dims = dims(&PACKED, None, None);
        (dims.cos, dims.sin) = (Some(cos), Some(sin));
        message(dims, true)
    };
    assert_eq!(rotary(&[8, 64], &[7, 64]), "cos has positions 8; it must be 7");
    assert_eq!(rotary(&[7, 64], &[7, 32]), "sin has head_dim 32; it must be 64");
    assert_eq!(
        rotary(&[64], &[7, 64]),
        "cos must be [batch or 1, 1, positions, head_dim]; got rank 1"
    );
    assert_eq!(rotary(&[3, 1, 7, 64], &[7, 64]), "cos has batch 3; it must be 2 or 1");
    assert_eq!(
        rotary(&[12, 7, 64], &[7, 64]),
        "cos has heads 12; it must be 1 (one table for all heads)"
    );
    assert_eq!(rotary(&[2, 1, 7, 64], &[7, 64]), "sin has batch 7; it must be that of cos");
    let mut one = dims(&PACKED, None, None);
    one.sin = Some(&[7, 64]);
    assert_eq!(message(one, true), "cos is missing");
    let (long, short) = ([2, 9, 12, 64], [2, 7, 12, 64]);
    let mut uneven = dims(&short, Some(&long), Some(&long));
    uneven.cos = Some(&[7, 64]);
    uneven.sin = Some(&[7, 64]);
    assert_eq!(
        message(uneven, true),
        "K has keys 9; it must be 7 as in Q (a rotary embedding is of one sequence)"
    );
}
