/// The coastlines, at the resolution of a terminal.
///
/// The outlines were drawn from capes, ports and river mouths, with an accuracy of a few tenths of a degree.
enum Coast {
    struct Point: Hashable {
        /// Degrees east; above 180 for points that are across the date line from the rest of their outline.
        var lon: Double
        /// Degrees north.
        var lat: Double
    }

    /// A closed coastline, of land or of an inland sea.
    struct Outline: Hashable {
        let name: String
        let points: [Point]
    }

    static let outlines = [oldWorld, newWorld, islands].flatMap(Self.outlines)

    /// - Parameter table: outlines separated by empty lines; each outline is a line with its name, followed by lines of
    ///   points.
    private static func outlines(in table: String) -> [Outline] {
        let lines = table.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.split(whereSeparator: \.isEmpty).map { block in
            let points = block.dropFirst().flatMap { $0.split(separator: " ") }.map(point)
            return Outline(name: String(block.first ?? ""), points: points)
        }
    }

    private static func point(_ text: Substring) -> Point {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        // The tables are literals in this module, and a test reads all of them.
        guard numbers.count == 2 else { preconditionFailure("invalid point: \(text)") }
        return Point(lon: numbers[0], lat: numbers[1])
    }
}
