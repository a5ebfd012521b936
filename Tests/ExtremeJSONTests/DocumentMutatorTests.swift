import ExtremeJSON
import Foundation
import Testing

@Suite struct DocumentMutatorTests {
    private static let sample = #"{"a":[1,-2.5e3,"x,]\"y"],"b":{"c":null,"d":[]}}"#

    @Test func `the text of a sample is unchanged after parsing`() throws {
        #expect(try JSONNode(Self.sample).text == Self.sample)
        #expect(try JSONNode(" { \"a\" : [ 1 , {} ] }\n").text == #"{"a":[1,{}]}"#)
        for text in ["", "[", "{\"a\"}", "[1 2]", "[] x", "{\"a\":}"] {
            #expect(throws: JSONNode.ParseError.self, "\(text)") { try JSONNode(text) }
        }
    }

    @Test func `each node has a readable path and can be replaced`() throws {
        let document = try JSONNode(Self.sample)
        let names = document.paths.map(document.name(of:))
        #expect(names == ["", ".a", ".a[0]", ".a[1]", ".a[2]", ".b", ".b.c", ".b.d"])
        var changed = document
        changed[[1, 0]] = .scalar("7")
        #expect(changed.text == Self.sample.replacing("null", with: "7"))
        #expect(document.variants().count == document.paths.count * ExtremeValues.all.count)
    }

    @Test func `all extreme values but the deepest nesting are JSON`() throws {
        for value in ExtremeValues.all {
            let text = value.text
            // Foundation accepts 512 levels, no lone surrogates, and no number beyond the range of a double.
            guard !text.hasPrefix(String(repeating: "[", count: 512)), text != #""\ud83d""# else { continue }
            guard Double(text).map(\.isFinite) ?? true else { continue }
            #expect(throws: Never.self, "\(text.prefix(60))") {
                try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            }
        }
    }

    @Test func `the same choices produce the same document, and other choices produce other ones`() throws {
        let sample = try JSONNode(Self.sample)
        var documents: Set<String> = []
        for first in UInt8.min...UInt8.max {
            let choices = [first, first &* 7, first &* 13, first &* 29, first &* 31, first &* 37]
            var (one, other) = (DocumentMutator(choices: choices), DocumentMutator(choices: choices))
            let document = one.document(like: sample)
            #expect(document == other.document(like: sample))
            documents.insert(document.text)
        }
        #expect(documents.count > 50)
        var none = DocumentMutator(choices: [])
        #expect(none.document(like: sample).text == ExtremeValues.all[0].text)
    }
}
