import Logging

extension Logger {
    /// Does the work; if it fails, logs the error as a warning.
    func warnOnFailure(of work: () throws -> Void) {
        do {
            try work()
        } catch {
            warning("\(error)")
        }
    }
}
