/// The coastline of the world: Natural Earth's map at 1:110 million (naturalearthdata.com, public domain), converted
/// by `scripts/coastline`.
package enum Coastline {
    /// A point on the surface of the earth.
    package struct Point: Hashable, Sendable {
        /// Degrees east, from -180 to 180.
        package var lon: Double
        /// Degrees north, from -90 to 90.
        package var lat: Double

        package init(lon: Double, lat: Double) {
            self.lon = lon
            self.lat = lat
        }
    }

    /// The bytes of the coastline file, for clients that parse it themselves. `scripts/coastline` documents the format.
    package static let file = PackageResources.coastline_bin

    /// The closed outlines of land and inland seas. The first point is not repeated at the end. Land that extends
    /// across the 180th meridian is cut there.
    package static let outlines: [[Point]] = {
        var outlines: [[Point]] = []
        var integers = stride(from: 0, to: file.count - 1, by: 2).lazy
            .map { UInt16(file[$0]) | UInt16(file[$0 + 1]) << 8 }.makeIterator()
        while let count = integers.next() {
            outlines.append(
                (0..<count).map { _ in
                    // The file is part of the program, and a test reads all of it.
                    guard let lon = integers.next(), let lat = integers.next() else {
                        preconditionFailure("the coastline file is truncated")
                    }
                    return Point(lon: degrees(lon), lat: degrees(lat))
                })
        }
        return outlines
    }()

    /// - Parameter steps: a signed number of steps of 1/180 degree, in two's complement.
    private static func degrees(_ steps: UInt16) -> Double { Double(Int16(bitPattern: steps)) / 180 }
}
