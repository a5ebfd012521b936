import Glibc

/// A reader of all rows in a damaged database file, page by page, independent of the b-trees
/// (sqlite.org/fileformat2.html).
///
/// Malformed cells are skipped. Deleted rows are not found: they are in no cell, or in a page of the free list. Pages
/// in the write-ahead log replace those of the file.
struct DamagedFile {
    /// A value in SQLite's storage classes; the content of a BLOB is dropped.
    enum Value: Hashable {
        case null
        case int(Int64)
        case real(Double)
        case text(String)
        case blob
    }

    /// A row of a table or an index, with the values in the order of the columns.
    struct Row: Hashable {
        /// Nil in a table without row ids and in an index.
        var rowID: Int64?
        var values: [Value]
    }

    /// Maximum size of a row in bytes. Rows of this schema are far shorter, so a longer one is damaged.
    private static let maxRowBytes = 1 << 24

    private let descriptor: Int32
    private let pageSize: Int
    private let pages: Int
    /// Pages that were committed to the log and not yet moved into the file.
    private let log: WriteAheadLog
    /// The number of bytes of a page that SQLite uses; the rest is reserved for extensions.
    private let usable: Int
    /// Pages of the free list.
    private var free: Set<Int> = []

    /// Opens the file for reading; the caller closes it with `finish()`.
    ///
    /// - Throws: `files` if the file cannot be opened or its log cannot be read, `nothingFound` if the file is shorter
    ///   than the database header.
    init(path: String) throws(Recovery.Problem) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .files(purpose: "read \(path)", reason: String(cString: strerror(errno))) }
        var header = [UInt8](repeating: 0, count: 100)
        var status = stat()
        guard pread(descriptor, &header, header.count, 0) == header.count, fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw .nothingFound(path: path, reason: "the file is too short to be a database")
        }
        let stated = Int(header[16]) << 8 | Int(header[17])
        let size = stated == 1 ? 65_536 : stated
        // If the header is damaged, use the default page size of SQLite.
        pageSize = (512...65_536).contains(size) && size.nonzeroBitCount == 1 ? size : 4_096
        usable = header[20] < 32 ? pageSize - Int(header[20]) : pageSize
        do throws(Recovery.Problem) {
            log = try WriteAheadLog(path: path + "-wal", pageSize: pageSize)
        } catch {
            close(descriptor)
            throw error
        }
        pages = max(Int(status.st_size) / pageSize, log.highestPage)
        if let first = log.page(1) { header = Array(first[0..<100]) }
        free = freePages(from: Int(header.bigEndian(at: 32)))
    }

    /// Closes the file.
    func finish() {
        close(descriptor)
    }

    /// Calls `body` for each row, in no particular order.
    ///
    /// - Returns: the number of cells and pages that could not be read.
    func forEachRow(_ body: (Row) throws -> Void) rethrows -> Int {
        var broken = 0
        for number in stride(from: 1, through: pages, by: 1) where !free.contains(number) {
            guard let page = page(number) else {
                broken += 1
                continue
            }
            var reading = PageReading(bytes: page, isFirst: number == 1)
            guard let kind = reading.kind else { continue }
            while let cell = reading.next() {
                guard let row = row(at: cell, in: page, of: kind) else {
                    broken += 1
                    continue
                }
                if let row { try body(row) }
            }
            if reading.isBroken { broken += 1 }
        }
        return broken
    }

    // MARK: Pages

    private func page(_ number: Int) -> [UInt8]? {
        guard (1...max(1, pages)).contains(number) else { return nil }
        if let latest = log.page(number) { return latest }
        let count = pageSize
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t((number - 1) * count)))
        }
        return bytes.count == count ? bytes : nil
    }

    /// Returns the pages of the free list, which is a chain of trunk pages that name the other free pages.
    private func freePages(from first: Int) -> Set<Int> {
        var found: Set<Int> = []
        var trunk = first
        while trunk != 0, let bytes = page(trunk), found.insert(trunk).inserted {
            let count = Int(bytes.bigEndian(at: 4))
            guard count <= usable / 4 - 2 else { break }
            for place in 0..<count { found.insert(Int(bytes.bigEndian(at: 8 + 4 * place))) }
            trunk = Int(bytes.bigEndian(at: 0))
        }
        return found
    }

    // MARK: Cells

    /// Decodes the cell at `start`.
    ///
    /// - Returns: nil if the cell is malformed; a nil row if it is a cell of an interior page without a row.
    private func row(at start: Int, in page: [UInt8], of kind: PageReading.Kind) -> Row?? {
        var reader = ByteReader(bytes: page, place: start)
        if kind == .innerTable { return .some(nil) }
        if kind == .innerIndex { reader.skip(4) }
        guard let size = reader.varint(), size >= 1, size < Self.maxRowBytes else { return nil }
        var rowID: Int64?
        if kind == .table {
            guard let id = reader.varint() else { return nil }
            rowID = id
        }
        guard let payload = payload(Int(size), reader, isTable: kind == .table), let values = Self.values(of: payload)
        else {
            return nil
        }
        return Row(rowID: rowID, values: values)
    }

    /// Returns the payload of a cell, local and overflow pages together; nil if a part of it is missing.
    private func payload(_ size: Int, _ reader: ByteReader, isTable: Bool) -> [UInt8]? {
        let maximum = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard size > maximum else { return reader.bytes(size) }
        let minimum = (usable - 12) * 32 / 255 - 23
        let fitting = minimum + (size - minimum) % (usable - 4)
        let local = fitting <= maximum ? fitting : minimum
        guard var payload = reader.bytes(local), let link = reader.bytes(local + 4) else { return nil }
        var next = Int(link.bigEndian(at: local))
        while payload.count < size {
            guard next != 0, let overflow = page(next) else { return nil }
            payload += overflow[4..<min(usable, 4 + size - payload.count)]
            next = Int(overflow.bigEndian(at: 0))
        }
        return payload
    }

    private static func values(of payload: [UInt8]) -> [Value]? {
        var header = ByteReader(bytes: payload, place: 0)
        guard let size = header.varint(), size <= payload.count else { return nil }
        var body = ByteReader(bytes: payload, place: Int(size))
        var values: [Value] = []
        while header.place < size {
            guard let type = header.varint(), let value = body.value(ofType: type) else { return nil }
            values.append(value)
        }
        return values
    }
}

