//! Selects the plots of a report and their data.

use std::ops::Range;

use record::stats::{MoveTime, ProgressPoint, SprtStatus, ThinkingTime, Window};

use crate::plot::{Curve, Plot};
use crate::words::shortened;
use crate::{MatchReport, words};

/// Largest length of a name in a plot.
const NAME: usize = 24;

/// Largest numbers of points of a curve over moves, and of bars of a histogram.
const MAX_MOVES: usize = 200;
const MAX_BARS: usize = 40;

/// All plots of a report in display order.
pub(crate) fn all(report: &MatchReport) -> Vec<Plot> {
    let progress = report.summary.progress();
    let mut plots = vec![elo(report, &progress)];
    plots.extend(report.sprt.as_ref().map(|sprt| llr(sprt, &progress)));
    let first = report.summary.names().next().unwrap_or_default();
    plots.extend(windows(first, report.windows));
    plots.extend(thinking(report));
    plots.extend(clock_left(report));
    plots.push(lengths(report));
    plots
}

/// A plot that only shows why there is nothing to draw.
fn nothing(title: String, why: &str) -> Plot {
    Plot {
        title,
        spoken: why.to_owned(),
        ..Plot::default()
    }
}

fn elo(report: &MatchReport, progress: &[ProgressPoint]) -> Plot {
    let names: Vec<&str> = report.summary.names().collect();
    let names = names.iter().map(|name| shortened(name, NAME).into_owned());
    let (title, labels) = match &names.collect::<Vec<_>>()[..] {
        [first, second] => {
            let title = format!("Elo of {first} over {second}");
            (title, vec![String::new()])
        }
        names => ("Elo ratings".to_owned(), names.to_vec()),
    };
    let n_games = progress.last().map_or(0, |last| last.games);
    let has_no_curves = progress.last().is_some_and(|last| last.elo.is_empty());
    let curve = |(index, name): (usize, String)| {
        let known = |point: &ProgressPoint| Some((point.games, (*point.elo.get(index)?)?));
        let points = progress.iter().filter_map(known).collect();
        Curve { name, points }
    };
    let curves: Vec<Curve> = labels.into_iter().enumerate().map(curve).collect();
    let Some(y_range) = elo_range(&curves, n_games) else {
        return match has_no_curves && curves.len() > 2 {
            true => nothing(title, "Too many players for curves."),
            false => nothing(title, "Too few games for an Elo difference."),
        };
    };
    let last = curves.iter().filter_map(|curve| {
        let last = words::interval(curve.points.last()?.1, 1);
        Some(format!("{} {last}", curve.name).trim_start().to_owned())
    });
    let last = last.collect::<Vec<_>>().join(", ");
    Plot {
        title: format!("{title}, with 95 % intervals"),
        spoken: format!("After {n_games} games: {last}."),
        rules: vec![(0.0, "")],
        x_name: "games",
        x_range: 0..n_games,
        y_range,
        curves,
        ..Plot::default()
    }
}

/// The Elo range to show: 0 and all intervals after the first fifth of the games, in which they are wide. It extends at
/// most 20 widths of the narrowest final interval beyond 0 and the final values. `None` without a curve.
fn elo_range(curves: &[Curve], n_games: usize) -> Option<Range<f64>> {
    let last = || {
        curves
            .iter()
            .filter_map(|curve| Some(curve.points.last()?.1))
    };
    let narrowest = last().map(|elo| 2.0 * elo.error).reduce(f64::min)?;
    let most = 20.0 * narrowest.max(5.0);
    let lowest = last().map(|elo| elo.value).fold(0.0, f64::min) - most;
    let highest = last().map(|elo| elo.value).fold(0.0, f64::max) + most;
    let points = curves.iter().flat_map(|curve| &curve.points);
    let late = || points.clone().filter(|(games, _)| 5 * games >= n_games);
    let low = late()
        .map(|(_, elo)| elo.value - elo.error)
        .fold(0.0, f64::min);
    let high = late()
        .map(|(_, elo)| elo.value + elo.error)
        .fold(0.0, f64::max);
    let (low, high) = (low.max(lowest), high.min(highest));
    let margin = ((high - low) * 0.05).max(1.0);
    Some(low - margin..high + margin)
}

