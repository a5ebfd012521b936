import Glibc

/// The number of the last event that was printed, in a file.
struct CursorFile {
    let path: String
    private var temporary: String { path + ".new" }

    /// - Returns: nil where the file is not there yet.
    func read() throws(Complaint) -> Int64? {
        guard let file = fopen(path, "re") else {
            if errno == ENOENT { return nil }
            throw complaint("read")
        }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        let hasLine = fgets(&line, Int32(line.count), file) != nil
        let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard hasLine, let seq = Int64(text), seq >= 0 else {
            throw Complaint(
                status: .badData, message: "\(path) holds no cursor",
                advice: "A cursor is the number of an event. Remove the file to begin anew.")
        }
        return seq
    }

    /// Better now than after the first event has been printed.
    func checkThatItCanBeWritten() throws(Complaint) {
        guard let file = fopen(temporary, "we") else { throw complaint("write") }
        fclose(file)
        unlink(temporary)
    }

    /// Replaces the file at once, so that it always holds a whole number.
    func write(_ seq: Int64) throws(Complaint) {
        guard let file = fopen(temporary, "we") else { throw complaint("write") }
        let isWritten = fputs("\(seq)\n", file) >= 0
        guard fclose(file) == 0, isWritten, rename(temporary, path) == 0 else { throw complaint("write") }
    }

    private func complaint(_ what: String) -> Complaint {
        Complaint(status: .badData, message: "cannot \(what) \(path): \(String(cString: strerror(errno)))")
    }
}
