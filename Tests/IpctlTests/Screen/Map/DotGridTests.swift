import Testing

@testable import ipctl

@Suite struct DotGridTests {
    private static func grid(_ dots: [(Int, Int)], columns: Int = 1, rows: Int = 1) -> DotGrid {
        var grid = DotGrid(columns: columns, rows: rows)
        for (x, y) in dots { grid.set(DotGrid.Dot(x: x, y: y)) }
        return grid
    }

    private static func text(_ grid: DotGrid) -> [String] {
        (0..<grid.rows).map { row in
            (0..<grid.columns).map { grid.character(column: $0, row: row) ?? " " }.joined()
        }
    }

    // The bits are numbered as in the Unicode standard, chapter 21.1.
    @Test(
        arguments: [
            ([(0, 0)], "⠁"), ([(0, 1)], "⠂"), ([(0, 2)], "⠄"), ([(0, 3)], "⡀"), ([(1, 0)], "⠈"), ([(1, 1)], "⠐"),
            ([(1, 2)], "⠠"), ([(1, 3)], "⢀"), ([(0, 0), (1, 3)], "⢁"), ([], " "),
        ] as [([(Int, Int)], String)])
    func `each dot has its place in the cell`(dots: [(Int, Int)], text: String) {
        #expect(Self.text(Self.grid(dots)) == [text])
    }

    @Test func `a line has both ends and no gap, in any direction`() {
        var grid = DotGrid(columns: 4, rows: 2)
        grid.line(from: DotGrid.Dot(x: 0, y: 0), to: DotGrid.Dot(x: 7, y: 7))
        #expect(Self.text(grid) == ["⠑⢄  ", "  ⠑⢄"])
        for (from, to) in [((0, 2), (7, 5)), ((7, 5), (0, 2)), ((0, 5), (7, 2)), ((3, 0), (4, 7)), ((4, 7), (3, 0))] {
            var grid = DotGrid(columns: 4, rows: 2)
            grid.line(from: DotGrid.Dot(x: from.0, y: from.1), to: DotGrid.Dot(x: to.0, y: to.1))
            var ends = grid
            ends.set(DotGrid.Dot(x: from.0, y: from.1))
            ends.set(DotGrid.Dot(x: to.0, y: to.1))
            #expect(grid == ends)
            let patterns = Self.text(grid).joined().unicodeScalars.filter { $0 != " " }
            #expect(patterns.reduce(0) { $0 + ($1.value & 0xFF).nonzeroBitCount } == 8)
        }
    }

    @Test func `the grid wraps around horizontally, and dots above or below it are not drawn`() {
        let across = Self.grid([(4, 0), (-1, 3), (9, 1)], columns: 2)
        #expect(Self.text(across) == ["⠑⢀"])
        #expect(Self.grid([(0, -1), (0, 4), (1, 100)], columns: 2) == DotGrid(columns: 2, rows: 1))
    }
}
