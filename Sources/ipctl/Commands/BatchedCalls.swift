import Glibc

/// Applies an operation to many addresses, in as many calls as necessary.
///
/// Each call is atomic, but a sequence of calls is not: an error partway through reports how many addresses were
/// processed.
struct BatchedCalls {
    let addresses: [String]
    let addressesPerCall: Int
    /// Returns advice on how to process the rest, given the number of processed addresses and the last such address.
    let resumeAdvice: (_ done: String, _ last: String) -> String

    /// - Parameter call: applies the operation to some of the addresses.
    func run(
        on connection: DaemonConnection, _ call: (_ part: [String]) throws(CommandError) -> Void
    ) throws(CommandError) {
        // A single call is atomic, so a signal may end the program at any time.
        guard addresses.count > addressesPerCall else { return try call(addresses) }
        connection.interruption = try SignalPipe([SIGINT, SIGTERM, SIGHUP])
        defer { connection.interruption = nil }
        let bar = ProgressBar(total: addresses.count)
        var done = 0
        do throws(CommandError) {
            for part in addresses.parts(of: addressesPerCall) {
                bar.show(done)
                try call(part)
                done += part.count
            }
        } catch {
            bar.end()
            guard done > 0 else { throw error }
            let count = "\(Times.grouped(done)) of \(Times.grouped(addresses.count)) addresses"
            throw error.advising(resumeAdvice(count, addresses[done - 1]))
        }
        bar.end()
    }
}
