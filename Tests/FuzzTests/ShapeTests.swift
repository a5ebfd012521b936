import FuzzTargets
import RecordKeeping
import Testing

/// The targets of `make fuzz` with documents of the right shape, from fixed seeds.
@Suite struct ShapeTests {
    @Test(arguments: [FuzzTarget.replyShape, .callShape, .database], 0..<4)
    func `documents of the right shape with extreme values cause no finding`(
        target: FuzzTarget, seed: Int
    ) throws {
        var random = Random(seed: UInt64(seed))
        for _ in 0..<300 {
            let input = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(throws: Never.self, "\(input)") { try target.test(input) }
        }
    }
}
