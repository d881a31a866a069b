//! Lines from an engine to a GUI: results and thinking, which our bridge writes too, features and complaints; and the
//! options of the engine in XBoard's notation.

use std::fmt;
use std::time::Duration;

use protocol::{Dialect, Info, OptionDecl, OptionKind, Score};
use record::game::{GameResult, Points};
use table::Analysis;

/// Offset of mate scores in a thinking line.
const MATE: i64 = 100_000;

/// Longest mate in moves. Programs with other scales have larger scores, which are no mates here.
const LONGEST_MATE: i64 = 1000;

/// Result of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResultLine {
    /// Winner; unknown if the game was aborted.
    pub(crate) result: GameResult,
    /// Reason, possibly empty, without braces.
    pub(crate) comment: String,
}

impl ResultLine {
    /// Parses `1-0 {White mates}`. Some programs write no blank, and some no comment.
    pub(crate) fn parse(line: &str) -> Option<ResultLine> {
        let mut results = ["1-0", "0-1", "1/2-1/2"].into_iter();
        let word = results.find(|word| line.starts_with(word))?;
        let rest = line[word.len()..].trim_start();
        let comment = rest.trim_start_matches('{').trim_end_matches('}');
        (rest.is_empty() || rest.starts_with('{')).then_some(ResultLine {
            result: word.parse().ok()?,
            comment: comment.to_owned(),
        })
    }
}

/// Parses the names and values after `feature`; values with blanks are quoted.
pub(crate) fn parse_features(text: &str) -> Vec<(String, String)> {
    let mut features = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, value)) = rest.split_once('=') {
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_once(' ').unwrap_or((value, "")),
        };
        features.push((name.trim().to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    features
}

/// The failure that `Illegal move (WHY): MOVE` or `Error (WHY): LINE` reports; `None` if no game needs the refused line.
pub(crate) fn complaint(line: &str) -> Option<String> {
    let (head, text) = line.split_once(':').unwrap_or((line, ""));
    let why = head.split_once('(').map_or("", |(_, why)| why);
    let (why, text) = (why.trim_end_matches([')', ' ']), text.trim());
    match head.starts_with("Illegal move") {
        true => Some(format!("illegal move {text}: {why}")),
        false if text.starts_with("variant") || text.starts_with("setboard") => {
            Some(why.to_owned())
        }
        false => None,
    }
}

/// Parses a line of thinking: `DEPTH SCORE TIME NODES PV`.
pub(crate) fn parse_thinking(line: &str) -> Option<Info> {
    let mut words = line.split_whitespace();
    // Some engines mark the depth: `9.` or `9&`.
    let depth = words.next()?.trim_end_matches(['.', '&', '+', '-']);
    let depth = depth.parse().ok()?;
    let score: i64 = words.next()?.parse().ok()?;
    let centiseconds: u64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let score = match score.checked_abs().unwrap_or(i64::MAX) - MATE {
        moves @ 1..=LONGEST_MATE => {
            let moves = (moves * score.signum()) as i32;
            Score::Mate(Dialect::Uci.plies(moves))
        }
        0 if score < 0 => Score::Mate(0),
        _ => Score::Cp(score.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
    };
    Some(Info {
        depth: Some(depth),
        score: Some(score),
        time: Some(Duration::from_millis(centiseconds.saturating_mul(10))),
        nodes: Some(nodes),
        pv: words.map(str::to_owned).collect(),
        ..Info::default()
    })
}

/// Formats a line of thinking of an engine that counts mates as its dialect does.
pub(crate) fn format_thinking(
    thought: &Analysis,
    dialect: Dialect,
    time: Duration,
    pv: &str,
) -> String {
    let score = match thought.score {
        Some(Points::Cp(score)) => score.into(),
        Some(Points::Mate(distance)) => {
            let moves = i64::from(Dialect::Uci.mate_distance(dialect.plies(distance)));
            moves + if moves > 0 { MATE } else { -MATE }
        }
        Some(Points::Draw) | None => 0,
    };
    let (depth, nodes) = (thought.depth.unwrap_or(0), thought.nodes.unwrap_or(0));
    let centiseconds = time.as_millis() / 10;
    format!("{depth} {score} {centiseconds} {nodes} {pv}")
}

impl fmt::Display for ResultLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comment = self.comment.replace(['{', '}'], "");
        write!(f, "{} {{{comment}}}", self.result)
    }
}

