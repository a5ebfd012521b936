import Glibc
import RecordKeeping

/// A file of addresses, one a line; what follows a `#` is for people, and empty lines do not count.
///
/// Every line is looked at before anything is sent, so that a bad one is told with its place and nothing is added.
struct AddressFile {
    let addresses: [String]

    /// Longer than any address, and still no more than a line of a terminal.
    private static let longestQuoteColumns = 60

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws(Complaint) {
        let name = path == "-" ? "standard input" : path
        let bytes = try Self.contents(of: path, name: name)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Complaint(status: .badData, message: "\(name) is no UTF-8 text")
        }
        var addresses: [String] = []
        // A line break of two characters is one `Character`, which is neither of them.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let content = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "\r" }
            guard let word = content.first else { continue }
            do {
                addresses.append(try IPAddress(word).description)
            } catch {
                let shown = String(word).printable.cut(to: Self.longestQuoteColumns)
                throw Complaint(
                    status: .badData, message: "line \(index + 1) of \(name): \"\(shown)\" is no IP address: \(error)")
            }
        }
        self.addresses = addresses
    }

    private static func contents(of path: String, name: String) throws(Complaint) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(name) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw unreadable(name)
            }
        }
    }

    private static func unreadable(_ name: String) -> Complaint {
        Complaint(status: .badData, message: "cannot read \(name): \(String(cString: strerror(errno)))")
    }
}

extension Array {
    /// This in pieces of at most `count`.
    func parts(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}
