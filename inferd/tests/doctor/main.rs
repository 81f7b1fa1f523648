//! `inferd doctor`: each test plants one fault in an installation that is otherwise healthy, and expects exactly that finding.

mod envoy;
mod node;
mod support;
