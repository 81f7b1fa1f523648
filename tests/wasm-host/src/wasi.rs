//! The few WASI imports that Rust's standard library needs: no files, no environment, a fixed random sequence, and the
//! same clock that the filter gets from the proxy.
use wasmtime::{Caller, Linker, Memory};

use crate::host::Host;

const MODULE: &str = "wasi_snapshot_preview1";
const SUCCESS: i32 = 0;
const BAD_FILE: i32 = 8;

fn memory(caller: &Caller<'_, Host>) -> wasmtime::Result<Memory> {
    let guest = caller.data().guest.as_ref();
    Ok(guest.ok_or_else(|| wasmtime::Error::msg("a WASI call before instantiation"))?.0)
}

fn word(caller: &Caller<'_, Host>, at: u32) -> wasmtime::Result<u32> {
    let mut bytes = [0; 4];
    memory(caller)?.read(caller, at as usize, &mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Writes to standard output and error are kept, since a panic's message arrives there.
fn fd_write(
    caller: &mut Caller<'_, Host>,
    file: u32,
    vectors: u32,
    count: u32,
    written_at: u32,
) -> wasmtime::Result<i32> {
    if file != 1 && file != 2 {
        return Ok(BAD_FILE);
    }
    let mut written = 0_u32;
    for index in 0..count {
        let at = vectors.wrapping_add(index.wrapping_mul(8));
        let (start, size) = (word(caller, at)?, word(caller, at.wrapping_add(4))?);
        let mut bytes = vec![0; size as usize];
        memory(caller)?.read(&*caller, start as usize, &mut bytes)?;
        caller.data_mut().stderr.extend(bytes);
        written = written.wrapping_add(size);
    }
    memory(caller)?.write(caller, written_at as usize, &written.to_le_bytes())?;
    Ok(SUCCESS)
}

/// Adds the imports of module `wasi_snapshot_preview1`.
pub(crate) fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.func_wrap(
        MODULE,
        "fd_write",
        |mut caller: Caller<'_, Host>, file: u32, vectors: u32, count: u32, written: u32| {
            fd_write(&mut caller, file, vectors, count, written)
        },
    )?;
    linker.func_wrap(
        MODULE,
        "random_get",
        |mut caller: Caller<'_, Host>, at: u32, size: u32| {
            let bytes: Vec<u8> = (0..size).map(|_| caller.data_mut().random_byte()).collect();
            memory(&caller)?.write(&mut caller, at as usize, &bytes)?;
            wasmtime::Result::Ok(SUCCESS)
        },
    )?;
    for name in ["environ_sizes_get", "args_sizes_get"] {
        linker.func_wrap(
            MODULE,
            name,
            |mut caller: Caller<'_, Host>, count_at: u32, size_at: u32| {
                memory(&caller)?.write(&mut caller, count_at as usize, &[0; 4])?;
                memory(&caller)?.write(&mut caller, size_at as usize, &[0; 4])?;
                wasmtime::Result::Ok(SUCCESS)
            },
        )?;
    }
    for name in ["environ_get", "args_get"] {
        linker.func_wrap(MODULE, name, |_: Caller<'_, Host>, _: u32, _: u32| SUCCESS)?;
    }
    linker.func_wrap(
        MODULE,
        "clock_time_get",
        |mut caller: Caller<'_, Host>, _clock: u32, _precision: u64, at: u32| {
            let nanos = caller.data().clock_nanos();
            memory(&caller)?.write(&mut caller, at as usize, &nanos.to_le_bytes())?;
            wasmtime::Result::Ok(SUCCESS)
        },
    )?;
    linker.func_wrap(
        MODULE,
        "proc_exit",
        |_: Caller<'_, Host>, code: i32| -> wasmtime::Result<()> {
            Err(wasmtime::Error::msg(format!("the filter exited with code {code}")))
        },
    )?;
    Ok(())
}
