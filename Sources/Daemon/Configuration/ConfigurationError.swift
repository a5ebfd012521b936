/// What is wrong with a configuration, told so that a person finds the place.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// Counted from 1; nil where the mistake is in no line.
    package var line: Int?
    /// As `section.key`; nil where the file as a whole is no TOML.
    package var key: String?
    /// What is wrong and what would be right.
    package var problem: String

    package var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return key.map { "\(place): \($0): \(problem)" } ?? "\(place): \(problem)"
    }
}
