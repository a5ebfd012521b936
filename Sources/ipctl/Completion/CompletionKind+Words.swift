import ArgumentParser
import RecordKeeping

/// The completions of arguments and of the values of options.
extension CompletionKind {
    /// Addresses of the watch list and, for a command that takes them, watched host names, from the daemon.
    static var watchedAddresses: CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            let names = line.takesNames ? WatchListWords.hostNames(at: SocketPath(option: line.socket)) : []
            return line.matching(WatchListWords(line).addresses + names)
        }
    }

    /// Watched host names, from the daemon.
    static var watchedNames: CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            return line.matching(WatchListWords.hostNames(at: SocketPath(option: line.socket)))
        }
    }

    /// Tags of entries on the watch list, from the daemon.
    static var usedTags: CompletionKind { fromDaemon { $0.tags } }

    /// Countries of records on the watch list, from the daemon.
    static var usedCountries: CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            return line.matching(WatchListWords.countryCodes(at: SocketPath(option: line.socket)))
        }
    }

    /// The last of several names of columns, separated by commas.
    static var columnNames: CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            let earlier = line.typedPrefix.split(separator: ",", omittingEmptySubsequences: false).dropLast()
            return line.matching(
                line.columnNames.filter { !earlier.contains(Substring($0)) }
                    .map { (earlier.map(String.init) + [$0]).joined(separator: ",") })
        }
    }

    /// The fields by which a command can sort. The daemon sorts a list, and only by fields of the records.
    static var sortableFields: CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            return line.matching(words.contains("list") ? FilterOptions.recordFields : line.columnNames)
        }
    }

    private static func fromDaemon(_ candidates: @escaping @Sendable (WatchListWords) -> [String]) -> CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            return line.matching(candidates(WatchListWords(line)))
        }
    }

    static var eventKinds: CompletionKind { .list(PublishedEvent.Kind.allCases.map(\.rawValue)) }
    static var entryStates: CompletionKind { .list(EntryOptions.states) }
    static var fields: CompletionKind { .list(FieldValues.names) }
}
