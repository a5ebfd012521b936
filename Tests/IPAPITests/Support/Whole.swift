import IPAPI
import RecordKeeping
import Testing

/// Expects that an answer is within all bounds and has a reason if it has no record, whatever the provider sent.
func expectWhole(_ answer: ElementAnswer) {
    switch answer {
    case .malformed(let problem):
        #expect(!problem.isEmpty && problem.utf8.count < 400)
    case .answered(.empty(let reason)):
        #expect(!reason.isEmpty && reason.utf8.count <= 256)
    case .answered(.record(let record)):
        #expect(record.lat.map { (-90...90).contains($0) } ?? true)
        #expect(record.lon.map { (-180...180).contains($0) } ?? true)
        #expect(record.offset.map { $0.magnitude <= 86_400 } ?? true)
        for field in Record.Field.allCases {
            guard let text = record.text(of: field) else { continue }
            #expect(!text.isEmpty && text.utf8.count <= 256)
            #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }
}