/// Returns the value of `feature option`, which adds an option to XBoard's settings; `None` for a button.
pub(super) fn option_feature(option: &OptionDecl) -> Option<String> {
    let name = &option.name;
    Some(match &option.kind {
        OptionKind::Check { default } => format!("{name} -check {}", u8::from(*default)),
        OptionKind::Spin { default, min, max } => {
            // XBoard's numbers have 32 bits.
            let [default, min, max] = [default, min, max]
                .map(|number| (*number).clamp(i64::from(i32::MIN), i64::from(i32::MAX)));
            format!("{name} -spin {default} {min} {max}")
        }
        OptionKind::Combo { default, choices } => {
            let choices = choices.iter().map(|choice| match choice == default {
                true => format!("*{choice}"),
                false => choice.clone(),
            });
            let choices: Vec<String> = choices.collect();
            format!("{name} -combo {}", choices.join(" /// "))
        }
        OptionKind::String { default } => format!("{name} -string {default}"),
        OptionKind::Button => return None,
    })
}

/// Parses the value of `feature option`, the counterpart of [`option_feature`]; `None` if it is none.
pub(super) fn parse_option(text: &str) -> Option<OptionDecl> {
    let (name, rest) = text.split_once(" -")?;
    let (kind, value) = rest.split_once(' ').unwrap_or((rest, ""));
    let value = value.trim();
    let kind = match kind {
        "button" | "save" | "reset" => OptionKind::Button,
        "check" => OptionKind::Check {
            default: value == "1",
        },
        "string" | "file" | "path" => OptionKind::String {
            default: value.to_owned(),
        },
        "spin" | "slider" => {
            let numbers = value.split_whitespace().map(str::parse);
            let numbers: Vec<i64> = numbers.collect::<Result<_, _>>().ok()?;
            let [default, min, max] = numbers[..] else {
                return None;
            };
            OptionKind::Spin { default, min, max }
        }
        "combo" => {
            let choices: Vec<&str> = value.split("///").map(str::trim).collect();
            let chosen = choices.iter().find(|choice| choice.starts_with('*'));
            let plain = |choice: &&str| choice.trim_start_matches('*').to_owned();
            OptionKind::Combo {
                default: plain(chosen.or(choices.first())?),
                choices: choices.iter().map(plain).collect(),
            }
        }
        _ => return None,
    };
    let name = name.trim().to_owned();
    Some(OptionDecl { name, kind })
}

/// Returns the line that sets an option, the counterpart of [`read_option`].
pub(super) fn option_line(options: &[OptionDecl], name: &str, value: Option<&str>) -> String {
    let mut options = options.iter();
    let option = options.find(|option| option.name.eq_ignore_ascii_case(name));
    let name = option.map_or(name, |option| &option.name);
    match (option.map(|option| &option.kind), value) {
        (_, None) => format!("option {name}"),
        (Some(OptionKind::Check { .. }), Some(value)) => {
            format!(
                "option {name}={}",
                u8::from(value.eq_ignore_ascii_case("true"))
            )
        }
        (_, Some(value)) => format!("option {name}={value}"),
    }
}

