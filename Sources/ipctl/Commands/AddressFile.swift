import Control
import RecordKeeping

/// A file of addresses in the format of watch-list files (iprecord.watch(5)): one per line, then tags and a `# note`.
///
/// All lines are validated before anything is sent, so that invalid lines are reported with their numbers, and nothing
/// is changed. The file is read in chunks.
struct AddressFile {
    /// The addresses in the order of the lines.
    private(set) var listed: [ListedAddress] = []

    /// The content of a line: an address, or the reason why the line is invalid.
    private enum Content {
        case address(ListedAddress)
        case invalid(LineError, line: Int)
    }

    /// - Parameter path: `-` for standard input.
    /// - Throws: an error that names the invalid lines.
    init(_ path: String) throws(CommandError) {
        var errors = AddressErrors()
        self.init(path, adding: &errors)
        guard errors.isEmpty else { throw errors.combined }
    }

    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - errors: receives the errors of invalid lines, or the reason why the file cannot be read.
    init(_ path: String, adding errors: inout AddressErrors) {
        do throws(CommandError) {
            try read(path, adding: &errors)
        } catch {
            errors.add(line: error)
        }
    }

    private mutating func read(_ path: String, adding errors: inout AddressErrors) throws(CommandError) {
        let file = try InputFile(path)
        let lines = LineReader(file, hasQuotes: false)
        var invalidLines = 0
        while let content = try lines.next(Self.content) {
            switch content {
            case .address(let address): listed.append(address)
            case .invalid(let error, let line):
                errors.add(line: error.commandError(line: line, of: file.name))
                invalidLines += 1
                guard invalidLines < AddressErrors.maxInvalidLines else { return errors.leaveRest() }
            }
        }
    }

    /// - Returns: nil for a line without an address.
    private static func content(of line: TextLines.Line) -> Content? {
        do throws(LineError) {
            guard let found = try address(in: line) else { return nil }
            return .address(found)
        } catch {
            return .invalid(error, line: line.number)
        }
    }

    /// - Returns: nil for a line without an address.
    private static func address(in line: TextLines.Line) throws(LineError) -> ListedAddress? {
        guard let text = String(validating: line.bytes, as: UTF8.self) else { throw LineError("not valid UTF-8") }
        do throws(WatchListText.Refusal) {
            return try WatchListText.address(in: line.number == 1 ? text.withoutByteOrderMark : text[...])
        } catch {
            throw LineError(error.reason.printable)
        }
    }
}

extension Array {
    /// Splits the array into parts of at most `count` elements.
    func parts(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}
