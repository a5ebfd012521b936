import Coastline
import Glibc

/// A straight segment of a coastline.
struct CoastSegment: CustomStringConvertible {
    let start: Coastline.Point
    let end: Coastline.Point

    static let all = Coastline.outlines.flatMap { outline in
        zip(outline, outline.dropFirst() + outline.prefix(1)).map { CoastSegment(start: $0, end: $1) }
    }

    var description: String { "the line from \(start.lon),\(start.lat) to \(end.lon),\(end.lat)" }

    /// Whether two segments cross between their ends.
    func crosses(_ other: CoastSegment) -> Bool {
        turn(to: other.start) * turn(to: other.end) < 0 && other.turn(to: start) * other.turn(to: end) < 0
    }

    /// The side of a point: positive on the left.
    private func turn(to point: Coastline.Point) -> Double {
        (end.lon - start.lon) * (point.lat - start.lat) - (end.lat - start.lat) * (point.lon - start.lon)
    }

    /// The distance of a point in degrees of latitude.
    func degrees(from point: Coastline.Point) -> Double {
        let shortening = cos(point.lat * .pi / 180)
        let (x, y) = ((start.lon - point.lon) * shortening, start.lat - point.lat)
        let (width, height) = ((end.lon - start.lon) * shortening, end.lat - start.lat)
        let length = width * width + height * height
        let nearest = length == 0 ? 0 : max(0, min(1, -(x * width + y * height) / length))
        return hypot(x + nearest * width, y + nearest * height)
    }

    /// Whether a ray to the east crosses an odd number of segments.
    static func isLand(_ point: Coastline.Point) -> Bool {
        let crossed = all.filter { segment in
            guard (segment.start.lat > point.lat) != (segment.end.lat > point.lat) else { return false }
            let part = (point.lat - segment.start.lat) / (segment.end.lat - segment.start.lat)
            return point.lon < segment.start.lon + part * (segment.end.lon - segment.start.lon)
        }
        return crossed.count % 2 == 1
    }
}
