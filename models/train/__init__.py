"""Training of Forebay's embedded classifiers: one encoder, three heads, one int8 ONNX file."""
