//! `GET` from Envoy's admin port. One request for each connection, answers of bounded size: all that an admin port needs.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// A configuration dump of a large mesh has tens of MiB.
const MAX_BYTES: u64 = 256 << 20;
const TIMEOUT: Duration = Duration::from_secs(10);

/// Fetches `path` from `url`, which is `http://HOST:PORT` with or without the scheme.
pub(super) fn get(url: &str, path: &str) -> Result<Vec<u8>, String> {
    let host = url.strip_prefix("http://").unwrap_or(url).trim_end_matches('/');
    if host.contains("://") || host.contains('/') {
        return Err(format!("{url} is not of the form http://HOST:PORT"));
    }
    let address = if host.contains(':') { host.to_owned() } else { format!("{host}:9901") };
    request(&address, path).map_err(|error| format!("http://{address}{path}: {error}"))
}

fn request(address: &str, path: &str) -> Result<Vec<u8>, std::io::Error> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
    read_answer(&mut BufReader::new(stream.take(MAX_BYTES)))
}

fn read_answer(stream: &mut impl BufRead) -> Result<Vec<u8>, std::io::Error> {
    let status = line(stream)?;
    let mut is_chunked = false;
    loop {
        let header = line(stream)?;
        if header.is_empty() {
            break;
        }
        let header = header.to_ascii_lowercase();
        is_chunked |= header.starts_with("transfer-encoding:") && header.contains("chunked");
    }
    if status.split(' ').nth(1) != Some("200") {
        return Err(std::io::Error::other(format!("answered {status:?}")));
    }
    let mut body = Vec::new();
    if !is_chunked {
        stream.read_to_end(&mut body)?;
        return Ok(body);
    }
    loop {
        let size = line(stream)?;
        let size = u64::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16)
            .map_err(std::io::Error::other)?;
        if size == 0 {
            return Ok(body);
        }
        let read = stream.by_ref().take(size).read_to_end(&mut body)?;
        if u64::try_from(read).ok() != Some(size) {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        line(stream)?;
    }
}

fn line(stream: &mut impl BufRead) -> Result<String, std::io::Error> {
    let mut bytes = Vec::new();
    stream.by_ref().take(64 << 10).read_until(b'\n', &mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_joined_and_a_cut_answer_is_an_error() {
        let answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
        assert_eq!(read_answer(&mut &answer[..]).unwrap(), b"abcde");
        for cut in [4, 20, 50, 60, 67] {
            assert!(read_answer(&mut &answer[..cut]).is_err(), "cut at {cut}");
        }
        let refused = b"HTTP/1.1 404 Not Found\r\n\r\n";
        assert!(read_answer(&mut &refused[..]).unwrap_err().to_string().contains("404"));
    }

    #[test]
    fn what_is_no_admin_address_is_refused() {
        assert!(get("https://localhost:1", "/").unwrap_err().contains("HOST:PORT"));
    }
}
