//! Selects the plots of a report and their data.

use std::ops::Range;

use record::stats::{MoveTime, ProgressPoint, SprtStatus, ThinkingTime, Window};

use crate::plot::{Bars, Chart, Curve, Lines, Plot};
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
    let times: Vec<&ThinkingTime> = report.summary.times.players().collect();
    let clocks = times.iter().copied().filter(|time| time.has_clock());
    let clocks: Vec<&ThinkingTime> = clocks.collect();
    let mut plots = vec![elo(report, &progress)];
    plots.extend(report.sprt.as_ref().map(|sprt| llr(sprt, &progress)));
    let first = report.summary.names().next().unwrap_or_default();
    plots.extend(windows(first, report.windows));
    if !times.is_empty() {
        plots.push(thinking(&times));
    }
    if !clocks.is_empty() {
        plots.push(clock_left(&clocks));
    }
    plots.push(lengths(report));
    plots
}

fn elo(report: &MatchReport, progress: &[ProgressPoint]) -> Plot {
    let names: Vec<&str> = report.summary.names().collect();
    let (title, labels) = match names.as_slice() {
        [first, second] => {
            let (first, second) = (shortened(first, NAME), shortened(second, NAME));
            (format!("Elo of {first} over {second}"), vec![String::new()])
        }
        names => {
            let labels = names.iter().map(|name| shortened(name, NAME).into_owned());
            ("Elo ratings".to_owned(), labels.collect())
        }
    };
    let curve = |(index, name): (usize, String)| {
        let known = |point: &ProgressPoint| Some((point.games, (*point.elo.get(index)?)?));
        let points = progress.iter().filter_map(known).collect();
        Curve { name, points }
    };
    let curves: Vec<Curve> = labels.into_iter().enumerate().map(curve).collect();
    let n_games = progress.last().map_or(0, |last| last.games);
    let Some(y_range) = elo_range(&curves, n_games) else {
        let why = match progress.last() {
            Some(last) if last.elo.is_empty() && names.len() > 2 => "Too many players for curves.",
            _ => "Too few games for an Elo difference.",
        };
        return Plot::nothing(title, why);
    };
    let last = curves.iter().filter_map(|curve| {
        let last = words::interval(curve.points.last()?.1, 1);
        Some(format!("{} {last}", curve.name).trim_start().to_owned())
    });
    let last = last.collect::<Vec<_>>().join(", ");
    Plot {
        title: format!("{title}, with 95 % intervals"),
        spoken: format!("After {n_games} games: {last}."),
        chart: Chart::Lines(Lines {
            curves,
            rules: vec![(0.0, "")],
            x_name: "games",
            x_range: 0..n_games,
            y_range,
        }),
    }
}

/// The Elo range to show: 0 and all intervals after the first fifth of the games, in which they are wide. It extends at
/// most 20 widths of the narrowest final interval beyond 0 and the final values. `None` without a curve.
fn elo_range(curves: &[Curve], n_games: usize) -> Option<Range<f64>> {
    let late = |games: usize| 5 * games >= n_games;
    let (mut low, mut high) = (0.0f64, 0.0f64);
    let mut narrowest = f64::INFINITY;
    for curve in curves {
        for (_, elo) in curve.points.iter().filter(|(games, _)| late(*games)) {
            low = low.min(elo.value - elo.error);
            high = high.max(elo.value + elo.error);
        }
        let last = curve.points.last().map(|(_, elo)| 2.0 * elo.error);
        narrowest = narrowest.min(last.unwrap_or(f64::INFINITY));
    }
    if !narrowest.is_finite() {
        return None;
    }
    let most = 20.0 * narrowest.max(5.0);
    let last = curves.iter().filter_map(|curve| curve.points.last());
    let last = last.map(|(_, elo)| elo.value);
    let (lowest, highest) = (last.clone().fold(0.0, f64::min), last.fold(0.0, f64::max));
    let (low, high) = (low.max(lowest - most), high.min(highest + most));
    let margin = ((high - low) * 0.05).max(1.0);
    Some(low - margin..high + margin)
}

