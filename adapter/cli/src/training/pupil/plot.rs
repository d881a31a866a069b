//! A plot of scores as text.

/// Rows of the plot.
const ROWS: usize = 10;
/// Parts of a row, from empty to full.
const PARTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A column for each score from 0 to 1, with a line at the bottom.
pub(super) fn columns(scores: &[f64], has_unicode: bool) -> String {
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        let label = match row + 1 {
            top if top % 5 == 0 => format!("{:3} %", 100 * top / ROWS),
            _ => String::new(),
        };
        let columns: String = scores
            .iter()
            .map(|score| column(*score, row, has_unicode))
            .collect();
        text += format!("{label:>5} |{columns}").trim_end();
        text.push('\n');
    }
    text + &format!("{:>5} +{}\n", "0 %", "-".repeat(2 * scores.len()))
}

fn column(score: f64, row: usize, has_unicode: bool) -> String {
    let parts = (score * ROWS as f64 - row as f64).clamp(0.0, 1.0) * 8.0;
    let part = match has_unicode {
        true => PARTS[parts.round() as usize],
        false if parts >= 4.0 => '#',
        false => ' ',
    };
    format!("{part} ")
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn a_column_is_as_high_as_its_score() {
        let text = columns(&[0.0, 0.55, 1.0], true);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 11);
        assert_eq!(rows[0], "100 % |    █");
        assert_eq!(rows[4], "      |  ▄ █");
        assert_eq!(rows[5], " 50 % |  █ █");
        assert_eq!(rows[10], "  0 % +------");
        assert_eq!(columns(&[0.55], false).lines().nth(4), Some("      |#"));
    }
}
