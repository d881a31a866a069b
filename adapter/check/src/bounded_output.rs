//! Output collected during one wait, limited in size.

use crate::output_line::OutputLine;

/// Maximum number of bytes kept of one wait's output.
const MAX_KEPT: usize = 5 << 20;

/// Lines received during one wait. Beyond the limit, output is read and dropped.
#[derive(Debug, Default)]
pub(super) struct BoundedOutput {
    pub(super) output: Vec<OutputLine>,
    n_bytes: usize,
}

impl BoundedOutput {
    pub(super) fn push(&mut self, output: OutputLine) {
        // A parsed reply also holds a copy of the text.
        self.n_bytes += size_of::<OutputLine>() + 2 * output.line.len();
        if self.n_bytes <= MAX_KEPT {
            self.output.push(output);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_flood_is_not_kept() {
        let mut kept = BoundedOutput::default();
        for _ in 0..1_000_000 {
            kept.push(OutputLine {
                at: Instant::now(),
                line: "info string again".to_owned(),
                reply: None,
            });
        }
        assert!(kept.output.len() * size_of::<OutputLine>() <= MAX_KEPT);
        assert!(kept.output.len() > 10_000, "normal output is kept in full");
    }
}
