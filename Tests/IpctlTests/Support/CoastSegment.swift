import Glibc

@testable import ipctl

/// A straight segment of a coastline.
struct CoastSegment: CustomStringConvertible {
    let outline: String
    let start: Coast.Point
    let end: Coast.Point

    static let all = Coast.outlines.flatMap { outline in
        zip(outline.points, outline.points.dropFirst() + outline.points.prefix(1)).map {
            CoastSegment(outline: outline.name, start: $0, end: $1)
        }
    }

    var description: String { "\(outline) from \(start.lon),\(start.lat) to \(end.lon),\(end.lat)" }

    /// Whether two segments cross between their ends.
    func crosses(_ other: CoastSegment) -> Bool {
        turn(to: other.start) * turn(to: other.end) < 0 && other.turn(to: start) * other.turn(to: end) < 0
    }

    /// The side of a point: positive on the left.
    private func turn(to point: Coast.Point) -> Double {
        (end.lon - start.lon) * (point.lat - start.lat) - (end.lat - start.lat) * (point.lon - start.lon)
    }

    /// The distance of a point in degrees of latitude.
    func degrees(from point: Coast.Point) -> Double {
        let shortening = cos(point.lat * .pi / 180)
        let (x, y) = ((start.lon - point.lon) * shortening, start.lat - point.lat)
        let (width, height) = ((end.lon - start.lon) * shortening, end.lat - start.lat)
        let length = width * width + height * height
        let nearest = length == 0 ? 0 : max(0, min(1, -(x * width + y * height) / length))
        return hypot(x + nearest * width, y + nearest * height)
    }

    /// Whether a ray to the east crosses an odd number of segments, including those beyond the date line.
    static func isLand(_ point: Coast.Point) -> Bool {
        let crossed = [point.lon, point.lon + 360].flatMap { lon in
            all.filter { segment in
                guard (segment.start.lat > point.lat) != (segment.end.lat > point.lat) else { return false }
                let part = (point.lat - segment.start.lat) / (segment.end.lat - segment.start.lat)
                return lon < segment.start.lon + part * (segment.end.lon - segment.start.lon)
            }
        }
        return crossed.count % 2 == 1
    }
}
