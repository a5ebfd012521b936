import Glibc

/// Reads the names of the files in a directory.
package enum DirectoryContents {
    /// A directory that cannot be read.
    package struct Unreadable: Error, Hashable {
        /// The error of opendir(3) or readdir(3).
        package let errno: Int32
    }

    /// Returns all names, also "." and "..", in no order. Invalid UTF-8 is replaced.
    package static func names(in directory: String) throws(Unreadable) -> [String] {
        guard let stream = opendir(directory) else { throw Unreadable(errno: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // Only errno tells an error from the end (readdir(3)).
            errno = 0
            guard let entry = readdir(stream) else { break }
            names.append(name(of: entry))
        }
        guard errno == 0 else { throw Unreadable(errno: errno) }
        return names
    }

    /// Returns the name of an entry that readdir(3) has returned.
    ///
    /// The memory of an entry ends after its name, although the type of `d_name` has 256 bytes. A copy of `d_name`
    /// would read beyond the end.
    static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
