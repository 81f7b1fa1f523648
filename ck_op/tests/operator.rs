//! The operator library in the real ONNX Runtime: loaded, registered, called through its C ABI.

#![allow(clippy::expect_used, clippy::panic, reason = "test code")]

#[path = "support/node.rs"]
mod node;
#[path = "support/runtime.rs"]
mod runtime;
mod support;

use forebay_ck_op::op::Window;
use half::f16;
use node::{FOUR, model, run};
use onnx_rewrite::onnx::tensor_proto::DataType;
use prost::Message as _;
use support::{Case, Inputs, Padding, largest_error};

fn attributes(case: &Case) -> Vec<(&'static str, f64)> {
    #[allow(clippy::cast_precision_loss, reason = "small windows")]
    let side = |side: Option<usize>| side.map_or(-1.0, |keys| keys as f64);
    vec![
        ("scale", f64::from(case.attributes().scale)),
        ("window_size_left", side(case.window.left)),
        ("window_size_right", side(case.window.right)),
        ("padded_queries_unused", f64::from(u8::from(case.padded_queries_unused))),
    ]
}

fn tensors(case: &Case, inputs: &Inputs) -> Vec<(&'static str, Vec<usize>, Vec<f32>)> {
    let rows = |n| vec![case.batch, case.heads, n, case.head_dim];
    let mut all = vec![
        ("q", rows(case.queries), inputs.q.clone()),
        ("k", rows(case.keys), inputs.k.clone()),
        ("v", rows(case.keys), inputs.v.clone()),
    ];
    if let Some(bias) = &inputs.bias {
        all.push(("bias", vec![case.batch, 1, 1, case.keys], bias.clone()));
    }
    all
}

#[test]
fn the_library_loads_and_gives_the_right_answer() {
    for padding in [Padding::None, Padding::Right, Padding::Left, Padding::Holes] {
        for window in [
            Window::OPEN,
            Window { left: Some(64), right: Some(64) },
            Window { left: Some(3), right: None },
        ] {
            for n in [1, 64, 201] {
                let case =
                    Case { batch: 3, queries: n, keys: n, window, padding, ..Case::default() };
                let inputs = Inputs::random(&case);
                let names = if padding == Padding::None { &FOUR[..3] } else { &FOUR[..] };
                let mut session = runtime::open(&model(DataType::Float, names, &attributes(&case)))
                    .expect("opens");
                let out = run(&mut session, &tensors(&case, &inputs)).expect("runs");
                let error = largest_error(&out, &inputs.exact(&case));
                assert!(error < 2e-6 * inputs.largest_value(), "{case:?}: {error:e}");
            }
        }
    }
}

#[test]
fn one_session_takes_any_shape_and_padded_queries_come_back_as_zeros() {
    let shape = Case { padding: Padding::Right, padded_queries_unused: true, ..Case::default() };
    let mut session =
        runtime::open(&model(DataType::Float, &FOUR, &attributes(&shape))).expect("opens");
    for (batch, n) in [(1, 40), (3, 130), (2, 1), (4, 300)] {
        let case = Case { batch, queries: n, keys: n, ..shape };
        let inputs = Inputs::random(&case);
        let out = run(&mut session, &tensors(&case, &inputs)).expect("runs");
        let exact = inputs.exact(&case);
        for (row, (out, exact)) in out.chunks_exact(64).zip(exact.chunks_exact(64)).enumerate() {
            if inputs.is_masked(&case, row / (case.heads * n), row % n) {
                assert!(out.iter().all(|&x| x == 0.0));
            } else {
                assert!(largest_error(out, exact) < 1e-5);
            }
        }
    }
}

#[test]
fn a_half_precision_graph_runs() {
    let case =
        Case { batch: 2, queries: 130, keys: 130, padding: Padding::Right, ..Case::default() };
    let inputs = Inputs::random(&case).rounded(|x| f16::from_f32(x).to_f32());
    let mut session =
        runtime::open(&model(DataType::Float16, &FOUR, &attributes(&case))).expect("opens");
    let narrow: Vec<_> = tensors(&case, &inputs)
        .into_iter()
        .map(|(name, shape, data)| (name, shape, data.iter().map(|&x| f16::from_f32(x)).collect()))
        .collect();
    let out: Vec<f32> =
        run::<f16>(&mut session, &narrow).expect("runs").iter().map(|x| x.to_f32()).collect();
    let error = largest_error(&out, &inputs.exact(&case));
    assert!(error < 1e-3 * inputs.largest_value(), "{error:e}");
}

