//! The words of a line, its numbers, and its fields: a word with what follows it.

use std::fmt::{self, Write};
use std::time::Duration;

use crate::SyntaxError;
use crate::text::{OneLine, is_blank, is_blank_byte, move_codes, or_list};

/// A line that is read word by word.
pub(crate) struct Words<'a> {
    /// The line without leading and trailing blanks.
    line: &'a str,
    /// The words not read yet; begins with one of them.
    rest: &'a str,
    /// `true` for a word that ends a list of moves.
    pub(crate) ends_list: fn(&str) -> bool,
}

impl<'a> Words<'a> {
    pub(crate) fn new(line: &'a str) -> Words<'a> {
        let line = line.trim_matches(is_blank);
        Words {
            line,
            rest: line,
            ends_list: |_| false,
        }
    }

    /// Reads a word; `None` at the end of the line.
    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest[word.len()..].trim_start_matches(is_blank);
        Some(word)
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        let end = self.rest.as_bytes().iter().position(is_blank_byte);
        let end = end.unwrap_or(self.rest.len());
        (end > 0).then(|| &self.rest[..end])
    }

    /// Reads this word if it is the next one, in any letter case.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        let is_next = self
            .peek()
            .is_some_and(|next| next.eq_ignore_ascii_case(word));
        is_next && self.next().is_some()
    }

    /// The unchanged rest of the line.
    pub(crate) fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    /// Reads words up to one for which `stops` is `true`, which is not read.
    pub(crate) fn until(&mut self, stops: impl Fn(&str) -> bool) -> impl Iterator<Item = &'a str> {
        std::iter::from_fn(move || {
            self.peek().filter(|word| !stops(word))?;
            self.next()
        })
    }

    /// One of these words, which must follow `after`, in any letter case; returns it in the spelling of the list.
    pub(crate) fn choice(
        &mut self,
        after: &'static str,
        known: &[&'static str],
    ) -> Result<&'static str, SyntaxError> {
        let read = |word: &str| find(known, |entry| entry, word).map(|index| known[index]);
        self.read(after, &or_list(known), read)
    }

    /// A number that must follow `after`.
    pub(crate) fn number<T: Number>(&mut self, after: &'static str) -> Result<T, SyntaxError> {
        self.read(after, T::EXPECTED, T::read)
    }

    /// A word that must follow `after` and that `read` accepts.
    fn read<T>(
        &mut self,
        after: &'static str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, SyntaxError> {
        let word = self.next();
        let word = word.ok_or_else(|| SyntaxError::missing(after, expected))?;
        read(word).ok_or_else(|| SyntaxError::unexpected(word, after, expected))
    }

    /// `name NAME`, which must follow `after`. The name extends to the word `stop` or to the end of the line.
    pub(crate) fn option_name(
        &mut self,
        after: &'static str,
        stop: &'static str,
    ) -> Result<String, SyntaxError> {
        self.choice(after, &["name"])?;
        let name: Vec<&str> = self.until(is(stop)).collect();
        match name.is_empty() {
            true => Err(SyntaxError::missing("name", "the name of an option")),
            false => Ok(name.join(" ")),
        }
    }

    /// Checks that the line ends here, after `after`.
    pub(crate) fn must_end(&self, after: &'static str, expected: &str) -> Result<(), SyntaxError> {
        let surplus = |word| Err(SyntaxError::unexpected(word, after, expected));
        self.peek().map_or(Ok(()), surplus)
    }

    /// Checks that nothing follows a complete line.
    pub(crate) fn end(&self) -> Result<(), SyntaxError> {
        let read = &self.line[..self.line.len() - self.rest.len()];
        let surplus = |word| Err(SyntaxError::surplus(word, read.trim_matches(is_blank)));
        self.peek().map_or(Ok(()), surplus)
    }
}

/// Compares words with this one, ignoring letter case.
pub(crate) fn is(known: &str) -> impl Fn(&str) -> bool {
    move |word| word.eq_ignore_ascii_case(known)
}

