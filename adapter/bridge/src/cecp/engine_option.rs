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
        assert!(read(&options, "Nonsense=1").is_err());
        assert!(read(&options, "Hash").is_err());
        assert_eq!(feature(&option("Clear", OptionKind::Button)), None);
    }
}
