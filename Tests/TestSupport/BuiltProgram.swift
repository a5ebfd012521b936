import Foundation

/// The programs of this package.
package enum BuiltProgram {
    /// The directory of the programs, which is that of the tests' executable.
    package static var directory: String {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return ((tests ?? CommandLine.arguments[0]) as NSString).deletingLastPathComponent
    }

    package static func path(_ name: String) -> String { directory + "/" + name }
}
