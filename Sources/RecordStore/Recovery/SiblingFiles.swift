import Glibc

/// The files beside a database whose names begin with that of the database.
enum SiblingFiles {
    /// Returns the paths of these files.
    ///
    /// - Throws: `inaccessible` if the directory cannot be read.
    static func of(_ database: String) throws(StoreError) -> [String] {
        let name = database.lastIndex(of: "/").map { database[database.index(after: $0)...] } ?? database[...]
        let directory = ParentDirectory.path(of: database)
        guard let stream = opendir(directory) else {
            throw .inaccessible(path: database, reason: "\(directory): \(String(cString: strerror(errno)))")
        }
        defer { closedir(stream) }
        var paths: [String] = []
        while let item = readdir(stream) {
            let file = withUnsafeBytes(of: item.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if file.hasPrefix(name), file.count > name.count { paths.append(database.dropLast(name.count) + file) }
        }
        return paths
    }
}
