import ExtremeJSON
import Foundation
import JSON
import RecordKeeping
import Testing

/// The scanner accepts the same texts as Foundation's parser, and reads the same values.
struct FoundationComparisonTests {
    private static let sample = """
        {"query":"1.1.1.1","a":[1,-2.5e3,true,false,null,"x\\"\\u00e9é😀",{"b":[]}],"c":{"d":""},"f":[[1],[2,[3]]]}
        """

    /// The value as Foundation's parser reads it.
    private static func reference(_ text: [UInt8]) -> NSObject? {
        let value = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
        return (value as? NSObject).map(withoutNumbers)
    }

    /// Returns a value with 0 in place of each number or Boolean. Foundation represents long numbers as decimals.
    private static func withoutNumbers(_ value: NSObject) -> NSObject {
        switch value {
        case is NSNumber: 0 as NSNumber
        case let elements as NSArray: elements.compactMap { ($0 as? NSObject).map(withoutNumbers) } as NSArray
        case let members as [String: NSObject]: members.mapValues(withoutNumbers) as NSDictionary
        default: value
        }
    }

    /// The value in the same form; nil if Foundation refuses it or decides which of several equal names counts.
    private static func value(of tree: JSONTree) -> NSObject? {
        switch tree {
        case .null: return NSNull()
        case .bool: return 0 as NSNumber
        case .number(let spelling): return Double(spelling)?.isFinite == true ? 0 as NSNumber : nil
        case .text(let text): return text.map { $0 as NSString }
        case .array(let elements):
            let values = elements.compactMap(value)
            return values.count == elements.count ? values as NSArray : nil
        case .object(let members):
            var values: [String: NSObject] = [:]
            for member in members { values[member.name] = value(of: member.value) }
            return values.count == members.count ? values as NSDictionary : nil
        }
    }

    private static func expectSame(_ text: [UInt8]) {
        let tree = try? JSONTree(text)
        let reference = reference(text)
        // Foundation accepts other encodings, and does not check all bytes.
        if tree == nil, text.contains(where: { $0 == 0 || $0 >= 0x80 }) { return }
        guard let tree else {
            #expect(reference == nil, "\(String(decoding: text, as: UTF8.self))")
            return
        }
        if let value = value(of: tree) { #expect(value == reference, "\(String(decoding: text, as: UTF8.self))") }
    }

    @Test func `documents with extreme values`() throws {
        let sample = try JSONNode(Self.sample)
        for variant in sample.variants(at: sample.paths.filter { $0.count <= 1 }) {
            Self.expectSame(Array(variant.text.utf8))
        }
    }

    @Test(arguments: 0..<8) func `mutated documents`(seed: Int) {
        var random = Random(seed: UInt64(seed))
        for _ in 0..<200 {
            var text = Array(Self.sample.utf8)
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: text[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
                case 2: text.remove(at: place)
                default: text.insert(text[Int.random(in: 0..<text.count, using: &random)], at: place)
                }
            }
            Self.expectSame(text)
        }
    }
}
