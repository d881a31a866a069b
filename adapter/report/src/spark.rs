//! Sparklines: a curve as one line of text.

/// The characters of a sparkline, in ascending height.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Formats values as a line of at most `width` characters, scaled from the lowest to the highest value. Each character
/// shows the last value of its range. Empty if fewer than two values are finite.
pub fn sparkline(values: &[f64], width: usize) -> String {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let values: Vec<f64> = finite.collect();
    if values.len() < 2 || width == 0 {
        return String::new();
    }
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bar = |value: f64| {
        let share = match high > low {
            true => (value - low) / (high - low),
            false => 0.5,
        };
        BARS[((share * 7.0).round() as usize).min(7)]
    };
    let n_bars = values.len().min(width);
    let last = |bar: usize| (bar + 1) * values.len() / n_bars - 1;
    (0..n_bars).map(|at| bar(values[last(at)])).collect()
}

#[cfg(test)]
mod tests {
    use super::sparkline;

    #[test]
    fn lowest_and_highest_are_told_apart() {
        assert_eq!(sparkline(&[0.0, 7.0, 3.0], 40), "▁█▄");
        assert_eq!(sparkline(&[5.0, 5.0], 40), "▅▅");
    }

    #[test]
    fn a_long_curve_ends_with_its_last_value() {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        let line = sparkline(&values, 40);
        assert_eq!(line.chars().count(), 40);
        assert!(line.starts_with('▁') && line.ends_with('█'));
    }

    #[test]
    fn what_is_no_curve_is_no_line() {
        assert_eq!(sparkline(&[], 40), "");
        assert_eq!(sparkline(&[1.0, f64::INFINITY], 40), "");
        assert_eq!(sparkline(&[1.0, 2.0], 0), "");
    }
}
