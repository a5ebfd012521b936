import FuzzTargets
import Glibc

/// The target that $FUZZ_TARGET names.
private let target: FuzzTarget = {
    guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }), let target = FuzzTarget(rawValue: name) else {
        complain("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
}()

/// Ends the process, which is how libFuzzer knows that something was found.
private func complain(_ text: String) -> Never {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
    abort()
}

/// What libFuzzer calls with each input (llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.test(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        complain("\(error)")
    }
    return 0
}
