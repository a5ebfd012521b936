@testable import Daemon

extension Configuration {
    /// Reads a configuration; throws its first error.
    init(text: String, file: String, places: Places) throws(ConfigurationError) {
        let reading = Self.read(text: text, file: file, places: places)
        if let error = reading.errors.first { throw error }
        self = reading.configuration
    }
}
