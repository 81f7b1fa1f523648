//! Glue between Envoy and `policy`.
