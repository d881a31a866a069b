//! Nim as a complete game: each turn takes stones from one heap, and the player who takes the last stone wins.

use std::sync::LazyLock;

use draw::{Board, Form, GameTexts, Input, Point, Role};
use kit::hash::hash;
use kit::{
    Bench, BenchLimit, DrawRequest, Engine, Evaluate, Game, GameEntry, Notation, OptionDecl,
    Options, Outcome, Rejection, Setup, Side, fen,
};

/// Nim with a number of heaps. The first heap has one stone, and each following one has one more.
#[derive(Debug, Clone)]
pub struct Nim {
    n_heaps: usize,
}

/// The remaining stones, and the side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Heaps {
    stones: Vec<u8>,
    side: Side,
}

/// Takes `count` stones from `heap`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Take {
    heap: u8,
    count: u8,
}

/// Larger than the largest heap.
const MAX_COUNT: usize = 10;

impl Game for Nim {
    const NAME: &'static str = "nim";
    type Position = Heaps;
    type Move = Take;
    type Undo = ();

    fn options() -> Vec<OptionDecl> {
        vec![OptionDecl::spin("Heaps", 4, 1, 9)]
    }
    fn new(options: &Options) -> Nim {
        Nim {
            n_heaps: options.spin("Heaps") as usize,
        }
    }
    fn start(&self) -> Heaps {
        Heaps {
            stones: (1..=self.n_heaps as u8).collect(),
            side: Side::P1,
        }
    }
    fn side(&self, heaps: &Heaps) -> Side {
        heaps.side
    }
    fn outcome(&self, heaps: &Heaps) -> Option<Outcome> {
        heaps
            .stones
            .iter()
            .all(|&n| n == 0)
            .then(|| Outcome::Win(heaps.side.other()))
    }
    fn moves(&self, heaps: &Heaps, moves: &mut Vec<Take>) {
        for (heap, &stones) in (0..).zip(&heaps.stones) {
            moves.extend((1..=stones).map(|count| Take { heap, count }));
        }
    }
    fn check(&self, heaps: &Heaps, take: Take) -> Result<(), Rejection> {
        match heaps.stones[usize::from(take.heap)] {
            left if left < take.count => Err(format!("that heap holds {left}").into()),
            _ => Ok(()),
        }
    }
    fn play(&self, heaps: &mut Heaps, take: Take) {
        heaps.stones[usize::from(take.heap)] -= take.count;
        heaps.side = heaps.side.other();
    }
    fn undo(&self, heaps: &mut Heaps, take: Take, (): ()) {
        heaps.stones[usize::from(take.heap)] += take.count;
        heaps.side = heaps.side.other();
    }
    fn rules_key(&self) -> u64 {
        hash([self.n_heaps as u64])
    }
    fn key(&self, heaps: &Heaps) -> u64 {
        let digits = heaps
            .stones
            .iter()
            .fold(1, |key, &n| key * 16 + u64::from(n));
        (digits * 2 + heaps.side.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    fn move_index(&self, take: Take) -> usize {
        usize::from(take.heap) * MAX_COUNT + usize::from(take.count)
    }
    fn n_move_indices(&self) -> usize {
        self.n_heaps * MAX_COUNT
    }
}

impl Notation for Nim {
    fn shape(&self) -> Vec<(&'static str, String)> {
        vec![("Heaps", self.n_heaps.to_string())]
    }
    fn format_move(&self, _: &Heaps, take: Take) -> String {
        format!("{}{}", char::from(b'a' + take.heap), take.count)
    }
    fn parse_move(&self, _: &Heaps, code: &str) -> Result<Take, Rejection> {
        let lower = code.to_ascii_lowercase();
        let &[heap, count] = lower.as_bytes() else {
            return Err("expected two characters, a heap and how many to take, like b2".into());
        };
        let heap = heap.wrapping_sub(b'a');
        if usize::from(heap) >= self.n_heaps || !(b'1'..=b'9').contains(&count) {
            return Err("expected a heap and how many to take, like b2".into());
        }
        Ok(Take {
            heap,
            count: count - b'0',
        })
    }
    fn format_position(&self, heaps: &Heaps) -> String {
        let stones: Vec<String> = heaps.stones.iter().map(u8::to_string).collect();
        format!("{} {}", stones.join("/"), heaps.side)
    }
    fn parse_position(&self, text: &str) -> Result<Setup<Nim>, Rejection> {
        let [stones, side] = fen::fields(text, "heaps and player to move, as in 1/2/3 p1")?;
        let parse_heap = |n| fen::parse_number(n).filter(|&n: &u8| n < 10);
        let stones: Option<Vec<u8>> = stones.split('/').map(parse_heap).collect();
        let stones = stones
            .filter(|stones| stones.len() < 10)
            .ok_or("expected heaps like 1/2/3")?;
        let side = match side {
            "p1" => Side::P1,
            "p2" => Side::P2,
            _ => return Err(format!("{side:?} is no player: expected p1 or p2").into()),
        };
        Ok(Setup {
            game: Nim {
                n_heaps: stones.len(),
            },
            position: Heaps { stones, side },
            moves: Vec::new(),
        })
    }
    fn explain(&self, _: &Heaps, outcome: Option<Outcome>) -> Option<String> {
        match outcome? {
            Outcome::Win(side) => Some(format!("{side} wins: it took the last stone")),
            Outcome::Draw => None,
        }
    }
    /// A click on a stone takes it and those to its right, so the spot's id is the code of that move.
    fn board(&self, request: &DrawRequest<Nim>) -> Board {
        let heaps = request.position;
        let code = |take| self.format_move(heaps, take);
        let mut page = request.board(self, "", |take| Input::spot(code(take)));
        for (heap, &stones) in (0..).zip(&heaps.stones) {
            let start = Point::new(0.0, f64::from(heap));
            page.label(start, [-1.0, 0.0], 0.5, char::from(b'a' + heap));
            for count in 1..=stones {
                let at = start.moved(f64::from(stones - count + 1), 0.0);
                let id = code(Take { heap, count });
                page.put(Role::Piece, Form::circle(at, 0.4)).glyph("o");
                page.spot(&id, format!("{id}, of {stones}"), Form::circle(at, 0.45));
            }
        }
        page
    }
}

impl Evaluate for Nim {
    type Sums = ();
    fn evaluate(&self, heaps: &Heaps, (): &()) -> i32 {
        let nim_sum = heaps.stones.iter().fold(0, |sum, n| sum ^ n);
        if nim_sum == 0 { -10 } else { 10 }
    }
}

impl Engine for Nim {
    const AUTHOR: &'static str = "Jane Doe";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(12),
        positions: "1/2/3/4 p1\n5/3/2 p2\n7/6 p1",
    };
}

/// The texts for new players.
pub static TEXTS: LazyLock<GameTexts> =
    LazyLock::new(|| GameTexts::parse(include_str!("texts.json")));

/// Positions that test an engine's rules.
const CHECK_POSITIONS: &str = "\
A move takes stones from one heap.
    0/2/3/0 p1; legal b1 b2 c3; illegal a1 b3 c4

The last stone wins.
    0/2/0/0 p1 moves b2; p1win

A forced end is counted in plies.
    1/1/0/1 p2; mate 3
";

/// The game's entry, for programs that offer it.
pub static GAME: GameEntry = GameEntry {
    check_positions: CHECK_POSITIONS,
    ..GameEntry::of::<Nim>(&TEXTS)
};
