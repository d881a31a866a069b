//! A small learned evaluation: sparse inputs, one hidden layer, integer arithmetic.
//!
//! A position has a list of active inputs, each given twice, from both players' point of view. Each active input adds a
//! row of [`HIDDEN`] weights to the sums of that point of view. A move changes few inputs, so the sums can be updated
//! incrementally: this is the accumulator of NNUE (Nasu 2018). The sums are clipped to 0..=[`QA`], multiplied by
//! output weights, which differ for the player to move and the opponent, and added up to a score.
//! [`learn`](crate::learn) trains the weights; [`weights`](crate::weights) has their file.

use crate::Side;
use crate::weights::{Weights, WeightsKind};

/// Width of the hidden layer for one point of view.
pub const HIDDEN: usize = 32;
/// The fixed-point value of 1 in sums and input weights. It is also the maximum of an input weight.
pub const QA: i16 = 64;
/// The fixed-point value of 1 in output weights.
pub const QB: i16 = 256;
/// Score in hundredths for an output of 1: a win in 73 of 100 games.
pub const SCALE: i32 = 200;
/// Maximum number of active inputs of a position; with more, a sum could overflow.
pub const MAX_ACTIVE: usize = ((i16::MAX - 2 * QA) / QA) as usize;

/// The absolute score of an unfinished position is at most this.
const SCORE_LIMIT: i32 = 19_999;

/// An input from the point of view of player 1 and of player 2.
pub type FeaturePair = [u16; 2];

/// Numbers patterns up to symmetry, without gaps. `least` is the least of the patterns that are symmetric to one; `None`
/// for a pattern that does not occur.
pub fn pattern_classes<const N: usize>(least: impl Fn(u16) -> Option<u16>) -> Box<[u16; N]> {
    let (mut classes, mut count) = (Box::new([0; N]), 0);
    for pattern in 0..N {
        let Some(least) = least(pattern as u16) else {
            continue;
        };
        classes[pattern] = classes[usize::from(least)];
        if usize::from(least) == pattern {
            classes[pattern] = count;
            count += 1;
        }
    }
    classes
}

/// The weights of a network: of its inputs and bias in units of 1/[`QA`], of the output in units of 1/[`QB`], for the sums
/// of the player to move, then of the opponent.
pub type Network = Weights<NetworkKind, HIDDEN, 2>;

/// The kind of the weights of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkKind;

impl WeightsKind for NetworkKind {
    const MAGIC: &'static [u8; 20] = b"linesman network 1\n\n";
    const NAME: &'static str = "network";
    const INPUTS: &'static str = "inputs";
    const LARGEST: i16 = QA;
    const INPUT_BYTES: usize = 1;
}

/// The accumulator of a position: the sums from player 1's point of view, then from player 2's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accumulator([[i16; HIDDEN]; 2]);

/// The contribution of some inputs to the sums of one point of view. For inputs that are active together it can be
/// computed once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartialAccumulator([i16; HIDDEN]);

/// The input of a place, such as a cell or a line: each place of a board holds one input at a time, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedInput {
    /// The number of the place, from 0.
    pub place: usize,
    /// Its active input; `None` if it has none.
    pub input: Option<FeaturePair>,
}

/// The sums over a position as the search updates them, with what each place holds.
#[derive(Debug, Clone)]
pub struct NetworkSums {
    inputs: Vec<Option<FeaturePair>>,
    sums: Accumulator,
    /// A buffer for the places that a move can have changed.
    pub(crate) placed: Vec<PlacedInput>,
}

impl NetworkSums {
    /// The sums of a position whose places are all in `placed`; without a network they mean nothing.
    pub fn new(network: Option<&Network>, placed: Vec<PlacedInput>) -> NetworkSums {
        let mut inputs = vec![None; placed.len()];
        for at in &placed {
            inputs[at.place] = at.input;
        }
        let active = inputs.clone().into_iter().flatten();
        let sums = network.map(|network| network.accumulator(|add| active.for_each(add)));
        NetworkSums {
            inputs,
            sums: sums.unwrap_or(Accumulator([[0; HIDDEN]; 2])),
            placed,
        }
    }

    /// Becomes the sums after a move, given those before it; `placed` has the places that the move can have changed.
    #[inline]
    pub(crate) fn advance(&mut self, before: &NetworkSums, network: &Network) {
        self.sums = before.sums;
        for (view, sums) in self.sums.0.iter_mut().enumerate() {
            // A local copy, which the compiler keeps in registers.
            let mut row = *sums;
            for at in &self.placed {
                let seen = |input: Option<FeaturePair>| input.map(|seen| seen[view]);
                let (old, new) = (seen(before.inputs[at.place]), seen(at.input));
                if old == new {
                    continue;
                }
                if let Some(input) = old {
                    for (sum, weight) in row.iter_mut().zip(&network.inputs[usize::from(input)]) {
                        *sum -= weight;
                    }
                }
                if let Some(input) = new {
                    add(&mut row, &network.inputs[usize::from(input)]);
                }
            }
            *sums = row;
        }
        self.inputs.clone_from(&before.inputs);
        for at in &self.placed {
            self.inputs[at.place] = at.input;
        }
    }

    /// The sums from each player's point of view.
    pub fn accumulator(&self) -> &Accumulator {
        &self.sums
    }
}

impl PartialAccumulator {
    /// Adds to this part those of `parts` with these indices.
    #[inline]
    pub fn plus(&self, parts: &[PartialAccumulator], numbers: &[u16]) -> PartialAccumulator {
        let mut sum = self.0;
        for &number in numbers {
            for (sum, part) in sum.iter_mut().zip(&parts[usize::from(number)].0) {
                *sum += part;
            }
        }
        PartialAccumulator(sum)
    }
}

