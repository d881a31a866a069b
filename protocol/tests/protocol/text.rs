//! Error texts of the operating system.

use protocol::text::without_error_number;

#[test]
fn the_number_of_a_system_error_is_left_out() {
    let error = std::io::Error::from_raw_os_error(2).to_string();
    assert!(error.contains("os error"), "{error}");
    let plain = without_error_number(&format!("l: {error}, twice: {error}"));
    assert!(
        plain.starts_with("l: No such file") && plain.ends_with("directory"),
        "{plain}"
    );
    assert!(!plain.contains("os error"), "{plain}");
    for text in ["", "a (os error ", "a (os error x) b", "l: File exists"] {
        assert_eq!(without_error_number(text), text);
    }
}
