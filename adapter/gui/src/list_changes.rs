//! The changes of a list, in JSON.

use std::collections::HashMap;

use serde_json::{Value, json};

/// Describes a list by another one: `[start, length]` for items that are in the old list in this order, and other items
/// as they are.
pub(crate) fn changes(old: &[Value], new: &[Value]) -> Vec<Value> {
    let at: HashMap<String, usize> = old.iter().map(Value::to_string).zip(0..).collect();
    let mut parts: Vec<Value> = Vec::new();
    let mut run: Option<(usize, usize)> = None;
    for item in new {
        if let Some((start, length)) = &mut run
            && old.get(*start + *length) == Some(item)
        {
            *length += 1;
            continue;
        }
        parts.extend(run.take().map(|run| json!(run)));
        match at.get(&item.to_string()) {
            Some(start) => run = Some((*start, 1)),
            None => parts.push(item.clone()),
        }
    }
    parts.extend(run.map(|run| json!(run)));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_restored_from_its_changes() {
        let list =
            |ids: &[u32]| -> Vec<Value> { ids.iter().map(|id| json!({ "id": id })).collect() };
        let old = list(&[1, 2, 3, 4, 5, 6]);
        for (new, n_parts) in [
            (list(&[1, 2, 3, 4, 5, 6]), 1),
            (list(&[1, 2, 4, 5, 6]), 2),
            (list(&[1, 2, 9, 3, 4, 5, 6]), 3),
            (list(&[6, 1, 1, 8]), 4),
            (Vec::new(), 0),
        ] {
            let parts = changes(&old, &new);
            assert_eq!(parts.len(), n_parts, "{parts:?}");
            let restored = parts.iter().flat_map(|part| match part.as_array() {
                Some(run) => {
                    let number = |i: usize| run[i].as_u64().expect("a number") as usize;
                    old[number(0)..number(0) + number(1)].to_vec()
                }
                None => vec![part.clone()],
            });
            assert_eq!(restored.collect::<Vec<_>>(), new);
        }
    }
}
