import Control
import RecordKeeping

extension ListedEntry {
    /// What a line says, if the daemon takes it.
    init(checking line: ListedEntry) throws(BadLine) {
        do {
            address = try IPAddress(line.address).description
        } catch {
            throw BadLine("\(BadLine.quoted(line.address)) is no IP address: \(error)")
        }
        if let bad = line.tags.first(where: { !LabelText.isTag($0) }) {
            throw BadLine("\(BadLine.quoted(bad)) is no tag: \(TagText.rule)")
        }
        guard line.tags.count <= Limits.tagsPerEntry else {
            throw BadLine("an address has at most \(Limits.tagsPerEntry) tags, this has \(line.tags.count)")
        }
        if let note = line.note, !LabelText.isNote(note) {
            throw BadLine("\(BadLine.quoted(note)) is no note: \(TagText.noteRule)")
        }
        tags = Set(line.tags).sorted()
        note = line.note?.isEmpty == true ? nil : line.note
        isPinned = line.isPinned
    }
}
