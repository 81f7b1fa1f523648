//! Daemons in this process and in their own, over sockets in temporary folders. One binary, because linking is slow.

mod answers;
mod commands;
mod lifecycle;
mod service;
mod support;