/// Parses the text after the word `option`: returns the name of the option and the value for the engine.
///
/// # Errors
/// There is no such option, or no value.
pub(super) fn read_option<'o>(
    options: &'o [OptionDecl],
    text: &str,
) -> Result<(&'o str, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let mut options = options.iter();
    let option = options.find(|option| option.name.eq_ignore_ascii_case(name.trim()));
    let option = option.ok_or("unknown option")?;
    let value = match (&option.kind, value.trim()) {
        (OptionKind::Check { .. }, "0") => "false",
        (OptionKind::Check { .. }, "1") => "true",
        (_, value) => value,
    };
    Ok((&option.name, value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_back() {
        for line in [
            "9 156 1084 48000 a1b2 c1c2",
            "9 100003 1084 48000 a1b2",
            "9 -100000 0 1 ",
        ] {
            let info = parse_thinking(line).expect(line);
            let thought = Analysis {
                code: None,
                score: info.score.map(Points::from),
                depth: info.depth,
                nodes: info.nodes,
                line: Vec::new(),
            };
            let time = info.time.expect("a time");
            let written = format_thinking(&thought, Dialect::Ugi, time, &info.pv.join(" "));
            assert_eq!(written, line);
        }
        for line in [
            "0-1 {s wins: it has reached the goal}",
            "1/2-1/2 {draw: threefold repetition}",
        ] {
            let result = ResultLine::parse(line).expect(line);
            assert_eq!(result.to_string(), line);
        }
        for line in ["9. 156 1084 48000 a1b2", "9& 156 1084 48000"] {
            assert!(parse_thinking(line).is_some(), "{line}");
        }
        assert_eq!(parse_thinking("1. e2e4"), None);
        let why = complaint("Illegal move: a1b2");
        assert_eq!(why.as_deref(), Some("illegal move a1b2: "));
    }

    #[test]
    fn features_may_hold_blanks_and_equal_signs() {
        let features = parse_features("ping=1 option=\"Hash -spin 16 1 99\" done=1");
        let values: Vec<&str> = features.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["1", "Hash -spin 16 1 99", "1"]);
    }

    #[test]
    fn what_cannot_be_a_mate_is_a_score() {
        for (written, score) in [
            (100_001, Score::Mate(1)),
            (101_000, Score::Mate(1999)),
            (-100_003, Score::Mate(-6)),
            (-100_000, Score::Mate(0)),
            (100_000, Score::Cp(100_000)),
            (101_001, Score::Cp(101_001)),
            (999_998, Score::Cp(999_998)),
            (-32_765, Score::Cp(-32_765)),
            (i64::MIN, Score::Cp(i32::MIN)),
        ] {
            let thinking = parse_thinking(&format!("9 {written} 12 345 e2e4"));
            let thinking = thinking.expect("a line of thinking");
            assert_eq!(thinking.score, Some(score), "{written}");
        }
    }

    #[test]
    fn results_are_read_as_programs_write_them() {
        for line in [
            "1-0 {White mates}",
            "1-0{White mates}",
            "1-0  {White mates}",
        ] {
            let result = ResultLine::parse(line).expect(line);
            assert_eq!(result.comment, "White mates", "{line}");
        }
        assert!(ResultLine::parse("0-1").is_some());
        assert_eq!(ResultLine::parse("1-0 33 12 4 e2e4"), None);
    }

    #[test]
    fn a_comment_closes_no_brace() {
        let result = ResultLine {
            result: GameResult::Unknown,
            comment: "a} {b".to_owned(),
        };
        assert_eq!(result.to_string(), "* {a b}");
    }

    fn option(name: &str, kind: OptionKind) -> OptionDecl {
        OptionDecl {
            name: name.to_owned(),
            kind,
        }
    }

    #[test]
    fn options_are_converted_both_ways() {
        let options = [
            option("Own Book", OptionKind::Check { default: true }),
            option(
                "Hash",
                OptionKind::Spin {
                    default: 16,
                    min: 1,
                    max: 1 << 40,
                },
            ),
            option(
                "Style",
                OptionKind::Combo {
                    default: "calm".to_owned(),
                    choices: ["wild", "calm"].map(str::to_owned).to_vec(),
                },
            ),
            option(
                "File",
                OptionKind::String {
                    default: String::new(),
                },
            ),
        ];
        let features: Vec<_> = options.iter().filter_map(option_feature).collect();
        assert_eq!(
            features,
            [
                "Own Book -check 1",
                "Hash -spin 16 1 2147483647",
                "Style -combo wild /// *calm",
                "File -string ",
            ]
        );
        for (text, name, value) in [
            ("Own Book=0", "Own Book", "false"),
            ("Hash=64", "Hash", "64"),
            ("style=wild", "Style", "wild"),
            ("File=a=b c", "File", "a=b c"),
        ] {
            assert_eq!(read_option(&options, text), Ok((name, value.to_owned())));
        }
        for (option, feature) in options.iter().zip(&features) {
            assert_eq!(
                parse_option(feature).as_ref().map(|parsed| &parsed.name),
                Some(&option.name)
            );
        }
        let [book, hash, style] =
            [0, 1, 2].map(|at| parse_option(&features[at]).expect("an option").kind);
        assert_eq!(book, options[0].kind);
        assert_eq!(style, options[2].kind);
        let (default, min, max) = (16, 1, 2_147_483_647);
        assert_eq!(hash, OptionKind::Spin { default, min, max });
        assert_eq!(
            parse_option("Clear Hash -button").expect("a button").kind,
            OptionKind::Button
        );
        for text in ["", "Hash -spin 1 2", "Hash -spin a b c", "x -unknown 3"] {
            assert_eq!(parse_option(text), None, "{text}");
        }
        for (name, value, sent) in [
            ("own book", Some("true"), "option Own Book=1"),
            ("Hash", Some("64"), "option Hash=64"),
            ("Clear", None, "option Clear"),
        ] {
            assert_eq!(option_line(&options, name, value), sent);
        }
        assert!(read_option(&options, "Nonsense=1").is_err());
        assert!(read_option(&options, "Hash").is_err());
        assert_eq!(option_feature(&option("Clear", OptionKind::Button)), None);
    }
}
