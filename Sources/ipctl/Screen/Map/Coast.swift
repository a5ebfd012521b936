/// The outlines of the land, as coarse as a terminal shows them.
///
/// Written down from capes, ports and river mouths, to some tenths of a degree.
enum Coast {
    struct Point: Hashable {
        /// Degrees east; beyond 180 for what lies across the date line from the rest of its outline.
        var lon: Double
        /// Degrees north.
        var lat: Double
    }

    /// A shore that ends where it began. That of a sea in the land is one, too.
    struct Outline: Hashable {
        let name: String
        let points: [Point]
    }

    static let outlines = [oldWorld, newWorld, islands].flatMap(Self.outlines)

    /// - Parameter table: outlines, each a line with its name and lines of points, and an empty line between them.
    private static func outlines(in table: String) -> [Outline] {
        let lines = table.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.split(whereSeparator: \.isEmpty).map { block in
            let points = block.dropFirst().flatMap { $0.split(separator: " ") }.map(point)
            return Outline(name: String(block.first ?? ""), points: points)
        }
    }

    private static func point(_ text: Substring) -> Point {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        // The tables are literals of this module, and a test goes through all of them.
        guard numbers.count == 2 else { preconditionFailure("this is no point: \(text)") }
        return Point(lon: numbers[0], lat: numbers[1])
    }
}