impl Network {
    /// Computes the sums of a position with these inputs.
    pub fn accumulator(&self, inputs: impl FnOnce(&mut dyn FnMut(FeaturePair))) -> Accumulator {
        let mut sums = [self.bias; 2];
        inputs(&mut |seen| {
            for (sums, input) in sums.iter_mut().zip(seen) {
                add(sums, &self.inputs[usize::from(input)]);
            }
        });
        Accumulator(sums)
    }

    /// Computes the contribution of these inputs to the sums of one point of view.
    pub fn partial(&self, inputs: impl FnOnce(&mut dyn FnMut(u16))) -> PartialAccumulator {
        let mut part = PartialAccumulator::default();
        inputs(&mut |input| add(&mut part.0, &self.inputs[usize::from(input)]));
        part
    }

    /// The score in hundredths from the side to move.
    #[inline]
    pub fn score(&self, sums: &Accumulator, side: Side) -> i32 {
        self.output([&sums.0[side.index()], &sums.0[side.other().index()]])
    }

    /// The score in hundredths from the side to move, for a network that sees only that side's inputs. `part` is their
    /// contribution.
    #[inline]
    pub fn score_of_partial(&self, part: &PartialAccumulator) -> i32 {
        let mut own = self.bias;
        for (sum, part) in own.iter_mut().zip(&part.0) {
            *sum += part;
        }
        self.output([&own, &self.bias])
    }

    #[inline]
    fn output(&self, sums: [&[i16; HIDDEN]; 2]) -> i32 {
        let mut output = 0;
        for (sums, weights) in sums.into_iter().zip(&self.output) {
            for (&sum, &weight) in sums.iter().zip(weights) {
                output += i32::from(sum.clamp(0, QA)) * i32::from(weight);
            }
        }
        let one = i64::from(QA) * i64::from(QB);
        let score = i64::from(output) * i64::from(SCALE) / one;
        (score as i32).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }
}

#[inline]
fn add(sums: &mut [i16; HIDDEN], weights: &[i16; HIDDEN]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::marker::PhantomData;

    fn random_network(n_inputs: usize, rng: &mut fastrand::Rng) -> Network {
        Network {
            inputs: (0..n_inputs)
                .map(|_| std::array::from_fn(|_| rng.i16(-QA..=QA)))
                .collect(),
            bias: std::array::from_fn(|_| rng.i16(-QA..=QA)),
            output: std::array::from_fn(|_| std::array::from_fn(|_| rng.i16(-500..=500))),
            kind: PhantomData,
        }
    }

    #[test]
    fn sums_after_a_change_are_those_of_the_inputs_left() {
        let mut rng = fastrand::Rng::with_seed(1);
        let network = random_network(100, &mut rng);
        let mut random = |place| {
            let input = rng.bool().then(|| [rng.u16(..100), rng.u16(..100)]);
            PlacedInput { place, input }
        };
        let mut placed: Vec<PlacedInput> = (0..30).map(&mut random).collect();
        let before = NetworkSums::new(Some(&network), placed.clone());
        let mut after = before.clone();
        for changed in [3..9, 7..12] {
            let changed: Vec<PlacedInput> = changed.map(&mut random).collect();
            for at in &changed {
                placed[at.place] = *at;
            }
            let before = after.clone();
            after.placed = changed;
            after.advance(&before, &network);
            let fresh = NetworkSums::new(Some(&network), placed.clone());
            assert_eq!(after.sums, fresh.sums);
        }
        assert_ne!(after.sums, before.sums);
    }

    #[test]
    fn parts_add_up_to_what_their_inputs_score() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut network = random_network(10, &mut rng);
        let part = |inputs: &[u16]| network.partial(|add| inputs.iter().copied().for_each(add));
        let parts = [[1, 2], [3, 3], [4, 5]].map(|inputs| part(&inputs));
        let sum = part(&[0]).plus(&parts, &[2, 0, 2]);
        assert_eq!(sum, part(&[0, 4, 5, 1, 2, 4, 5]));
        // Equivalent to output weights of 0 for the opponent's sums.
        network.output[1] = [0; HIDDEN];
        let seen = [0, 4, 5, 1, 2, 4, 5].map(|input| [input, 9]);
        let sums = network.accumulator(|add| seen.into_iter().for_each(add));
        assert_eq!(
            network.score_of_partial(&sum),
            network.score(&sums, Side::P1)
        );
    }

    #[test]
    fn the_largest_weights_overflow_no_sum() {
        let network = Network {
            inputs: vec![[QA; HIDDEN]],
            bias: [QA; HIDDEN],
            output: [[i16::MAX; HIDDEN]; 2],
            kind: PhantomData,
        };
        let sums = network.accumulator(|add| (0..MAX_ACTIVE).for_each(|_| add([0, 0])));
        assert_eq!(network.score(&sums, Side::P1), SCORE_LIMIT);
    }

    #[test]
    fn the_same_weights_for_both_players_give_opposite_scores() {
        let mut rng = fastrand::Rng::with_seed(2);
        let mut network = random_network(10, &mut rng);
        network.output[1] = network.output[0].map(|weight| -weight);
        let sums = network.accumulator(|add| [[0, 1], [2, 3], [4, 5]].into_iter().for_each(add));
        let [one, two] = Side::BOTH.map(|side| network.score(&sums, side));
        assert_eq!(one, -two);
        assert_ne!(one, 0);
    }
}
