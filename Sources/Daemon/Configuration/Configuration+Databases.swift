import GeoDatabase

extension Configuration {
    /// Returns the paths of local databases if there are not too many, and none is listed twice.
    static func checkedDatabases(_ paths: [String]) throws(BadValue) -> [String] {
        guard paths.count <= GeoDatabase.maxFiles else {
            throw BadValue("expected at most \(GeoDatabase.maxFiles) files, got \(paths.count)")
        }
        for (index, path) in paths.enumerated() where paths[..<index].contains(path) {
            throw BadValue("\(path) is listed twice")
        }
        return paths
    }
}
