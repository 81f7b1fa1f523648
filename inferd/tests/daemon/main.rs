//! Daemons in this process and in their own, over sockets in temporary folders. One binary, because linking is slow.

mod answers;
mod attention;
mod commands;
mod formats;
mod lifecycle;
mod quiet;
mod service;
mod support;
mod traces;
