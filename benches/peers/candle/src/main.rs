//! The usual server over candle: one fp32 XLM-R encoder of the embedded model's shape, three heads, one request at a time for each call.
//!
//! Weights are random: the embedded model's are int8, which candle's models do not read, and their values do not change what a pass costs.
//! Usage: `candle-peer TOKENIZER.json LAYERS`. It prints its port, then serves `{"text": ...}` until standard input ends.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use candle_core::{DType, Device, Module, Tensor};
use candle_nn::{Activation, Linear, VarBuilder, VarMap, linear};
use candle_transformers::models::xlm_roberta::{Config, XLMRobertaModel};
use serde_json::{Value, json};
use tokenizers::Tokenizer;

type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// The embedded model's shape; its depth is an argument.
const HIDDEN: usize = 384;
const HEADS: usize = 12;
const INNER: usize = 1536;
/// Jailbreak and domain read the first position, personal data all of them.
const LABELS: [usize; 3] = [2, 14, 35];
/// Content tokens of a window, and how many two windows share.
const WINDOW: usize = 510;
const OVERLAP: usize = 64;

struct Service {
    tokenizer: Tokenizer,
    frame: Vec<u32>,
    encoder: XLMRobertaModel,
    heads: Vec<Linear>,
}

impl Service {
    fn load(tokenizer: &str, layers: usize) -> Result<Self> {
        let mut tokenizer = Tokenizer::from_file(tokenizer)?;
        tokenizer.with_padding(None).with_truncation(None)?;
        let frame = tokenizer.encode("", true)?.get_ids().to_vec();
        let config = Config {
            hidden_size: HIDDEN,
            layer_norm_eps: 1e-5,
            attention_probs_dropout_prob: 0.0,
            hidden_dropout_prob: 0.0,
            num_attention_heads: HEADS,
            position_embedding_type: "absolute".to_owned(),
            intermediate_size: INNER,
            hidden_act: Activation::Gelu,
            num_hidden_layers: layers,
            vocab_size: tokenizer.get_vocab_size(true),
            max_position_embeddings: 514,
            type_vocab_size: 1,
            pad_token_id: 1,
        };
        let weights = VarMap::new();
        let builder = VarBuilder::from_varmap(&weights, DType::F32, &Device::Cpu);
        let encoder = XLMRobertaModel::new(&config, builder.pp("encoder"))?;
        let heads = LABELS
            .iter()
            .enumerate()
            .map(|(i, labels)| linear(HIDDEN, *labels, builder.pp(format!("head{i}"))))
            .collect::<candle_core::Result<_>>()?;
        Ok(Self { tokenizer, frame, encoder, heads })
    }

    /// The highest label of each head over all windows.
    fn read(&self, text: &str) -> Result<Value> {
        let ids = self.tokenizer.encode(text, false)?.get_ids().to_vec();
        let (first, last) = match self.frame.as_slice() {
            [first, .., last] => (*first, *last),
            _ => return Err("the tokenizer frames nothing".into()),
        };
        let mut best = vec![(0_u32, f32::NEG_INFINITY); self.heads.len()];
        let mut start = 0;
        loop {
            let end = ids.len().min(start + WINDOW);
            let row = [&[first], ids.get(start..end).unwrap_or_default(), &[last]].concat();
            let width = row.len();
            let input = Tensor::from_vec(row, (1, width), &Device::Cpu)?;
            let mask = Tensor::ones((1, width), DType::F32, &Device::Cpu)?;
            let states =
                self.encoder.forward(&input, &mask, &input.zeros_like()?, None, None, None)?;
            for (i, (head, best)) in self.heads.iter().zip(&mut best).enumerate() {
                let read =
                    if i + 1 < LABELS.len() { states.narrow(1, 0, 1)? } else { states.clone() };
                let logits = candle_nn::ops::softmax_last_dim(&head.forward(&read.contiguous()?)?)?;
                let rows = logits.squeeze(0)?.max(0)?.to_vec1::<f32>()?;
                for (label, score) in (0..).zip(rows) {
                    if score > best.1 {
                        *best = (label, score);
                    }
                }
            }
            if end == ids.len() {
                break;
            }
            start += WINDOW - OVERLAP;
        }
        let labels: Vec<u32> = best.iter().map(|(label, _)| *label).collect();
        Ok(json!({"labels": labels, "tokens": ids.len()}))
    }

    /// Answers calls on one connection until it ends.
    fn serve(&self, stream: TcpStream) -> Result<()> {
        stream.set_nodelay(true)?;
        let mut writer = stream.try_clone()?;
        let mut reader = BufReader::new(stream);
        loop {
            let mut length = 0;
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            while line.trim() != "" {
                if let Some((name, value)) = line.split_once(':')
                    && name.eq_ignore_ascii_case("content-length")
                {
                    length = value.trim().parse()?;
                }
                line.clear();
                reader.read_line(&mut line)?;
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body)?;
            let call: Value = serde_json::from_slice(&body)?;
            let answer = self.read(call["text"].as_str().unwrap_or_default())?.to_string();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length:";
            writer.write_all(format!("{head} {}\r\n\r\n{answer}", answer.len()).as_bytes())?;
        }
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tokenizer, layers] = arguments.as_slice() else {
        return Err("usage: candle-peer TOKENIZER.json LAYERS".into());
    };
    let service = Arc::new(Service::load(tokenizer, layers.parse()?)?);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    println!(
        "{}",
        json!({"port": port, "versions": {"candle-transformers": "0.11.1", "tokenizers": "0.22.2"}})
    );
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let service = Arc::clone(&service);
            std::thread::spawn(move || {
                if let Err(error) = service.serve(stream) {
                    eprintln!("candle-peer: {error}");
                }
            });
        }
    });
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    Ok(())
}
