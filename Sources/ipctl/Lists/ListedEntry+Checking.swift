import Control
import RecordKeeping

extension ListedEntry {
    /// The times that the daemon accepts as the end of a watch.
    private static let ends = 1..<Limits.endOfTimes.milliseconds

    /// Validates and normalises an entry by the daemon's rules.
    init(checking line: ListedEntry) throws(LineError) {
        do {
            address = try IPAddress(line.address).description
        } catch {
            throw LineError("\(LineError.quoted(line.address)) is not an IP address: \(error)")
        }
        if let bad = line.tags.first(where: { !LabelText.isTag($0) }) {
            throw LineError("\(LineError.quoted(bad)) is not a valid tag: \(TagText.rule)")
        }
        guard line.tags.count <= Limits.tagsPerEntry else {
            throw LineError("\(TagText.countRule), got \(line.tags.count)")
        }
        if let note = line.note, !LabelText.isNote(note) {
            throw LineError("\(LineError.quoted(note)) is not a valid note: \(TagText.noteRule)")
        }
        tags = Set(line.tags).sorted()
        note = line.note?.isEmpty == true ? nil : line.note
        isPinned = line.isPinned
        if let end = line.watchedUntil, !Self.ends.contains(end) {
            throw LineError("\"watchedUntil\" must be a Unix time in milliseconds before the year 2200, got \(end)")
        }
        watchedUntil = line.watchedUntil
    }
}
