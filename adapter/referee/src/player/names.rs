//! Names of engines.

use std::collections::HashSet;

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
