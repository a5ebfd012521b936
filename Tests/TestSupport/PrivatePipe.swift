import CTestSupport
package import Foundation

/// A pipe that no other program inherits, even if another thread starts one at the same time: pipe2(2) with O_CLOEXEC.
///
/// The ends of Foundation's `Pipe` are inherited, so that reading to the end may wait for unrelated programs to end.
package struct PrivatePipe: Sendable {
    package let reading: FileHandle
    package let writing: FileHandle

    package init() throws {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard ctest_pipe(&reading, &writing) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.reading = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
        self.writing = FileHandle(fileDescriptor: writing, closeOnDealloc: true)
    }
}
