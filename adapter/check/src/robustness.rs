//! Steps: malformed input is handled, and standard output holds only replies.

use protocol::Reply;
use protocol::line::LIMIT;
use protocol::text::excerpt;

use crate::case::Case;
use crate::dialogue::{Dialogue, PAUSE};
use crate::output_line::OutputLine;
use crate::ready::snapshot;
use crate::report::{Outcome, ensure, fail, pass};

/// Lines may end with CR LF.
pub(super) fn cr_lf(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let opening = case.set_random(dialogue, 2, 90)?;
    let before = snapshot(case, dialogue)?;
    dialogue.ask("position startpos")?;
    let line = format!("position {opening}");
    let lines = format!("{line}\r\nisready\r\n");
    let asked = dialogue.send_bytes(lines.as_bytes(), &format!("{line} (and CR LF)"))?;
    let is_ready = |reply: &Reply| *reply == Reply::ReadyOk;
    let output = dialogue.receive_until("readyok", asked + dialogue.ping(), is_ready)?;
    let error = output.iter().find_map(OutputLine::error);
    ensure(error.is_none(), || {
        format!(
            "a position line that ends with CR LF is rejected: {}",
            excerpt(error.unwrap_or_default())
        )
    })?;
    ensure(snapshot(case, dialogue)? == before, || {
        "a position line that ends with CR LF is not executed".to_owned()
    })?;
    let asked = dialogue.send_bytes(b"go depth 1\r\n", "go depth 1 (and CR LF)")?;
    let found = dialogue.await_best(asked, dialogue.ping())?.answered()?;
    case.ensure_legal(dialogue, &opening, &found.code)?;
    pass()
}

/// A line over the length limit is ignored, as is a long invalid one.
pub(super) fn long_lines(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    case.set_random(dialogue, 2, 91)?;
    let before = snapshot(case, dialogue)?;
    for n_bytes in [LIMIT / 2, 2 * LIMIT] {
        let mut line = b"position startpos moves ".to_vec();
        line.resize(n_bytes, b'x');
        line.push(b'\n');
        let shown = format!("position startpos moves x... ({n_bytes} bytes)");
        dialogue.send_bytes(&line, &shown)?;
        let output = dialogue.sync()?;
        ensure(
            output.len() <= 1 && output.iter().all(|output| output.error().is_some()),
            || {
                format!(
                    "answers a line of {n_bytes} bytes with {} lines: expected one info error",
                    output.len()
                )
            },
        )?;
    }
    ensure(snapshot(case, dialogue)? == before, || {
        "a long line changes the position".to_owned()
    })?;
    dialogue.go("depth 1")?.answered()?;
    pass()
}

/// Arbitrary bytes do not end the engine or change the position.
pub(super) fn garbage(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    case.set_random(dialogue, 2, 92)?;
    let before = snapshot(case, dialogue)?;
    let mut rng = case.rng(93);
    let random: Vec<u8> = std::iter::repeat_with(|| rng.u8(..)).take(4096).collect();
    let all: Vec<u8> = (0..=255).collect();
    for (bytes, shown) in [
        (&all[..], "(all 256 bytes)"),
        (&random, "(4096 random bytes)"),
        (b"\0\0\0", "(three NULs)"),
        (b"\xff\xfe\xc0\x80", "(bytes that are not UTF-8)"),
        (
            b"position fen \xff\xff\xff moves \0\x1b[31m",
            "position fen (bytes that are not UTF-8)",
        ),
        (
            b"setoption name \xf0\x9f value \xf0",
            "setoption name (bytes that are not UTF-8)",
        ),
    ] {
        dialogue.send_bytes(&[bytes, b"\n"].concat(), shown)?;
        let output = dialogue.sync()?;
        let wrong = output.iter().find(|output| output.error().is_none());
        ensure(wrong.is_none(), || {
            let wrong = wrong
                .map(|output| excerpt(&output.line))
                .unwrap_or_default();
            format!("answers {shown} with \"{wrong}\": expected info error")
        })?;
    }
    ensure(snapshot(case, dialogue)? == before, || {
        "garbage changes the position".to_owned()
    })?;
    dialogue.go("depth 1")?.answered()?;
    pass()
}

/// In all steps, the engine writes only replies to standard output.
pub(super) fn standard_output(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    case.set_random(dialogue, 2, 94)?;
    dialogue.go("depth 2")?.answered()?;
    dialogue.ask("stop")?;
    dialogue.receive_for(PAUSE);
    let here = dialogue.drain_non_replies();
    let n_lines = case.non_replies.n_lines + here.n_lines;
    match case.non_replies.first.as_ref().or(here.first.as_ref()) {
        None => pass(),
        Some(line) => Err(fail(format!(
            "{n_lines} lines are not replies; the first: \"{}\"",
            excerpt(line)
        ))),
    }
}
