import Foundation
import StoredValues

extension JSONColumn {
    static func value<Value: Decodable>(from text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
