//! Assertions on what a program said, which show all of it when they fail.

use std::fmt::Debug;

use serde_json::Value;

/// A text or lines.
pub(crate) trait Said: Debug {
    /// `true` if the text, or one of the lines, contains this part.
    fn says(&self, part: &str) -> bool;
}

impl Said for str {
    fn says(&self, part: &str) -> bool {
        self.contains(part)
    }
}

impl Said for String {
    fn says(&self, part: &str) -> bool {
        self.contains(part)
    }
}

impl Said for Vec<String> {
    fn says(&self, part: &str) -> bool {
        self.iter().any(|line| line.contains(part))
    }
}

/// The text of a field.
impl Said for Value {
    fn says(&self, part: &str) -> bool {
        self.as_str().is_some_and(|text| text.contains(part))
    }
}

impl<T: Said + ?Sized> Said for &T {
    fn says(&self, part: &str) -> bool {
        T::says(self, part)
    }
}

#[track_caller]
pub(crate) fn has(said: &(impl Said + ?Sized), part: impl AsRef<str>) {
    let part = part.as_ref();
    assert!(said.says(part), "expected {part:?} in {said:#?}");
}

#[track_caller]
pub(crate) fn lacks(said: &(impl Said + ?Sized), part: impl AsRef<str>) {
    let part = part.as_ref();
    assert!(!said.says(part), "unexpected {part:?} in {said:#?}");
}

#[track_caller]
pub(crate) fn begins(said: &str, start: impl AsRef<str>) {
    let start = start.as_ref();
    assert!(
        said.starts_with(start),
        "expected {start:?}, then more: {said:?}"
    );
}