fn llr(sprt: &SprtStatus, progress: &[ProgressPoint]) -> Plot {
    let points = progress.iter();
    let points = points.filter_map(|point| Some((point.games, point.llr?)));
    let values = points.clone().map(|(_, llr)| llr);
    let low = values.clone().fold(sprt.lower, f64::min);
    let high = values.fold(sprt.upper, f64::max);
    let margin = (high - low) * 0.12;
    Plot {
        title: "Log-likelihood ratio between its bounds".to_owned(),
        spoken: format!("{}.", words::sprt(sprt)),
        chart: match points.clone().next_back() {
            None => Chart::Nothing("No finished games.".to_owned()),
            Some((n_games, _)) => Chart::Lines(Lines {
                curves: vec![Curve::plain(String::new(), points)],
                rules: vec![
                    (sprt.upper, "H1 is accepted"),
                    (0.0, ""),
                    (sprt.lower, "H0 is accepted"),
                ],
                x_name: "games",
                x_range: 0..n_games,
                y_range: low - margin..high + margin,
            }),
        },
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
        chart: Chart::Lines(Lines {
            curves: vec![Curve::plain(String::new(), points)],
            rules: vec![(50.0, "")],
            x_name: "games",
            x_range: 0..last.last,
            y_range: 0.0..100.0,
        }),
    })
}

fn thinking(times: &[&ThinkingTime]) -> Plot {
    let all = times.iter().flat_map(|time| time.by_move(MAX_MOVES));
    let longest = all.fold(0.0, |longest: f64, time| longest.max(time.mean_seconds()));
    let (unit, scale) = if longest < 1.0 {
        ("ms", 1e3)
    } else {
        ("s", 1.0)
    };
    let mean = |time: &ThinkingTime| words::seconds(time.seconds / time.moves.max(1) as f64);
    let title = format!("Mean time of a move ({unit})");
    by_move(title, "Over all moves", times, mean, |time| {
        time.mean_seconds() * scale
    })
}

fn clock_left(times: &[&ThinkingTime]) -> Plot {
    let least = |time: &ThinkingTime| {
        let left = time.by_move(MAX_MOVES);
        let left = left.iter().map(MoveTime::mean_left);
        format!("{:.0} %", 100.0 * left.fold(f64::INFINITY, f64::min))
    };
    let title = "Clock left after a move (% of the beginning)".to_owned();
    by_move(title, "The least in the mean", times, least, |time| {
        100.0 * time.mean_left()
    })
}

/// A curve for each player over the numbers of its moves, and a number for each as its text.
fn by_move(
    title: String,
    about: &str,
    times: &[&ThinkingTime],
    spoken: impl Fn(&ThinkingTime) -> String,
    value: impl Fn(&MoveTime) -> f64,
) -> Plot {
    let mut numbers = Vec::new();
    let mut curves = Vec::new();
    for time in times {
        let name = shortened(&time.name, NAME).into_owned();
        numbers.push(format!("{name} {}", spoken(time)));
        let moves = time.by_move(MAX_MOVES).into_iter();
        let points = moves.map(|time| (time.first, value(&time)));
        curves.push(Curve::plain(name, points));
    }
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let highest = points().fold(0.0f64, |highest, (_, y)| highest.max(y.value));
    let last = points().map(|(at, _)| *at).max().unwrap_or(1);
    Plot {
        title,
        spoken: format!("{about}: {}.", numbers.join(", ")),
        chart: Chart::Lines(Lines {
            rules: Vec::new(),
            x_name: "move of the player",
            x_range: 1..last.max(2),
            y_range: 0.0..(highest * 1.08).max(1e-3),
            curves,
        }),
    }
}

fn lengths(report: &MatchReport) -> Plot {
    let lengths = &report.summary.lengths;
    let title = "Lengths of the games".to_owned();
    let Some((shortest, median, longest)) = lengths.spread() else {
        return Plot::nothing(title, "No finished games.");
    };
    let bins = lengths.bins(MAX_BARS);
    let names = [
        "first player won",
        "drawn",
        "second player won",
        "no result",
    ];
    let has = |part: usize| bins.iter().any(|bin| bin.games[part] > 0);
    let names = std::array::from_fn(|part| if has(part) { names[part] } else { "" });
    Plot {
        title,
        spoken: format!("From {shortest} to {longest} plies, the median is {median}."),
        chart: Chart::Bars(Bars {
            names,
            width: bins.first().map_or(1, |bin| bin.width),
            bars: bins.iter().map(|bin| (bin.first, bin.games)).collect(),
            x_name: "plies",
        }),
    }
}