#[test]
fn bf16_products_are_used_only_where_the_node_allows_them() {
    use forebay_ck_op::cpu::Isa;
    let case = Case { batch: 1, queries: 150, keys: 150, ..Case::default() };
    let inputs = Inputs::random(&case);
    let exact = inputs.exact(&case);
    let error = |allow: f64| {
        let mut attributes = attributes(&case);
        attributes.push(("allow_bf16", allow));
        let mut session =
            runtime::open(&model(DataType::Float, &FOUR[..3], &attributes)).expect("opens");
        largest_error(&run(&mut session, &tensors(&case, &inputs)).expect("runs"), &exact)
    };
    assert!(error(0.0) < 1e-5);
    if Isa::Avx512Bf16.is_available() {
        assert!(error(1.0) > 1e-4, "bfloat16 products are not in use");
    }
}

#[test]
fn two_threads_give_the_same_bits() {
    let case =
        Case { batch: 2, queries: 300, keys: 300, padding: Padding::Right, ..Case::default() };
    let inputs = Inputs::random(&case);
    let bytes = model(DataType::Float, &FOUR, &attributes(&case));
    let one =
        run(&mut runtime::open(&bytes).expect("opens"), &tensors(&case, &inputs)).expect("runs");
    let mut session = runtime::open_on(&bytes, 2).expect("opens");
    for _ in 0..5 {
        assert_eq!(run(&mut session, &tensors(&case, &inputs)).expect("runs"), one);
    }
}

#[test]
fn bad_input_is_a_status_that_names_the_tensor() {
    let good = Case { batch: 2, queries: 5, keys: 5, padding: Padding::Right, ..Case::default() };
    let inputs = Inputs::random(&good);
    let shapes: [(usize, Vec<usize>, &str); 5] = [
        (0, vec![2, 2, 320], "Q must be [batch, heads, queries, head_dim]; got rank 3"),
        (0, vec![2, 2, 10, 32], "K has head_dim 64; it must be 32"),
        (0, vec![2, 4, 5, 32], "K has heads 2; it must be 4"),
        (1, vec![1, 4, 5, 64], "K has batch 1; it must be 2"),
        (3, vec![1, 2, 1, 5], "key_bias has heads 2; it must be 1"),
    ];
    let mut session =
        runtime::open(&model(DataType::Float, &FOUR, &attributes(&good))).expect("opens");
    for (input, shape, wanted) in shapes {
        let mut all = tensors(&good, &inputs);
        all[input].1 = shape;
        let message = run(&mut session, &all).expect_err("refused").to_string();
        assert!(message.contains(wanted), "{message}");
    }
    let mut all = tensors(&good, &inputs);
    all[3].2[7] = f32::NAN;
    let message = run(&mut session, &all).expect_err("refused").to_string();
    assert!(message.contains("key_bias[1, 0, 0, 2] is NaN"), "{message}");
    // And the session still works.
    run(&mut session, &tensors(&good, &inputs)).expect("runs");
}

/// Q, K and V in one tensor, with a rotary embedding.
fn packed_model(inputs: &[&str], tokens_first: f64) -> Vec<u8> {
    model(DataType::Float, inputs, &[("scale", 0.125), ("tokens_first", tokens_first)])
}

#[test]
fn a_joint_projection_with_a_rotary_embedding_runs() {
    let case =
        Case { batch: 2, queries: 130, keys: 130, padding: Padding::Right, ..Case::default() };
    let inputs = Inputs::random(&case);
    let tables = support::tables(1, 130, 64);
    let turned = Inputs {
        q: support::rotated(&inputs.q, &case, 130, &tables),
        k: support::rotated(&inputs.k, &case, 130, &tables),
        ..inputs.clone()
    };
    let [q, k, v] =
        [&inputs.q, &inputs.k, &inputs.v].map(|x| support::exchanged(x, case.heads, 130, 64));
    let joint = support::packed([&q, &k, &v], case.heads * 64);
    let bytes = packed_model(&["qkv", "", "", "bias", "cos", "sin"], 1.0);
    let mut session = runtime::open(&bytes).expect("opens");
    let [cos, sin] = tables;
    let mut all = vec![
        ("qkv", vec![2, 130, 3, case.heads, 64], joint),
        ("bias", vec![2, 1, 1, 130], inputs.bias.clone().expect("a bias")),
        ("cos", vec![1, 1, 130, 64], cos),
        ("sin", vec![130, 64], sin),
    ];
    let out = run(&mut session, &all).expect("runs");
    let out = support::exchanged(&out, 130, case.heads, 64);
    let error = largest_error(&out, &turned.exact(&case));
    assert!(error < 1e-5 * inputs.largest_value(), "{error:e}");

    all[0].1 = vec![2, 130, case.heads, 3, 64];
    let message = run(&mut session, &all).expect_err("refused").to_string();
    assert!(message.contains("Q has parts 2; it must be 3"), "{message}");
    let mut session = runtime::open(&packed_model(&["qkv"], 0.0)).expect("opens");
    let message = run(&mut session, &all[..1]).expect_err("refused").to_string();
    assert!(message.contains("K is missing"), "{message}");
}

