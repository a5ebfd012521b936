import Files
import Glibc

/// The files beside a database whose names begin with that of the database.
enum SiblingFiles {
    /// Returns the paths of these files.
    ///
    /// - Throws: `inaccessible` if the directory cannot be read.
    static func of(_ database: String) throws(StoreError) -> [String] {
        let name = database.lastIndex(of: "/").map { database[database.index(after: $0)...] } ?? database[...]
        let directory = ParentDirectory.path(of: database)
        let files: [String]
        do {
            files = try DirectoryContents.names(in: directory)
        } catch {
            throw .inaccessible(path: database, reason: "\(directory): \(String(cString: strerror(error.errno)))")
        }
        return files.filter { $0.hasPrefix(name) && $0.count > name.count }.map { database.dropLast(name.count) + $0 }
    }
}
