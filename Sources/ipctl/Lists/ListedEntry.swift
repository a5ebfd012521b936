/// An address of the watch list with its labels, as in exported files.
struct ListedEntry: Hashable {
    /// The address in canonical form.
    var address: String
    var tags: [String] = []
    var note: String?
    var isPinned = false
    /// The time at which the watch ends by itself, in Unix milliseconds; nil if it does not.
    var watchedUntil: Int64?

    /// The names of the CSV columns and the JSON members.
    static let names = ["address", "tags", "note", "pinned", "watchedUntil"]
}
