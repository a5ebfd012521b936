/// Saturating arithmetic for numbers that a daemon reports, which may have any value: a result that overflows becomes
/// the nearest value of the type, so that no reply crashes the program.
extension SignedInteger where Self: FixedWidthInteger {
    func clampedAdding(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    func clampedSubtracting(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
