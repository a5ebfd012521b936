import Files
import Glibc

/// The pages that were committed to the log and not yet moved into the database (sqlite.org/fileformat2.html, "The WAL
/// File Format").
///
/// A frame is valid if it has the salts of the log, a correct checksum over all frames up to it, and a commit frame at
/// or after it.
struct WriteAheadLog {
    private let bytes: [UInt8]
    private let pageSize: Int
    /// The offsets of the latest version of each page.
    private var places: [Int: Int] = [:]

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// - Parameter path: the log file; a missing or invalid one has no pages.
    /// - Throws: `files` if the file cannot be read: acknowledged changes may be only in the log.
    init(path: String, pageSize: Int) throws(Recovery.Problem) {
        self.pageSize = pageSize
        do throws(WholeFile.Unreadable) {
            bytes = try WholeFile.bytes(at: path, pipes: .refuse)
        } catch .failed(errno: ENOENT) {
            bytes = []
        } catch {
            throw .files(purpose: "read \(path)", reason: "\(error)")
        }
        guard bytes.count > Self.headerSize, bytes.bigEndian(at: 0) & ~1 == 0x377F_0682,
            bytes.bigEndian(at: 8) == pageSize
        else {
            return
        }
        let isBigEndian = bytes.bigEndian(at: 0) & 1 == 1
        var sum = Checksum(isBigEndian: isBigEndian)
        sum.add(bytes[0..<24])
        guard sum.isEqual(to: bytes, at: 24) else { return }
        let salts = bytes[16..<24]
        var uncommitted: [Int: Int] = [:]
        var frame = Self.headerSize
        while frame + Self.frameHeaderSize + pageSize <= bytes.count {
            let page = frame + Self.frameHeaderSize
            sum.add(bytes[frame..<frame + 8])
            sum.add(bytes[page..<page + pageSize])
            guard bytes[frame + 8..<frame + 16] == salts, sum.isEqual(to: bytes, at: frame + 16) else { return }
            uncommitted[Int(bytes.bigEndian(at: frame))] = page
            if bytes.bigEndian(at: frame + 4) != 0 {
                places.merge(uncommitted) { $1 }
                uncommitted = [:]
            }
            frame = page + pageSize
        }
    }

    /// The largest page number in the log; 0 if it has no pages.
    var highestPage: Int { places.keys.max() ?? 0 }

    /// Returns the latest version of a page; nil if it is not in the log.
    func page(_ number: Int) -> [UInt8]? {
        places[number].map { Array(bytes[$0..<$0 + pageSize]) }
    }

    /// The cumulative checksum of the log, in the byte order that its header states.
    private struct Checksum {
        let isBigEndian: Bool
        var first: UInt32 = 0
        var second: UInt32 = 0

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
                first &+= word(bytes, place) &+ second
                second &+= word(bytes, place + 4) &+ first
            }
        }

        private func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
            let word = bytes.bigEndian(at: place)
            return isBigEndian ? word : word.byteSwapped
        }

        func isEqual(to bytes: [UInt8], at place: Int) -> Bool {
            bytes.bigEndian(at: place) == first && bytes.bigEndian(at: place + 4) == second
        }
    }
}
