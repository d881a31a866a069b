//! Proptest strategies for any command and any reply that fit on a line.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use protocol::{
    Base, Bound, Command, Dialect, Go, Info, OptionDecl, OptionKind, Query, Reply, Score,
};

/// Words that end a list or a name in some context, and therefore cannot be part of one.
const RESERVED: &str = "moves value type default var ponder p1time p2time p1inc p2inc wtime btime winc binc \
    movestogo movetime depth nodes mate infinite searchmoves perft seldepth time nps hashfull \
    tbhits multipv score cp exact lowerbound upperbound pv string <empty>";

pub(crate) fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Blank),
        dialect().prop_map(Command::Handshake),
        any::<bool>().prop_map(Command::Debug),
        Just(Command::IsReady),
        (name(), of(text())).prop_map(|(name, value)| Command::SetOption { name, value }),
        Just(Command::NewGame),
        (base(), codes()).prop_map(|(base, moves)| Command::Position { base, moves }),
        go().prop_map(Command::Go),
        any::<u32>().prop_map(Command::Perft),
        Just(Command::Stop),
        Just(Command::PonderHit),
        proptest::sample::select(Query::ALL).prop_map(Command::Query),
        of(word()).prop_map(|style| Command::Display { style }),
        Just(Command::Quit),
    ]
}

pub(crate) fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        text().prop_map(Reply::IdName),
        text().prop_map(Reply::IdAuthor),
        (name(), kind()).prop_map(|(name, kind)| Reply::Option(OptionDecl { name, kind })),
        dialect().prop_map(Reply::HandshakeOk),
        Just(Reply::ReadyOk),
        text().prop_map(Reply::Response),
        info().prop_map(Reply::Info),
        text().prop_map(Reply::Error),
        (code(), of(code())).prop_map(|(mv, ponder)| Reply::BestMove { mv, ponder }),
        (code(), any::<u64>()).prop_map(|(mv, nodes)| Reply::Divide { mv, nodes }),
        any::<u64>().prop_map(Reply::PerftTotal),
        // A line of a drawn board.
        " {0,3}([|][ -~]{0,20})?".prop_map(Reply::Text),
    ]
}

pub(crate) fn dialect() -> impl Strategy<Value = Dialect> {
    prop_oneof![Just(Dialect::Ugi), Just(Dialect::Uci)]
}

fn base() -> impl Strategy<Value = Base> {
    prop_oneof![
        Just(Base::Start),
        vec(word(), 1..5).prop_map(|words| Base::Fen(words.join(" "))),
    ]
}

prop_compose! {
    fn go()(
        p1_time in of(millis()), p2_time in of(millis()), p1_inc in of(millis()), p2_inc in of(millis()),
        moves_to_go in any::<Option<u32>>(), move_time in of(millis()), depth in any::<Option<u32>>(),
        nodes in any::<Option<u64>>(), mate in any::<Option<u32>>(), infinite in any::<bool>(),
        ponder in any::<bool>(), search_moves in codes(),
    ) -> Go {
        Go {
            p1_time, p2_time, p1_inc, p2_inc, moves_to_go, move_time, depth, nodes, mate, infinite, ponder, search_moves,
        }
    }
}

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        any::<i32>().prop_map(Score::Cp),
        any::<i32>().prop_map(Score::Mate),
        Just(Score::Draw),
    ]
}

prop_compose! {
    fn info()(
        depth in any::<Option<u32>>(), seldepth in any::<Option<u32>>(), time in of(millis()),
        nodes in any::<Option<u64>>(), nps in any::<Option<u64>>(), hashfull in any::<Option<u32>>(),
        tb_hits in any::<Option<u64>>(), multipv in any::<Option<u32>>(), score in of(score()),
        bound in of(proptest::sample::select(&[Bound::Lower, Bound::Upper][..])), pv in codes(), string in of(text()),
    ) -> Info {
        Info {
            depth, seldepth, time, nodes, nps, hashfull, tb_hits, multipv, score, bound, pv, string,
        }
    }
}

fn kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (name(), vec(name(), 0..4))
            .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        text().prop_map(|default| OptionKind::String { default }),
    ]
}

/// Whole milliseconds in the range of the protocol.
fn millis() -> impl Strategy<Value = Duration> {
    (0..=i64::MAX as u64).prop_map(Duration::from_millis)
}

/// An option's name or a combo's value: words separated by single blanks.
fn name() -> impl Strategy<Value = String> {
    vec(word(), 1..4).prop_map(|words| words.join(" "))
}

fn codes() -> impl Strategy<Value = Vec<String>> {
    vec(code(), 0..5)
}

/// A move code without joints at its ends.
fn code() -> impl Strategy<Value = String> {
    word()
        .prop_map(|word| word.trim_matches(['-', '>', '@']).to_owned())
        .prop_filter("a code that is empty", |code| !code.is_empty())
        .prop_filter("a reserved word", |code| !is_reserved(code))
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[!-~]{1,6}",
        "[a-i][1-9](->|-|@)[a-i][1-9]",
        "[^ \t\r\n\u{b}\u{c}\0]{1,4}"
    ]
    .prop_filter("a reserved word", |word| !is_reserved(word))
}

/// Free text, possibly empty, without blanks around it.
fn text() -> impl Strategy<Value = String> {
    "([!-~é→]([ -~\té→]{0,20}[!-~é→])?)?".prop_filter("a reserved word", |text| !is_reserved(text))
}

fn is_reserved(word: &str) -> bool {
    let mut reserved = RESERVED.split(' ');
    reserved.any(|reserved| reserved.eq_ignore_ascii_case(word))
}
