//! Builds the command line that starts GoGui with a game, and answers a controller whose game cannot start.

use std::io::{Read, Write};

use protocol::{Line, LineReader};

use super::{Layout, Request, format_answer, parse};
use crate::{BridgeError, BridgeSetup};

/// Returns the command that starts GoGui with an engine, given the engine's own command line.
///
/// # Errors
/// The game does not fit a GTP board, or GoGui cannot read a word back; the text names it.
pub fn gogui_command(setup: &BridgeSetup, engine: &[String]) -> Result<Vec<String>, BridgeError> {
    layout_of(setup)?;
    let words = engine.iter().map(|word| program_word(word));
    let line = words.collect::<Result<Vec<_>, _>>();
    let line = line.map_err(BridgeError::Engine)?.join(" ");
    Ok(["gogui", "-program", &line].map(str::to_owned).to_vec())
}

/// Returns the layout of a setup's game.
///
/// # Errors
/// The game fits no GTP board.
pub fn layout_of(setup: &BridgeSetup) -> Result<Layout, BridgeError> {
    Layout::new(&setup.game.name, setup.rules()?.start().as_ref()).map_err(BridgeError::Unsuitable)
}

/// Quotes a word as GoGui splits a command line: at white space outside quotation marks, without escapes.
fn program_word(word: &str) -> Result<String, String> {
    let is_plain = !word.is_empty() && !word.contains(char::is_whitespace);
    if word.contains('"') || !is_plain && word.ends_with('\\') {
        return Err(format!(
            "{word}: GoGui reads no word with a quotation mark, and none with a blank and a backslash at its end"
        ));
    }
    Ok(match is_plain {
        true => word.to_owned(),
        false => format!("\"{word}\""),
    })
}

/// Answers each command of a controller with the reason why the game cannot start, until it quits or its input ends.
/// GoGui shows the text.
///
/// # Errors
/// The output cannot be written.
pub fn refuse(why: &str, input: impl Read, output: &mut dyn Write) -> Result<(), BridgeError> {
    let mut input = LineReader::new(input);
    while let Ok(Some(line)) = input.read() {
        let Line::Text(text) = line.to_line() else {
            continue;
        };
        let Some(Request { id, name, .. }) = parse(&text) else {
            continue;
        };
        let is_last = name == "quit";
        let answer = if is_last {
            Ok(String::new())
        } else {
            Err(why.to_owned())
        };
        write!(output, "{}", format_answer(id, &answer))?;
        output.flush()?;
        if is_last {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// GoGui's own splitting (`StringUtil.splitArguments` of GoGui 1.5 and 1.6).
    fn split_as_gogui_does(line: &str) -> Vec<String> {
        let (mut words, mut word) = (Vec::new(), String::new());
        let (mut is_escaped, mut is_quoted) = (false, false);
        for sign in line.chars() {
            if sign == '"' && !is_escaped {
                if is_quoted {
                    words.push(std::mem::take(&mut word));
                }
                is_quoted = !is_quoted;
            } else if sign.is_whitespace() && !is_quoted {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            } else {
                word.push(sign);
            }
            is_escaped = sign == '\\' && !is_escaped;
        }
        if !word.is_empty() {
            words.push(word);
        }
        words
    }

    #[test]
    fn gogui_reads_the_words_back() {
        let words = ["/a b/linesman", "", "it's", "name=My engine"];
        let line: Vec<String> = words
            .map(|word| program_word(word).expect("readable"))
            .to_vec();
        assert_eq!(split_as_gogui_does(&line.join(" ")), words);
        assert!(program_word("a\"b").is_err());
        assert!(program_word("ends with \\").is_err());
    }
}
