/// An error in a configuration, with its position.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// The line, counted from 1; nil if the line is unknown, or the key is not in the file.
    package var line: Int?
    /// `section.key`, or only the section; nil if the file is not valid TOML.
    package var key: String?
    /// A description of the error and of what is expected instead.
    package var problem: String

    package var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return key.map { "\(place): \($0): \(problem)" } ?? "\(place): \(problem)"
    }
}
