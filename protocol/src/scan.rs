//! The lexical layer as nom parsers: words, numbers, free text up to the end of the line.
//!
//! The input and the rest of every parser have no leading blanks, so an empty rest is the end of the line. A parser
//! that does not apply fails without an error, and another one may be tried. A parser that applies but cannot read its
//! input fails with the reason.

use std::time::Duration;

use nom::bytes::complete::{take_till1, take_while};
use nom::combinator::verify;
use nom::error::{ErrorKind, ParseError};
use nom::sequence::terminated;
use nom::{IResult, Parser};

use crate::SyntaxError;
use crate::text::{is_blank, single_spaced};

/// The rest of the input, and the result of a parser.
pub(crate) type Scan<'a, T> = IResult<&'a str, T, Fault>;

/// The rest of the input, from a parser that stores its result elsewhere.
pub(crate) type Rest<'a> = Result<&'a str, nom::Err<Fault>>;

/// The reason of a failure; `None` if another parser may apply.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) Option<SyntaxError>);

impl ParseError<&str> for Fault {
    fn from_error_kind(_: &str, _: ErrorKind) -> Fault {
        Fault(None)
    }

    fn append(_: &str, _: ErrorKind, other: Fault) -> Fault {
        other
    }
}

impl From<SyntaxError> for nom::Err<Fault> {
    fn from(error: SyntaxError) -> Self {
        nom::Err::Failure(Fault(Some(error)))
    }
}

/// The error in a nom failure; `None` if no parser applied.
pub(crate) fn reason(error: nom::Err<Fault>) -> Option<SyntaxError> {
    match error {
        nom::Err::Error(Fault(error)) | nom::Err::Failure(Fault(error)) => error,
        nom::Err::Incomplete(_) => None,
    }
}

/// A line without leading and trailing blanks, as the parsers expect it.
pub(crate) fn trim(line: &str) -> &str {
    line.trim_matches(is_blank)
}

/// Any word; fails without an error at the end of the line.
pub(crate) fn word(input: &str) -> Scan<'_, &str> {
    terminated(take_till1(is_blank), take_while(is_blank)).parse(input)
}

/// A given word, in any letter case.
pub(crate) fn keyword<'a>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Fault> {
    verify(word, move |word: &str| word.eq_ignore_ascii_case(expected))
}

/// One of these words, in any letter case; returns it in the spelling of the list.
pub(crate) fn one_of<'a>(
    known: &'static [&'static str],
) -> impl Parser<&'a str, Output = &'static str, Error = Fault> {
    word.map_opt(|word| find(known, word))
}

/// Finds a word in a list, ignoring letter case.
pub(crate) fn find(known: &[&'static str], word: &str) -> Option<&'static str> {
    known
        .iter()
        .copied()
        .find(|entry| entry.eq_ignore_ascii_case(word))
}

/// A word that must follow `after`.
pub(crate) fn required<'a>(
    input: &'a str,
    after: &'static str,
    expected: &'static str,
) -> Scan<'a, &'a str> {
    word(input).map_err(|_| SyntaxError::Missing { after, expected }.into())
}

/// One of these words, which must follow `after`, in any letter case; returns it in the spelling of the list.
pub(crate) fn choice<'a>(
    input: &'a str,
    after: &'static str,
    known: &[&'static str],
    expected: &'static str,
) -> Scan<'a, &'static str> {
    let (rest, word) = required(input, after, expected)?;
    let entry = find(known, word).ok_or_else(|| SyntaxError::unexpected(word, after, expected))?;
    Ok((rest, entry))
}

/// `name NAME`, which must follow `after`. The name extends to the word `stop` or to the end of the line.
pub(crate) fn option_name<'a>(
    input: &'a str,
    after: &'static str,
    stop: &'static str,
) -> Scan<'a, String> {
    let (rest, _) = choice(input, after, &["name"], "name")?;
    let (rest, name) = words_until(rest, &[stop]);
    if name.is_empty() {
        let (after, expected) = ("name", "the name of an option");
        return Err(SyntaxError::Missing { after, expected }.into());
    }
    Ok((rest, single_spaced(name)))
}

/// The value of a string option: converts `<empty>` to the empty text.
pub(crate) fn unless_empty(text: &str) -> &str {
    if text.eq_ignore_ascii_case("<empty>") {
        ""
    } else {
        text
    }
}

/// A number that must follow `after`.
pub(crate) fn number<'a, T: Number>(input: &'a str, after: &'static str) -> Scan<'a, T> {
    let (rest, word) = required(input, after, T::EXPECTED)?;
    let number = T::read(word).ok_or_else(|| SyntaxError::unexpected(word, after, T::EXPECTED))?;
    Ok((rest, number))
}

/// The words up to the first one in `stops`, in any letter case.
pub(crate) fn words_until<'a>(input: &'a str, stops: &[&'static str]) -> (&'a str, Vec<&'a str>) {
    let mut rest = input;
    let mut words = Vec::new();
    while let Ok((next, word)) = word(rest) {
        if find(stops, word).is_some() {
            break;
        }
        words.push(word);
        rest = next;
    }
    (rest, words)
}

/// Checks that nothing follows a complete line.
pub(crate) fn end(line: &str, rest: &str) -> Result<(), SyntaxError> {
    match word(rest) {
        Ok((_, word)) => Err(SyntaxError::surplus(
            word,
            trim(&line[..line.len() - rest.len()]),
        )),
        Err(_) => Ok(()),
    }
}

/// A number in its form in the protocol.
pub(crate) trait Number: Sized {
    /// The expected form, for errors.
    const EXPECTED: &'static str;

    /// Parses a word; `None` if it is not such a number or is out of range.
    fn read(word: &str) -> Option<Self>;
}

macro_rules! whole_number {
    ($type:ty, $expected:literal) => {
        impl Number for $type {
            const EXPECTED: &'static str = $expected;

            fn read(word: &str) -> Option<Self> {
                word.parse().ok()
            }
        }
    };
}

whole_number!(u32, "a whole number from 0 to 4294967295");
whole_number!(u64, "a whole number from 0 to 18446744073709551615");
whole_number!(i32, "a whole number from -2147483648 to 2147483647");
whole_number!(i64, "a whole number of at most 63 bits");

/// Milliseconds. A negative number reads as zero, since a clock may have run out.
impl Number for Duration {
    const EXPECTED: &'static str = "whole milliseconds up to 9223372036854775807";

    fn read(word: &str) -> Option<Self> {
        let millis: i64 = word.parse().ok()?;
        Some(Duration::from_millis(millis.try_into().unwrap_or(0)))
    }
}
