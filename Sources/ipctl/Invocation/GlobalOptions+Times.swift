import Glibc

extension GlobalOptions {
    /// Runs a command with the time zone that the options select, and with the time format that suits standard output.
    func withTimes(_ command: () throws -> Void) throws {
        if utc {
            setenv("TZ", "UTC0", 1)
            tzset()
        }
        let format: Times.Format = Terminal.standardOutput.columns == nil ? .rfc3339 : .human
        try Times.$format.withValue(format, operation: command)
    }
}
