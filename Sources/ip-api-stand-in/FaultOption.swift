import ArgumentParser
import ProviderModel

/// A fault and the number of affected calls, from the option `NAME[=ARGUMENT][:CALLS]`.
struct FaultOption {
    let fault: Fault
    /// The number of affected calls; nil for all calls.
    let calls: Int?

    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        do {
            fault = try Fault(parts[0])
        } catch {
            throw ValidationError(error.description)
        }
        calls = parts.count == 2 ? Int(parts[1]) : nil
        guard parts.count == 1 || calls.map({ $0 > 0 }) == true else {
            throw ValidationError("expected a positive number of calls after \":\"")
        }
    }
}
