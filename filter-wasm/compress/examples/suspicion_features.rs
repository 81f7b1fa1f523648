//! Reads one JSON string a line from standard input and writes, for each, its word-gram and character-gram buckets to
//! standard output: a little-endian `u32` count and that many `u32`, twice. `models/suspicion/train.py` runs it, so
//! that training and filter share one definition of the features.

use std::io::{BufRead, BufWriter, Error, Write};

fn main() -> Result<(), Error> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?).map_err(Error::other)?;
        let (words, chars) = compress::training_buckets(&text);
        for buckets in [words, chars] {
            let count = u32::try_from(buckets.len()).map_err(Error::other)?;
            out.write_all(&count.to_le_bytes())?;
            for bucket in buckets {
                out.write_all(&bucket.to_le_bytes())?;
            }
        }
    }
    out.flush()
}
