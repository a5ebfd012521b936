import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import RecordKeeping

/// The progress of an exchange.
enum ExchangeProgress { case unsent, sent, responding }

extension TransportProblem {
    /// Translates an error of the libraries below the HTTP client.
    ///
    /// An error of an unknown type is classified by the progress of the exchange. TLS errors are classified this way,
    /// too: their type belongs to a lower-level library, which this module does not import.
    ///
    /// - Parameter isSecure: whether the exchange uses TLS.
    init(behind error: any Error, after progress: ExchangeProgress, isSecure: Bool) {
        switch error {
        case is NIOTooManyBytesError, NIOHTTPDecompression.DecompressionError.limit:
            self = .tooLarge
        case let error as NIOConnectionError:
            self = Self.problem(behind: error)
        case ChannelError.connectTimeout:
            self = .connectTimeout
        case let error as IOError:
            self = Self.problem(behind: error, after: progress)
        case HTTPParserError.invalidEOFState:
            self = progress == .responding ? .brokeOff : .closed
        case let error as HTTPParserError:
            self = .notHTTP("\(error)")
        default:
            let words = UntrustedText("\(error)").excerpt() ?? "unknown error"
            self =
                switch progress {
                case .unsent: isSecure ? .tls(Self.tlsReason(in: "\(error)") ?? words) : .other(words)
                case .sent: .other(words)
                case .responding: .notHTTP(words)
                }
        }
    }

    /// Returns the reason in the text of a TLS error, such as "wrong version number" from "…SSL
    /// routines:OPENSSL_internal:WRONG_VERSION_NUMBER at…"; nil if the text has no such code.
    private static func tlsReason(in words: String) -> String? {
        let afterMark = words.split(separator: "OPENSSL_internal:", maxSplits: 1).dropFirst().first
        let reason = afterMark?.prefix { $0.isASCII && ($0.isLetter || $0 == "_") } ?? ""
        return reason.isEmpty ? nil : reason.lowercased().split(separator: "_").joined(separator: " ")
    }

    /// Classifies a failure to connect to any of the host's addresses.
    private static func problem(behind error: NIOConnectionError) -> TransportProblem {
        guard let last = error.connectionErrors.last?.error else { return .nameNotFound }
        if case ChannelError.connectTimeout = last { return .connectTimeout }
        guard let last = last as? IOError else { return .notConnected("\(last)") }
        return problem(behind: last, after: .unsent)
    }

    private static func problem(behind error: IOError, after progress: ExchangeProgress) -> TransportProblem {
        switch (error.errnoCode, progress) {
        case (ETIMEDOUT, .unsent): return .connectTimeout
        case (ETIMEDOUT, _): return .deadline
        case (ECONNRESET, _), (EPIPE, _): return .reset
        default:
            // The error's own description would name the system call and its parameters.
            return .notConnected("\(String(cString: strerror(error.errnoCode))) (errno \(error.errnoCode))")
        }
    }
}
