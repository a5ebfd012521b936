import Glibc

/// One thing done to many addresses, with as many calls as that takes.
///
/// Each call is carried out whole or not at all, and several are not: where they end midway, it is told how far they came.
struct ManyCalls {
    let addresses: [String]
    let addressesPerCall: Int
    /// How to do the rest, as a sentence, of how many are done and the last of these.
    let goOn: (_ done: String, _ last: String) -> String

    /// - Parameter call: does it to a part of them.
    func run(
        on connection: Connection, _ call: (_ part: [String]) throws(Complaint) -> Void
    ) throws(Complaint) {
        // A signal that ends the program in a single call leaves nothing by half.
        guard addresses.count > addressesPerCall else { return try call(addresses) }
        connection.interruption = try SignalPipe([SIGINT, SIGTERM, SIGHUP])
        defer { connection.interruption = nil }
        let bar = ProgressBar(total: addresses.count)
        var done = 0
        do throws(Complaint) {
            for part in addresses.parts(of: addressesPerCall) {
                bar.show(done)
                try call(part)
                done += part.count
            }
        } catch {
            bar.end()
            var complaint = error
            if done > 0 {
                let count = "\(Times.grouped(done)) of \(Times.grouped(addresses.count)) addresses"
                complaint.advice = goOn(count, addresses[done - 1])
            }
            throw complaint
        }
        bar.end()
    }
}
