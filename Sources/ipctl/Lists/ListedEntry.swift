/// An address of the watch list with what people have written of it, as exported files hold it.
struct ListedEntry: Hashable {
    /// In its canonical spelling.
    var address: String
    var tags: [String] = []
    var note: String?
    var isPinned = false

    /// The columns of CSV, and the members of a line of JSON.
    static let names = ["address", "tags", "note", "pinned"]
}
