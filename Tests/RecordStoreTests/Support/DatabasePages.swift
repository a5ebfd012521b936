import Foundation
import Glibc

/// The pages of a closed database file, so that a test can damage those of one table or index
/// (sqlite.org/fileformat2.html, "B-tree Pages").
struct DatabasePages {
    enum Place: CaseIterable { case first, middle, last }

    private let path: String
    private var bytes: [UInt8]
    private let pageSize: Int
    /// The root pages of the tables and indexes by name.
    private let roots: [String: Int]

    init(_ path: String) throws {
        self.path = path
        bytes = try Array(Data(contentsOf: URL(filePath: path)))
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65_536 : size
        let rows = try SQLite(path).rows("SELECT CAST(rootpage AS TEXT), name FROM sqlite_master WHERE rootpage > 0")
        // The schema is a table whose root is the first page.
        roots = Dictionary(
            [("sqlite_master", 1)] + rows.map { ($0[1].filter { $0 != "\"" }, Int($0[0].filter(\.isNumber)) ?? 0) }
        ) { $1 }
    }

    /// Fills a leaf page of a table or an index with zeros.
    ///
    /// - Returns: whether there was more than one leaf.
    mutating func zeroLeaf(_ place: Place, of name: String) throws -> Bool {
        for offset in range(ofLeaf: place, of: name) { bytes[offset] = 0 }
        try Data(bytes).write(to: URL(filePath: path))
        return leaves(of: name).count > 1
    }

    /// Fills the leaf page of a table that contains a text with zeros.
    ///
    /// - Returns: whether there is such a page, and more than one leaf.
    mutating func zeroLeaf(containing text: String, of name: String) throws -> Bool {
        let ranges = leaves(of: name).map { ($0 - 1) * pageSize..<$0 * pageSize }
        let found = ranges.first { String(decoding: bytes[$0], as: UTF8.self).contains(text) }
        guard let found else { return false }
        for offset in found { bytes[offset] = 0 }
        try Data(bytes).write(to: URL(filePath: path))
        return ranges.count > 1
    }

    /// Zeros leaf pages of a table at regular intervals.
    ///
    /// - Returns: the number of these pages, and of all leaf pages.
    mutating func zeroLeaves(_ count: Int, of name: String) throws -> (zeroed: Int, of: Int) {
        let leaves = leaves(of: name)
        let chosen = Set((1...count).map { leaves[leaves.count * $0 / (count + 1)] })
        for page in chosen {
            for offset in (page - 1) * pageSize..<page * pageSize { bytes[offset] = 0 }
        }
        try Data(bytes).write(to: URL(filePath: path))
        return (chosen.count, leaves.count)
    }

    /// Damages the list of free blocks in each leaf page of a table or an index, which only a write uses.
    mutating func damageFreeBlocks(of name: String) throws {
        for page in leaves(of: name) {
            for offset in 1...2 { bytes[(page - 1) * pageSize + offset] = 0xFF }
        }
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// Replaces the key of a row in a table whose keys are numbers, and leaves the row in its place ("B-tree Cell
    /// Format").
    ///
    /// - Parameter other: a number whose encoding has the same length.
    /// - Returns: whether there is such a row.
    mutating func replaceKey(_ key: Int64, with other: Int64, of name: String) throws -> Bool {
        let (old, new) = (Self.encoded(key), Self.encoded(other))
        for page in leaves(of: name) {
            let start = (page - 1) * pageSize
            for pointer in stride(from: start + 8, to: start + 8 + 2 * cellCount(at: start), by: 2) {
                // The length of the row precedes its key.
                let length = endOfNumber(at: start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1])))
                let range = length..<endOfNumber(at: length)
                guard Array(bytes[range]) == old, new.count == old.count else { continue }
                bytes.replaceSubrange(range, with: new)
                try Data(bytes).write(to: URL(filePath: path))
                return true
            }
        }
        return false
    }

    /// Returns the encoding of a number from 0 to 2^56 - 1 ("variable-length integer").
    private static func encoded(_ number: Int64) -> [UInt8] {
        let groups = sequence(first: number) { $0 >= 0x80 ? $0 >> 7 : nil }.map { UInt8($0 & 0x7F) }
        return groups.dropFirst().reversed().map { $0 | 0x80 } + groups.prefix(1)
    }

    private func endOfNumber(at offset: Int) -> Int {
        var last = offset
        while bytes[last] & 0x80 != 0 { last += 1 }
        return last + 1
    }

    /// Returns the offsets of a leaf page in the file.
    func range(ofLeaf place: Place, of name: String) -> Range<Int> {
        let leaves = leaves(of: name)
        let page =
            switch place {
            case .first: leaves[0]
            case .middle: leaves[leaves.count / 2]
            case .last: leaves[leaves.count - 1]
            }
        return (page - 1) * pageSize..<page * pageSize
    }

    private func leaves(of name: String) -> [Int] {
        roots[name].map(leaves(below:)) ?? []
    }

    /// Returns the leaf pages in the order of their keys.
    private func leaves(below page: Int) -> [Int] {
        let start = (page - 1) * pageSize
        let header = page == 1 ? start + 100 : start
        // Interior pages of indexes and tables; the others are leaves.
        guard [2, 5].contains(bytes[header]) else { return [page] }
        let children = (0..<cellCount(at: header)).map { index in
            let pointer = header + 12 + 2 * index
            return number(at: start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1])))
        }
        return (children + [number(at: header + 8)]).flatMap(leaves)
    }

    private func cellCount(at header: Int) -> Int { Int(bytes[header + 3]) << 8 | Int(bytes[header + 4]) }

    private func number(at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