#[test]
fn bad_attributes_are_refused_when_the_session_is_made() {
    for (attributes, wanted) in [
        (vec![("window_size_left", 3.0)], "scale"),
        (vec![("scale", -1.0)], "attribute scale is -1"),
        (vec![("scale", 0.125), ("window_size_left", -7.0)], "attribute window_size_left is -7"),
        (
            vec![("scale", 0.125), ("window_size_right", 16_777_217.0)],
            "window_size_right is 16777217; it must be -1 (open) or 0 to 16777216",
        ),
        (
            vec![("scale", f64::INFINITY)],
            "attribute scale is inf; it must be finite and greater than 0",
        ),
        (vec![("scale", 0.125), ("allow_bf16", 3.0)], "attribute allow_bf16 is 3"),
        (vec![("scale", 0.125), ("tokens_first", -2.0)], "attribute tokens_first is -2"),
    ] {
        let Err(error) = runtime::open(&model(DataType::Float, &FOUR, &attributes)) else {
            panic!("{attributes:?} was accepted");
        };
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn other_element_types_are_refused_when_the_session_is_made() {
    // bfloat16 is the HIP back end's, which is not loaded here.
    for element in [DataType::Double, DataType::Bfloat16, DataType::Int8] {
        let Err(error) = runtime::open(&model(element, &FOUR, &[("scale", 0.125)])) else {
            panic!("{element:?} was accepted");
        };
        assert!(error.to_string().contains("CKFlashAttention"), "{error}");
    }
}

#[test]
fn inputs_of_two_types_are_refused() {
    use onnx_rewrite::onnx::{ModelProto, type_proto::Value};
    let mut mixed =
        ModelProto::decode(&*model(DataType::Float, &FOUR, &[("scale", 0.125)])).expect("a model");
    let k = &mut mixed.graph.as_mut().expect("a graph").input[1];
    let Some(Value::TensorType(tensor)) = k.r#type.as_mut().and_then(|t| t.value.as_mut()) else {
        panic!("K is no tensor");
    };
    tensor.elem_type = Some(DataType::Float16 as i32);
    let Err(error) = runtime::open(&mixed.encode_to_vec()) else {
        panic!("K of another type was accepted");
    };
    // ONNX Runtime's own words: no kernel takes both.
    assert!(error.to_string().contains("no kernel def matches"), "{error}");
}

#[test]
fn a_head_dim_without_a_kernel_is_refused() {
    let case = Case { batch: 1, queries: 5, keys: 5, ..Case::default() };
    let mut session =
        runtime::open(&model(DataType::Float, &FOUR[..3], &attributes(&case))).expect("opens");
    for head_dim in [0, 1, 31, 48, 96, 256] {
        let tensor = |name| (name, vec![1, 2, 5, head_dim], vec![0.5f32; 10 * head_dim]);
        let message =
            run(&mut session, &["q", "k", "v"].map(tensor)).expect_err("refused").to_string();
        let wanted = format!("Q has head_dim {head_dim}; the kernels are built for 32, 64 and 128");
        assert!(message.contains(&wanted), "{message}");
    }
}

#[test]
fn empty_tensors_are_answered_and_no_key_means_zero() {
    for (batch, queries, keys) in [(0, 5, 5), (2, 0, 0), (2, 0, 5), (2, 5, 0)] {
        for names in [&FOUR[..3], &FOUR[..]] {
            let case = Case { batch, queries, keys, padding: Padding::Right, ..Case::default() };
            let inputs = Inputs::random(&case);
            let mut session =
                runtime::open(&model(DataType::Float, names, &attributes(&case))).expect("opens");
            let all = tensors(&case, &inputs);
            let out = run(&mut session, &all[..names.len()]).expect("runs");
            assert_eq!(out.len(), batch * case.heads * queries * case.head_dim);
            assert!(out.iter().all(|&x| x == 0.0), "{case:?}");
        }
    }
    // A joint projection of no positions, with a rotary embedding of none.
    let bytes = packed_model(&["qkv", "", "", "", "cos", "sin"], 1.0);
    let mut session = runtime::open(&bytes).expect("opens");
    let all = [
        ("qkv", vec![2, 0, 3, 4, 64], Vec::<f32>::new()),
        ("cos", vec![0, 64], Vec::new()),
        ("sin", vec![0, 64], Vec::new()),
    ];
    assert!(run(&mut session, &all).expect("runs").is_empty());
}