/// An iterator over the cells of a page, in the order of the page's cell pointer array.
private struct PageReading {
    enum Kind: UInt8 {
        case innerIndex = 2
        case innerTable = 5
        case index = 10
        case table = 13
    }

    let bytes: [UInt8]
    /// Nil if the page is not a b-tree page.
    let kind: Kind?
    private let list: Int
    private let count: Int
    private var done = 0
    /// Whether a cell pointer is out of range, which ends the iteration.
    private(set) var isBroken = false

    init(bytes: [UInt8], isFirst: Bool) {
        let start = isFirst ? 100 : 0
        self.bytes = bytes
        kind = Kind(rawValue: bytes[start])
        list = start + (kind == .innerIndex || kind == .innerTable ? 12 : 8)
        count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    }

    /// Returns the offset of the next cell in the page; nil after the last one.
    mutating func next() -> Int? {
        guard !isBroken, done < count else { return nil }
        let place = list + 2 * done
        guard place + 2 <= bytes.count else {
            isBroken = true
            return nil
        }
        done += 1
        let cell = Int(bytes[place]) << 8 | Int(bytes[place + 1])
        guard cell >= list + 2 * count, cell < bytes.count else {
            isBroken = true
            return nil
        }
        return cell
    }
}

/// A bounds-checked reader of integers and values; each method returns nil at the end of the bytes.
private struct ByteReader {
    let bytes: [UInt8]
    private(set) var place: Int

    mutating func skip(_ count: Int) { place += count }

    /// Returns the next bytes without consuming them.
    func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, place + count <= bytes.count else { return nil }
        return Array(bytes[place..<place + count])
    }

    /// Reads an integer of one to nine bytes: seven bits a byte, the highest first, and all eight bits of the ninth.
    mutating func varint() -> Int64? {
        var value: UInt64 = 0
        for turn in 1...9 {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            if turn == 9 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return Int64(bitPattern: value) }
        }
        return nil
    }

    mutating func value(ofType type: Int64) -> DamagedFile.Value? {
        switch type {
        case 0: return .null
        case 1...4: return integer(Int(type)).map { .int($0) }
        case 5: return integer(6).map { .int($0) }
        case 6: return integer(8).map { .int($0) }
        case 7: return integer(8).map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
        case 8, 9: return .int(type - 8)
        case 12...:
            guard let content = bytes(Int(type - 12) / 2) else { return nil }
            place += content.count
            guard type % 2 == 1 else { return .blob }
            return String(validating: content, as: UTF8.self).map { .text($0) }
        default: return nil
        }
    }

    private mutating func integer(_ count: Int) -> Int64? {
        guard let content = bytes(count), let first = content.first else { return nil }
        place += count
        return content.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }
}
