import Glibc

/// A file that is written from its beginning.
final class OutputFile {
    struct Failure: Error {
        let path: String
        let number: Int32
    }

    private let path: String
    private let stream: UnsafeMutablePointer<FILE>

    init(_ path: String) throws(Failure) {
        self.path = path
        guard let stream = fopen(path, "w") else { throw Failure(path: path, number: errno) }
        self.stream = stream
    }

    deinit { fclose(stream) }

    func write(_ bytes: [UInt8]) throws(Failure) {
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count, fflush(stream) == 0 else {
            throw Failure(path: path, number: errno)
        }
    }
}
