import FuzzTargets
import Glibc

/// The driver of libFuzzer (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs libFuzzer with the target that $FUZZ_TARGET names. The arguments are those of libFuzzer.
@main enum Fuzzer {
    private static let target: FuzzTarget = {
        guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }), let target = FuzzTarget(rawValue: name)
        else {
            fail("FUZZ_TARGET must be one of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return target
    }()

    static func main() {
        var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
        exit(runDriver(&count, &arguments) { Fuzzer.test($0, $1) })
    }

    private static func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do {
            try target.test(Array(UnsafeBufferPointer(start: start, count: count)))
        } catch {
            fail("\(error)")
        }
        return 0
    }

    /// Prints the text and aborts, which libFuzzer reports as a finding.
    private static func fail(_ text: String) -> Never {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
        abort()
    }
}
