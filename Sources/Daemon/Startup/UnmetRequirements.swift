/// The unmet requirements at startup, which only an administrator can meet.
struct UnmetRequirements: Error {
    /// At least one requirement.
    let violations: [ConfigurationError]
}
