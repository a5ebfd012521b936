import Glibc

@testable import ipctl

/// A straight piece of an outline, and what geometry says of it.
struct Shore: CustomStringConvertible {
    let outline: String
    let start: Coast.Point
    let end: Coast.Point

    static let all = Coast.outlines.flatMap { outline in
        zip(outline.points, outline.points.dropFirst() + outline.points.prefix(1)).map {
            Shore(outline: outline.name, start: $0, end: $1)
        }
    }

    var description: String { "\(outline) from \(start.lon),\(start.lat) to \(end.lon),\(end.lat)" }

    /// Whether they cross between their ends.
    func crosses(_ other: Shore) -> Bool {
        turn(to: other.start) * turn(to: other.end) < 0 && other.turn(to: start) * other.turn(to: end) < 0
    }

    /// Positive for a point on the left.
    private func turn(to point: Coast.Point) -> Double {
        (end.lon - start.lon) * (point.lat - start.lat) - (end.lat - start.lat) * (point.lon - start.lon)
    }

    /// How far a point is from here, in degrees of latitude.
    func degrees(from point: Coast.Point) -> Double {
        let shortening = cos(point.lat * .pi / 180)
        let (x, y) = ((start.lon - point.lon) * shortening, start.lat - point.lat)
        let (width, height) = ((end.lon - start.lon) * shortening, end.lat - start.lat)
        let length = width * width + height * height
        let nearest = length == 0 ? 0 : max(0, min(1, -(x * width + y * height) / length))
        return hypot(x + nearest * width, y + nearest * height)
    }

    /// Whether a line from here to the east meets an odd number of shores; what lies beyond the date line counts there.
    static func isLand(_ point: Coast.Point) -> Bool {
        let crossed = [point.lon, point.lon + 360].flatMap { lon in
            all.filter { shore in
                guard (shore.start.lat > point.lat) != (shore.end.lat > point.lat) else { return false }
                let part = (point.lat - shore.start.lat) / (shore.end.lat - shore.start.lat)
                return lon < shore.start.lon + part * (shore.end.lon - shore.start.lon)
            }
        }
        return crossed.count % 2 == 1
    }
}
