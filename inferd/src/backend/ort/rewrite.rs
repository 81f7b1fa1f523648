//! What the rewriter asks of the runtime.

use std::borrow::Cow;
use std::path::Path;

use ::ort::session::{Session, SessionInputValue};
use ::ort::value::{DynValue, Value};
use onnx_rewrite::{Data, Runtime, RuntimeError, Tensor};

use super::OrtRuntime;
use crate::backend::Provider;

impl Runtime for OrtRuntime {
    fn open(&self, model: &Path) -> Result<Box<dyn onnx_rewrite::Session>, RuntimeError> {
        Ok(Box::new(Opened(self.session(model, Provider::Cpu, None)?)))
    }
}

struct Opened(Session);

impl onnx_rewrite::Session for Opened {
    fn run(&mut self, inputs: &[(String, Tensor)]) -> Result<Vec<(String, Tensor)>, RuntimeError> {
        let feed = inputs
            .iter()
            .map(|(name, tensor)| Ok((name.into(), value(tensor)?.into())))
            .collect::<Result<Vec<(Cow<'_, str>, SessionInputValue<'_>)>, RuntimeError>>()?;
        let outputs = self.0.run(feed)?;
        outputs.iter().map(|(name, value)| Ok((name.to_owned(), tensor(&value)?))).collect()
    }
}

fn value(tensor: &Tensor) -> Result<DynValue, RuntimeError> {
    let shape = tensor.shape.clone();
    Ok(match &tensor.data {
        Data::F32(data) => Value::from_array((shape, data.clone()))?.into_dyn(),
        Data::I64(data) => Value::from_array((shape, data.clone()))?.into_dyn(),
        Data::I32(data) => Value::from_array((shape, data.clone()))?.into_dyn(),
        Data::Bool(data) => Value::from_array((shape, data.clone()))?.into_dyn(),
        _ => return Err("inputs of this type are not supported".into()),
    })
}

fn tensor(value: &DynValue) -> Result<Tensor, RuntimeError> {
    let extents = |shape: &[i64]| -> Result<Vec<usize>, RuntimeError> {
        shape.iter().map(|&d| Ok(usize::try_from(d)?)).collect()
    };
    if let Ok((shape, data)) = value.try_extract_tensor::<f32>() {
        return Ok(Tensor { shape: extents(shape)?, data: Data::F32(data.to_vec()) });
    }
    if let Ok((shape, data)) = value.try_extract_tensor::<half::f16>() {
        let data = data.iter().map(|x| x.to_f32()).collect();
        return Ok(Tensor { shape: extents(shape)?, data: Data::F32(data) });
    }
    let (shape, data) = value.try_extract_tensor::<i64>()?;
    Ok(Tensor { shape: extents(shape)?, data: Data::I64(data.to_vec()) })
}
