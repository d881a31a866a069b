//! Engines as the command line describes them.

pub(crate) mod list;
pub(crate) mod new;
pub mod words;

use std::path::Path;

use record::engine_spec::{EngineSpec, Program};
use referee::engine::TABLE_PATH;

use crate::paths;

/// Points the built-in engine to the folder of `linesman-lab table build`, if that exists and `TablePath` is not set.
pub(crate) fn use_tables(spec: &mut EngineSpec) {
    let is_set = |(name, _): &(String, _)| name.eq_ignore_ascii_case(TABLE_PATH);
    if spec.program != Program::Builtin || spec.options.iter().any(is_set) {
        return;
    }
    let folder = paths::tables().ok().filter(|folder| folder.is_dir());
    if let Some(folder) = folder.as_deref().and_then(Path::to_str) {
        let option = (TABLE_PATH.to_owned(), Some(folder.to_owned()));
        spec.options.push(option);
    }
}
