/// The unmet requirements of a start, which only a person can meet.
struct UnmetRequirements: Error {
    /// At least one requirement.
    let violations: [ConfigurationError]
}
