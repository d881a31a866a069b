//! Options of the engine in XBoard's notation.

use protocol::{OptionDecl, OptionKind};

/// Returns the value of `feature option`, which adds an option to XBoard's settings; `None` for a button.
pub(super) fn feature(option: &OptionDecl) -> Option<String> {
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

/// Parses the value of `feature option`, the counterpart of [`feature`]; `None` if it is none.
pub(super) fn parse(text: &str) -> Option<OptionDecl> {
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

/// Returns the line that sets an option, the counterpart of [`read`].
pub(super) fn line(options: &[OptionDecl], name: &str, value: Option<&str>) -> String {
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
pub(super) fn read<'o>(
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
        let features: Vec<_> = options.iter().filter_map(feature).collect();
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
            assert_eq!(read(&options, text), Ok((name, value.to_owned())));
        }
        for (option, feature) in options.iter().zip(&features) {
            assert_eq!(
                parse(feature).as_ref().map(|parsed| &parsed.name),
                Some(&option.name)
            );
        }
        let [book, hash, style] = [0, 1, 2].map(|at| parse(&features[at]).expect("an option").kind);
        assert_eq!(book, options[0].kind);
        assert_eq!(style, options[2].kind);
        let (default, min, max) = (16, 1, 2_147_483_647);
        assert_eq!(hash, OptionKind::Spin { default, min, max });
        assert_eq!(
            parse("Clear Hash -button").expect("a button").kind,
            OptionKind::Button
        );
        for text in ["", "Hash -spin 1 2", "Hash -spin a b c", "x -unknown 3"] {
            assert_eq!(parse(text), None, "{text}");
        }
        for (name, value, sent) in [
            ("own book", Some("true"), "option Own Book=1"),
            ("Hash", Some("64"), "option Hash=64"),
            ("Clear", None, "option Clear"),
        ] {
            assert_eq!(line(&options, name, value), sent);
        }
        assert!(read(&options, "Nonsense=1").is_err());
        assert!(read(&options, "Hash").is_err());
        assert_eq!(feature(&option("Clear", OptionKind::Button)), None);
    }
}