fn llr(sprt: &SprtStatus, progress: &[ProgressPoint]) -> Plot {
    let title = "Log-likelihood ratio between its bounds".to_owned();
    let points = progress.iter();
    let points = points.filter_map(|point| Some((point.games, point.llr?)));
    let values = points.clone().map(|(_, llr)| llr);
    let low = values.clone().fold(sprt.lower, f64::min);
    let high = values.fold(sprt.upper, f64::max);
    let margin = (high - low) * 0.12;
    let Some((n_games, _)) = points.clone().next_back() else {
        return nothing(title, "No finished games.");
    };
    Plot {
        title,
        spoken: format!("{}.", words::sprt(sprt)),
        rules: vec![
            (sprt.upper, "H1 is accepted"),
            (0.0, ""),
            (sprt.lower, "H0 is accepted"),
        ],
        x_name: "games",
        x_range: 0..n_games,
        y_range: low - margin..high + margin,
        curves: vec![Curve::plain(String::new(), points)],
        ..Plot::default()
    }
}

/// A player's score in each window of games, plotted at the end of the window; `None` for fewer than two windows.
pub(crate) fn windows(name: &str, windows: &[Window]) -> Option<Plot> {
    let [first, .., last] = windows else {
        return None;
    };
    let percent = |window: &Window| 100.0 * window.score;
    let (name, size) = (shortened(name, NAME), first.last + 1 - first.first);
    let points = windows.iter();
    let points = points.map(|window| (window.last, percent(window)));
    Some(Plot {
        title: format!("Score of {name} in each {size} games (%)"),
        spoken: format!("From {:.1} % to {:.1} %.", percent(first), percent(last)),
        rules: vec![(50.0, "")],
        x_name: "games",
        x_range: 0..last.last,
        y_range: 0.0..100.0,
        curves: vec![Curve::plain(String::new(), points)],
        ..Plot::default()
    })
}

fn thinking(report: &MatchReport) -> Option<Plot> {
    let times = report.summary.times.iter();
    let all = times.flat_map(|time| time.by_move(MAX_MOVES));
    let longest = all.map(|time| time.mean_seconds()).fold(0.0, f64::max);
    let (unit, scale) = if longest < 1.0 {
        ("ms", 1e3)
    } else {
        ("s", 1.0)
    };
    by_move(
        report,
        format!("Mean time of a move ({unit})"),
        "Over all moves",
        |time| Some(words::seconds(time.seconds / time.moves as f64)),
        |time| time.mean_seconds() * scale,
    )
}

fn clock_left(report: &MatchReport) -> Option<Plot> {
    let percent = |time: &MoveTime| 100.0 * time.mean_left();
    let least = |time: &ThinkingTime| {
        let left = time.by_move(MAX_MOVES);
        let least = left.iter().map(percent).fold(f64::INFINITY, f64::min);
        time.has_clock().then(|| format!("{least:.0} %"))
    };
    let title = "Clock left after a move (% of the beginning)".to_owned();
    by_move(report, title, "The least in the mean", least, percent)
}

/// A curve for each player over the numbers of its moves, and a number for each as its text; `None` without players that
/// have one.
fn by_move(
    report: &MatchReport,
    title: String,
    about: &str,
    spoken: impl Fn(&ThinkingTime) -> Option<String>,
    value: impl Fn(&MoveTime) -> f64,
) -> Option<Plot> {
    let mut numbers = Vec::new();
    let mut curves = Vec::new();
    for time in report.summary.times.iter().filter(|time| time.games > 0) {
        let Some(number) = spoken(time) else {
            continue;
        };
        let name = shortened(&time.name, NAME).into_owned();
        numbers.push(format!("{name} {number}"));
        let moves = time.by_move(MAX_MOVES).into_iter();
        let points = moves.map(|time| (time.first, value(&time)));
        curves.push(Curve::plain(name, points));
    }
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let highest = points().map(|(_, y)| y.value).fold(0.0, f64::max);
    let last = points().map(|(at, _)| *at).max().unwrap_or(1);
    (!curves.is_empty()).then(|| Plot {
        title,
        spoken: format!("{about}: {}.", numbers.join(", ")),
        x_name: "move of the player",
        x_range: 1..last.max(2),
        y_range: 0.0..(highest * 1.08).max(1e-3),
        curves,
        ..Plot::default()
    })
}

fn lengths(report: &MatchReport) -> Plot {
    let lengths = &report.summary.lengths;
    let title = "Lengths of the games".to_owned();
    let Some((shortest, median, longest)) = lengths.spread() else {
        return nothing(title, "No finished games.");
    };
    let bars = lengths.bins(MAX_BARS);
    let end = bars.last().map_or(1, |bin| bin.first + bin.width);
    let highest = bars.iter().map(|bin| bin.games.iter().sum::<u64>()).max();
    Plot {
        title,
        spoken: format!("From {shortest} to {longest} plies, the median is {median}."),
        x_name: "plies",
        x_range: bars.first().map_or(0, |bin| bin.first)..end,
        y_range: 0.0..highest.unwrap_or(1) as f64,
        bars,
        ..Plot::default()
    }
}
