import RecordKeeping
import Varlink

extension Request.Body {
    /// Decodes the host names of a query, at least one.
    static func hostNames(_ texts: [String]) throws(ControlError) -> [HostName] {
        try hostNames(texts, atMost: Limits.watchedNames)
    }

    /// Decodes host names, at least one.
    static func hostNames(_ texts: [String], atMost limit: Int) throws(ControlError) -> [HostName] {
        guard !texts.isEmpty else { throw .service(.invalidParameter("names")) }
        guard texts.count <= limit else { throw ControlError(.tooMany(limit: limit, .namesPerRequest)) }
        var names: [HostName] = []
        for text in texts { names.append(try hostName(text)) }
        return names
    }

    static func hostName(_ text: String) throws(ControlError) -> HostName {
        do {
            return try HostName(text)
        } catch {
            throw .invalidName(text, reason: error.description)
        }
    }
}
