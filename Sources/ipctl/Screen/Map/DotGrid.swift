/// A grid of dots, eight per character cell: four rows of two dots (Unicode, Braille Patterns).
///
/// Dots are about square, since a cell is about twice as high as it is wide. The grid wraps around horizontally; dots
/// above or below it are not drawn.
struct DotGrid: Hashable {
    struct Dot: Hashable {
        var x: Int
        var y: Int
    }

    let columns: Int
    let rows: Int
    private var patterns: [UInt8]

    static let dotsAcross = 2
    static let dotsDown = 4

    /// The bits of the four rows of dots, for the left column and for the right.
    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        patterns = Array(repeating: 0, count: columns * rows)
    }

    mutating func set(_ dot: Dot) {
        guard columns > 0, (0..<rows * Self.dotsDown).contains(dot.y) else { return }
        let width = columns * Self.dotsAcross
        let x = (dot.x % width + width) % width
        let index = dot.y / Self.dotsDown * columns + x / Self.dotsAcross
        patterns[index] |= Self.bits[x % Self.dotsAcross][dot.y % Self.dotsDown]
    }

    /// Draws a straight line, including both ends (Bresenham).
    mutating func line(from start: Dot, to end: Dot) {
        let (width, height) = (abs(end.x - start.x), -abs(end.y - start.y))
        let (stepX, stepY) = (start.x < end.x ? 1 : -1, start.y < end.y ? 1 : -1)
        var (dot, error) = (start, width + height)
        set(dot)
        while dot != end {
            let doubled = 2 * error
            if doubled >= height {
                error += height
                dot.x += stepX
            }
            if doubled <= width {
                error += width
                dot.y += stepY
            }
            set(dot)
        }
    }

    /// Returns the character of a cell; nil if it has no dots.
    func character(column: Int, row: Int) -> String? {
        let pattern = patterns[row * columns + column]
        return pattern == 0 ? nil : String(Unicode.Scalar(0x2800 + UInt32(pattern)) ?? " ")
    }
}
