//! Hashing of small numbers.

/// SplitMix64's finalizer (Steele, Lea, Flood 2014): a bijection without visible structure.
#[inline]
pub const fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// The number at this index of SplitMix64's sequence: a Zobrist key without a table.
#[inline]
pub const fn zobrist(index: u64) -> u64 {
    mix((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A hash of a sequence of numbers; 0 if it is empty.
pub fn hash(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let add = |hash: u64, number| mix(hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ mix(number));
    numbers.into_iter().fold(0, add)
}

#[cfg(test)]
mod tests {
    use super::{hash, zobrist};

    /// The first numbers of the published generator with seed 0.
    #[test]
    fn keys_are_those_of_splitmix64() {
        assert_eq!(zobrist(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(zobrist(1), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn order_and_length_count() {
        let hashes = [
            hash([]),
            hash([0]),
            hash([1]),
            hash([0, 0]),
            hash([0, 1]),
            hash([1, 0]),
        ];
        for (i, one) in hashes.iter().enumerate() {
            assert!(!hashes[..i].contains(one), "{i}");
        }
    }
}
