//! Files: reading without loss, external data, and drafts that vanish unless they are kept.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use prost::Message as _;

use crate::error::Error;
use crate::onnx::{GraphProto, ModelProto, TensorProto, attribute_proto, tensor_proto};

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::Io { path, source }
}

/// Reads a model. The schema is compiled in, and prost drops what it does not know: a model that would lose bytes is
/// refused.
pub(crate) fn read(path: &Path) -> Result<ModelProto, Error> {
    let bytes = fs::read(path).map_err(io(path))?;
    let model = ModelProto::decode(&*bytes)
        .map_err(|source| Error::Decode { path: path.to_owned(), source })?;
    let known = model.encoded_len();
    if known < bytes.len() {
        return Err(Error::UnknownFields { path: path.to_owned(), lost: bytes.len() - known });
    }
    Ok(model)
}

pub(crate) fn graph(model: &ModelProto) -> Result<&GraphProto, Error> {
    model.graph.as_ref().ok_or(Error::NoGraph)
}

/// All tensors of a graph that can have external data, bodies of control flow included.
fn tensors(graph: &GraphProto) -> Vec<&TensorProto> {
    let mut all: Vec<&TensorProto> = graph.initializer.iter().collect();
    for attribute in graph.node.iter().flat_map(|node| &node.attribute) {
        all.extend(&attribute.t);
        all.extend(&attribute.tensors);
        for body in attribute.g.iter().chain(&attribute.graphs) {
            all.extend(tensors(body));
        }
    }
    all
}

pub(crate) fn is_external(tensor: &TensorProto) -> bool {
    tensor.data_location == Some(tensor_proto::DataLocation::External as i32)
}

/// Graphs inside a node.
pub(crate) fn bodies(attribute: &crate::onnx::AttributeProto) -> impl Iterator<Item = &GraphProto> {
    let kind = attribute.r#type();
    let holds_graphs = matches!(
        kind,
        attribute_proto::AttributeType::Graph | attribute_proto::AttributeType::Graphs
    );
    attribute.g.iter().chain(&attribute.graphs).filter(move |_| holds_graphs)
}

/// The folder that the output goes to, with all external data in reach.
#[derive(Debug)]
pub(crate) struct Place {
    folder: PathBuf,
    stem: String,
    /// Data files that were put here for this run, removed again unless the output is kept.
    brought: std::cell::RefCell<Vec<PathBuf>>,
}

impl Place {
    /// Makes the external data of `model` reachable from the folder of `output`.
    pub(crate) fn prepare(model: &ModelProto, input: &Path, output: &Path) -> Result<Self, Error> {
        let folder_of = |path: &Path| match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let (from, to) = (folder_of(input), folder_of(output));
        fs::create_dir_all(&to).map_err(io(&to))?;
        let stem = output
            .file_name()
            .map_or_else(|| "model".into(), |name| name.to_string_lossy().into_owned());
        let place = Self { folder: to, stem, brought: Vec::new().into() };
        let mut locations = BTreeSet::new();
        for tensor in tensors(graph(model)?).into_iter().filter(|tensor| is_external(tensor)) {
            let location = tensor
                .external_data
                .iter()
                .find(|e| e.key() == "location")
                .map_or("", |e| e.value());
            let mut parts = Path::new(location).components();
            let plain =
                matches!(parts.next(), Some(Component::Normal(_))) && parts.next().is_none();
            if !plain {
                return Err(Error::ExternalData {
                    tensor: tensor.name().to_owned(),
                    location: location.to_owned(),
                });
            }
            locations.insert(location);
        }
        let same = fs::canonicalize(&from).map_err(io(&from))?
            == fs::canonicalize(&place.folder).map_err(io(&place.folder))?;
        for location in locations.into_iter().filter(|_| !same) {
            let (source, target) = (from.join(location), place.folder.join(location));
            if target.exists() {
                // Another model's data under the same name would be silently wrong: compare before trusting it.
                let read = |path: &Path| fs::read(path).map_err(io(path));
                if read(&source)? != read(&target)? {
                    return Err(io(&target)(std::io::Error::new(
                        std::io::ErrorKind::AlreadyExists,
                        "other data of this name lies beside the output",
                    )));
                }
                continue;
            }
            if fs::hard_link(&source, &target).is_err() {
                fs::copy(&source, &target).map_err(io(&source))?;
            }
            place.brought.borrow_mut().push(target);
        }
        Ok(place)
    }

    /// Writes a model beside the output under a hidden name.
    pub(crate) fn draft(&self, kind: &str, model: &ModelProto) -> Result<Draft<'_>, Error> {
        let path = self.folder.join(format!(".{}.{kind}.{}", self.stem, std::process::id()));
        let draft = Draft { path, place: self, kept: false };
        fs::write(&draft.path, model.encode_to_vec()).map_err(io(&draft.path))?;
        Ok(draft)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for path in self.brought.borrow().iter() {
            // Nothing to be done about a failure here, and the data is only a copy.
            let _ = fs::remove_file(path);
        }
    }
}

/// A file that is removed when dropped.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    path: PathBuf,
    place: &'a Place,
    kept: bool,
}

impl Draft<'_> {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the draft in its final place, in one step, together with the data that was brought for it.
    pub(crate) fn keep(mut self, output: &Path) -> Result<(), Error> {
        fs::rename(&self.path, output).map_err(io(output))?;
        self.kept = true;
        self.place.brought.borrow_mut().clear();
        Ok(())
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}
