//! The laws that every game keeps.

#[test]
fn projex_keeps_the_laws() {
    kit::laws::check::<projex::Projex>();
}
