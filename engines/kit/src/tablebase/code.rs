//! The value and distance of each position in memory, as one code.

use crate::Value;

/// A position without a known value; when solving is done, a draw.
pub const OPEN: u16 = 0;
/// A draw from the beginning.
pub const DRAW: u16 = 1;
/// Marks an index that encodes no position, such as three stones on one cell.
pub const UNUSED: u16 = 2;
/// Wins and losses from here, an even number: by distance, a win before a loss.
const DECIDED: u16 = 4;
/// Where moves are counted, an open position is this and the moves that do not lead to a win of the opponent, at least one;
/// when solving is done, a draw.
pub const COUNT: u16 = 1 << 15;

/// The code of a win in this many plies.
pub const fn win(plies: u32) -> u16 {
    DECIDED + 2 * plies as u16
}

/// The code of a loss in this many plies.
pub const fn loss(plies: u32) -> u16 {
    win(plies) + 1
}

/// The code of a value.
pub const fn code(value: Value) -> u16 {
    match value {
        Value::Win(plies) => win(plies),
        Value::Loss(plies) => loss(plies),
        Value::Draw => DRAW,
    }
}

/// The value of a code; `None` for [`UNUSED`].
pub const fn decode(code: u16) -> Option<Value> {
    match code {
        UNUSED => None,
        OPEN | DRAW | COUNT.. => Some(Value::Draw),
        _ if code.is_multiple_of(2) => Some(Value::Win((code - DECIDED) as u32 / 2)),
        _ => Some(Value::Loss((code - DECIDED) as u32 / 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_read_back() {
        for plies in 0..=crate::tablebase::MAX_PLIES {
            assert_eq!(decode(win(plies)), Some(Value::Win(plies)));
            assert_eq!(decode(loss(plies)), Some(Value::Loss(plies)));
        }
        for open in [OPEN, COUNT + 1, COUNT + 99] {
            assert_eq!(decode(open), Some(Value::Draw));
        }
        assert_eq!(decode(code(Value::Draw)), Some(Value::Draw));
        assert_eq!(decode(UNUSED), None);
    }
}