/// Index of the entry with this word, in any letter case.
pub(crate) fn find<T>(table: &[T], word_of: fn(&T) -> &'static str, word: &str) -> Option<usize> {
    let is_this = |entry| word_of(entry).eq_ignore_ascii_case(word);
    table.iter().position(is_this)
}

/// The value of a string option: converts `<empty>` to the empty text.
pub(crate) fn unless_empty(text: &str) -> &str {
    match text.eq_ignore_ascii_case("<empty>") {
        true => "",
        false => text,
    }
}

/// Writes the word and the codes after it; nothing for an empty list.
pub(crate) fn write_list(out: &mut dyn Write, word: &str, codes: &[String]) -> fmt::Result {
    if !codes.is_empty() {
        write!(out, " {word}")?;
    }
    let out = &mut OneLine(out);
    codes.iter().try_for_each(|code| write!(out, " {code}"))
}

/// Writes no trailing blank if the text is empty, since clients may compare whole lines.
pub(crate) fn write_text(out: &mut dyn Write, word: &str, text: &str) -> fmt::Result {
    out.write_str(word)?;
    match text {
        "" => Ok(()),
        text => write!(out, " {text}"),
    }
}

/// A field of a line: what follows its word.
pub(crate) trait Field {
    fn is_set(&self) -> bool;

    /// Reads what follows `word`.
    fn read(&mut self, words: &mut Words<'_>, word: &'static str) -> Result<(), SyntaxError>;

    /// Writes a blank, the word and what follows it; nothing if the field is not set.
    fn write(&self, out: &mut dyn Write, word: &str) -> fmt::Result;
}

/// `WORD NUMBER`.
impl<T: Number> Field for Option<T> {
    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn read(&mut self, words: &mut Words<'_>, word: &'static str) -> Result<(), SyntaxError> {
        *self = Some(words.number(word)?);
        Ok(())
    }

    fn write(&self, out: &mut dyn Write, word: &str) -> fmt::Result {
        match self {
            Some(number) => {
                for text in [" ", word, " "] {
                    out.write_str(text)?;
                }
                number.write(out)
            }
            None => Ok(()),
        }
    }
}

/// `WORD`.
impl Field for bool {
    fn is_set(&self) -> bool {
        *self
    }

    fn read(&mut self, _: &mut Words<'_>, _: &'static str) -> Result<(), SyntaxError> {
        *self = true;
        Ok(())
    }

    fn write(&self, out: &mut dyn Write, word: &str) -> fmt::Result {
        match self {
            true => write!(out, " {word}"),
            false => Ok(()),
        }
    }
}

/// `WORD MOVE …`.
impl Field for Vec<String> {
    fn is_set(&self) -> bool {
        !self.is_empty()
    }

    fn read(&mut self, words: &mut Words<'_>, _: &'static str) -> Result<(), SyntaxError> {
        let ends_list = words.ends_list;
        *self = move_codes(words.until(ends_list));
        Ok(())
    }

    fn write(&self, out: &mut dyn Write, word: &str) -> fmt::Result {
        write_list(out, word, self)
    }
}

/// A number in its form in the protocol.
pub(crate) trait Number: Sized {
    /// The expected form, for errors.
    const EXPECTED: &'static str;

    /// Parses a word; `None` if it is not such a number or is out of range.
    fn read(word: &str) -> Option<Self>;

    /// Writes the number.
    fn write(&self, out: &mut dyn Write) -> fmt::Result;
}

macro_rules! whole_number {
    ($type:ty, $expected:literal) => {
        impl Number for $type {
            const EXPECTED: &'static str = $expected;

            fn read(word: &str) -> Option<Self> {
                word.parse().ok()
            }

            fn write(&self, out: &mut dyn Write) -> fmt::Result {
                out.write_str(itoa::Buffer::new().format(*self))
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

    fn write(&self, out: &mut dyn Write) -> fmt::Result {
        let millis = i64::try_from(self.as_millis()).unwrap_or(i64::MAX);
        millis.write(out)
    }
}
