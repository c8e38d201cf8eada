/// The floor of the burn cells: one process runs every half in turn, each behind `catch_unwind`.
///
/// The lines of the file that the first argument names are `<experiment> <variant>`.
fn main() {
    let path = std::env::args().nth(1).expect("a file of cases");
    let cases = std::fs::read_to_string(path).expect("a readable file");
    support::remember_panics();
    for line in cases.lines() {
        let (experiment, variant) = line.split_once(' ').expect("two words");
        support::ran();
        match std::panic::catch_unwind(|| experiments::run(experiment, variant)) {
            Ok(known) => {
                assert!(known, "no half is called {experiment:?}");
                support::done();
            }
            Err(_) => support::raised(),
        }
    }
}
