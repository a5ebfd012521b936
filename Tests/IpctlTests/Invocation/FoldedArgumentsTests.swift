import Testing

@testable import ipctl

/// Long runs of addresses are replaced by a placeholder while the arguments are parsed.
@Suite struct FoldedArgumentsTests {
    private static func addresses(_ count: Int, in net: String = "10.0") -> [String] {
        (0..<count).map { "\(net).\($0 >> 8).\($0 & 255)" }
    }

    @Test func `a long run is one argument, and is restored in its place`() {
        let many = Self.addresses(8_000)
        let folded = FoldedArguments(["show", "1.1.1.1", "--field", "isp", "2.2.2.2"] + many + ["--wait", "0", "::1"])
        #expect(
            folded.arguments == [
                "show", "1.1.1.1", "--field", "isp", "2.2.2.2 … 10.0.31.63", "--wait", "0", "::1",
            ])
        let positional = ["1.1.1.1", "2.2.2.2 … 10.0.31.63", "::1"]
        #expect(folded.unfolded(positional) == ["1.1.1.1", "2.2.2.2"] + many + ["::1"])
    }

    @Test(arguments: ["--note", "-t", "--wait", "--"])
    func `an argument after an option is kept as its value`(
        option: String
    ) {
        let many = Self.addresses(200)
        let folded = FoldedArguments(["add", option] + many)
        #expect(folded.arguments == ["add", option, "10.0.0.0", "10.0.0.1 … 10.0.0.199"])
        #expect(folded.unfolded(Array(folded.arguments.dropFirst(2))) == many)
    }

    @Test func `several runs are restored, each in its place`() {
        let (first, second) = (Self.addresses(150), Self.addresses(150, in: "2001:db8"))
        let folded = FoldedArguments(["remove"] + first + ["--json", "::1"] + second)
        #expect(folded.arguments.count == 5)
        #expect(folded.unfolded(folded.arguments.filter { $0 != "--json" }) == ["remove"] + first + ["::1"] + second)
    }

    @Test(arguments: [0, 1, 99]) func `a short run is left unchanged`(count: Int) {
        let arguments = ["pin"] + Self.addresses(count)
        #expect(FoldedArguments(arguments).arguments == arguments)
        #expect(FoldedArguments(arguments).unfolded(arguments) == arguments)
    }

    @Test func `arguments unlike addresses are left unchanged`() {
        let arguments = ["tag"] + (0..<200).map { "word\($0)" } + ["-t", "a"]
        #expect(FoldedArguments(arguments).arguments == arguments)
    }
}
