/// An event for the command of `--exec`.
struct HookEvent: Hashable {
    /// The position of the event; nil for an event that is not kept, such as `refreshed`.
    let cursor: CursorFile.Cursor?
    /// The address that the event concerns; nil for an event about the network or the provider.
    let address: String?
    /// The event in messages, such as "event 12 (changed 192.0.2.1)".
    let name: String
    /// The line of JSON for the standard input of the command.
    let input: [UInt8]
    /// The variables of the environment that describe the event, as `NAME=value`.
    let variables: [String]

    /// The size of the event in memory, in bytes.
    var size: Int { input.count + variables.reduce(0) { $0 + $1.utf8.count } }
}
