//! Sets as words of bits.

/// The indices of the set bits, ascending.
#[inline]
pub fn bits(word: impl Into<u64>) -> impl Iterator<Item = u8> {
    let mut word = word.into();
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as u8);
        word &= word.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn bits_are_listed_from_the_lowest() {
        assert!(bits(0_u8).next().is_none());
        assert!(bits(0b1001_0010_u16).eq([1, 4, 7]));
        assert!(bits(u64::MAX).eq(0..64));
    }
}
