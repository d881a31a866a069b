//! Names of engines.

use std::collections::HashSet;

use protocol::text::visible;

use super::engine::EnginePlayer;

/// The user's name for an engine; by default its `id name`, else the name of its program.
pub(crate) fn given_name(player: &EnginePlayer) -> String {
    let config = player.config();
    if let Some(name) = &config.spec.name {
        return name.clone();
    }
    let id_name = visible(player.id_name().unwrap_or_default());
    let name = id_name.replace(['"', '\\'], "");
    let name: String = name.chars().take(MAX_NAME).collect();
    if !name.trim().is_empty() {
        return name.trim().to_owned();
    }
    let stem = config.launch.program.file_stem();
    stem.map_or_else(
        || "engine".to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

/// The name, with a number appended if it is taken.
pub fn unique_name(name: String, taken: &mut HashSet<String>) -> String {
    let unique = (1..)
        .map(|n| {
            if n == 1 {
                name.clone()
            } else {
                format!("{name} #{n}")
            }
        })
        .find(|candidate| !taken.contains(candidate))
        .expect("an unused number exists");
    taken.insert(unique.clone());
    unique
}

/// Maximum length of an engine's name, in characters.
pub const MAX_NAME: usize = 60;
