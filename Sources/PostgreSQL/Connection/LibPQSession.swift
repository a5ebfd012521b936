import CPostgres
import Glibc

/// A connection of libpq that never blocks, and the only file that calls libpq.
///
/// It follows the sections "Asynchronous Command Processing" and "Database Connection Control Functions" of the chapter
/// "libpq" in PostgreSQL's documentation. Everything is copied out of libpq's memory.
///
/// Belongs to the queue of its connection. The last reference closes the connection.
final class LibPQSession {
    /// The functions of a loaded library.
    struct Library: Sendable {
        /// Each function is present, because `cpostgres_load` fails otherwise.
        fileprivate let functions: cpostgres_functions

        /// Loads libpq. The name is the one of all versions since 8.0, as its interface is only extended.
        init(name: String = "libpq.so.5") throws(PostgreSQLError) {
            var functions = cpostgres_functions()
            var reason = [CChar](repeating: 0, count: 512)
            guard cpostgres_load(name, &functions, &reason, reason.count) == 0 else {
                throw .libraryMissing(reason: Self.text(reason))
            }
            self.functions = functions
        }

        private static func text(_ characters: [CChar]) -> String {
            String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }

        /// Returns the keywords and values of a URL.
        func parse(_ url: String) throws(PostgreSQLError) -> [String: String] {
            guard !url.utf8.contains(0) else { throw .invalidURL(reason: "it contains a zero byte") }
            var message: UnsafeMutablePointer<CChar>?
            guard let options = functions.PQconninfoParse(url, &message) else {
                defer { functions.PQfreemem(message) }
                let reason = message.map { String(cString: $0) } ?? "out of memory"
                throw .invalidURL(reason: LibPQText.withoutQuotations(reason))
            }
            defer { functions.PQconninfoFree(options) }
            var keywords: [String: String] = [:]
            for option in Self.options(options) {
                // libpq marks passwords with an asterisk.
                if option.isSecret { throw .secretInURL(keyword: option.keyword) }
                keywords[option.keyword] = option.value
            }
            // libpq would read the host from a file and resolve it within a call that must not block.
            for keyword in ["service", "servicefile"] where keywords[keyword] != nil {
                throw .invalidURL(reason: "the keyword \(keyword) is not supported")
            }
            return keywords
        }

        /// Returns the values of keywords that a URL does not contain: those of environment variables, of the service
        /// that they name, and of libpq.
        func defaults() throws(PostgreSQLError) -> [String: String] {
            guard let options = functions.PQconndefaults() else {
                throw .connectFailed(reason: "out of memory", state: nil)
            }
            defer { functions.PQconninfoFree(options) }
            return Dictionary(uniqueKeysWithValues: Self.options(options).map { ($0.keyword, $0.value) })
        }

        /// Returns the keywords that have a value.
        private static func options(
            _ first: UnsafeMutablePointer<cpostgres_option>
        ) -> [(keyword: String, value: String, isSecret: Bool)] {
            var (found, option) = ([(keyword: String, value: String, isSecret: Bool)](), first)
            while let keyword = option.pointee.keyword {
                if let value = option.pointee.val {
                    let isSecret = option.pointee.dispchar.map { String(cString: $0) == "*" } ?? false
                    found.append((String(cString: keyword), String(cString: value), isSecret))
                }
                option += 1
            }
            return found
        }
    }

    /// A step of connecting: the event of the socket to wait for, or the end.
    enum ConnectStep {
        case wait(SocketWatch.Event)
        case connected
        case failed
    }

    /// An item that has arrived on an established connection.
    enum Arrival {
        /// The result of one statement.
        case result(Result<SQLReply.StatementResult, StatementFailure>)
        /// All results of the request have arrived.
        case requestDone
    }

    enum FlushResult {
        case done
        /// The socket's buffer is full.
        case incomplete
        /// The connection broke.
        case failed
    }

    enum StatementFailure: Error {
        case server(ServerMessage)
        /// The connection is no longer usable.
        case unexpected(reason: String)
    }

    /// Messages of the server that belong to no result, with the functions to read them.
    private final class Inbox {
        let functions: cpostgres_functions
        var messages: [ServerMessage] = []

        init(_ functions: cpostgres_functions) {
            self.functions = functions
        }
    }

    private let functions: cpostgres_functions
    private let connection: OpaquePointer
    private let inbox: Inbox

    /// Begins to connect. The host must be numeric or a Unix socket.
    init?(_ keywords: [String: String], library: Library) {
        functions = library.functions
        inbox = Inbox(functions)
        let names = keywords.keys.sorted()
        var cNames = names.map { UnsafePointer(strdup($0)) }
        var cValues = names.map { name in keywords[name].map { UnsafePointer(strdup($0)) } ?? nil }
        defer { for text in cNames + cValues { free(UnsafeMutablePointer(mutating: text)) } }
        // The end of the lists.
        cNames.append(nil)
        cValues.append(nil)
        guard let connection = functions.PQconnectStartParams(cNames, cValues, 0) else { return nil }
        self.connection = connection
        // Makes libpq add the code to the text of an error while connecting, which it does not return otherwise.
        _ = functions.PQsetErrorVerbosity(connection, CPOSTGRES_ERRORS_VERBOSE)
        // Without a receiver, libpq prints messages to the standard error. The session keeps the inbox alive.
        _ = functions.PQsetNoticeReceiver(connection, Self.receive, Unmanaged.passUnretained(inbox).toOpaque())
    }

    deinit { functions.PQfinish(connection) }

    /// The descriptor, which may change while connecting; negative if there is none.
    var socket: Int32 { functions.PQsocket(connection) }

    /// Whether the connection is established and not known to be lost.
    var isConnected: Bool { functions.PQstatus(connection) == CPOSTGRES_CONNECTION_OK }

    /// Whether the server asked for a password and there was none.
    var needsPassword: Bool { functions.PQconnectionNeedsPassword(connection) == 1 }

    /// The last error, as one line.
    var error: LibPQText { LibPQText(Self.text(functions.PQerrorMessage(connection))) }

    var processID: Int32 { functions.PQbackendPID(connection) }

    var serverVersion: Int32 { functions.PQserverVersion(connection) }

    /// Continues to connect, after the event for which the last step asked. The first step after `init` is `writable`.
    func connect() -> ConnectStep {
        switch functions.PQconnectPoll(connection) {
        case CPOSTGRES_POLLING_READING: .wait(.readable)
        case CPOSTGRES_POLLING_WRITING: .wait(.writable)
        case CPOSTGRES_POLLING_OK: functions.PQsetnonblocking(connection, 1) == 0 ? .connected : .failed
        default: .failed
        }
    }

    /// Hands a valid request to libpq.
    ///
    /// - Returns: false if libpq did not accept it, or if the connection broke.
    func send(_ request: SQLRequest) -> Bool { functions.PQsendQuery(connection, request.text) == 1 }

    /// Writes the rest of a request without blocking.
    func flush() -> FlushResult {
        switch functions.PQflush(connection) {
        case 0: .done
        case 1: .incomplete
        default: .failed
        }
    }

    /// Reads from the socket without blocking.
    ///
    /// libpq reads at most 8 KiB of a TLS record at first, and the rest does not make the socket readable. The records
    /// of PostgreSQL and pgbouncer are not larger. Those of other servers may be, and then only its time limit ends a
    /// query (https://github.com/ged/ruby-pg/issues/588).
    ///
    /// - Returns: false if the connection broke.
    func readInput() -> Bool { functions.PQconsumeInput(connection) == 1 }

    /// Returns the next notification that has been read.
    func nextNotification() -> ConnectionEvent.Notification? {
        guard let notification = functions.PQnotifies(connection) else { return nil }
        defer { functions.PQfreemem(notification) }
        return ConnectionEvent.Notification(
            channel: Self.text(notification.pointee.relname), payload: Self.text(notification.pointee.extra),
            processID: notification.pointee.be_pid)
    }

    /// Returns the warnings that have been read, and forgets them.
    func dequeueMessages() -> [ServerMessage] {
        defer { inbox.messages = [] }
        return inbox.messages
    }

    /// Removes the warnings that have been read. Messages that explain the end of the session stay.
    func discardWarnings() { inbox.messages.removeAll { !$0.endsSession } }

    /// Returns the next result of the request in progress; nil if it has not arrived.
    func nextArrival() -> Arrival? {
        guard functions.PQisBusy(connection) == 0 else { return nil }
        guard let result = functions.PQgetResult(connection) else { return .requestDone }
        defer { functions.PQclear(result) }
        switch functions.PQresultStatus(result) {
        case CPOSTGRES_COMMAND_OK, CPOSTGRES_TUPLES_OK, CPOSTGRES_EMPTY_QUERY:
            do throws(SQLValue.Malformed) {
                return .result(.success(try statementResult(result)))
            } catch {
                return .result(.failure(.unexpected(reason: error.reason)))
            }
        case CPOSTGRES_FATAL_ERROR:
            // An error of libpq, such as a lost connection, has no code.
            guard let message = Self.message(result, functions) else {
                return .result(.failure(.unexpected(reason: error.line)))
            }
            return .result(.failure(.server(message)))
        case let status:
            // COPY, which would wait for more calls.
            return .result(.failure(.unexpected(reason: "a result has the status \(status)")))
        }
    }

    private func statementResult(_ result: OpaquePointer) throws(SQLValue.Malformed) -> SQLReply.StatementResult {
        let types = (0..<functions.PQnfields(result)).map { functions.PQftype(result, $0) }
        var rows: [[SQLValue]] = []
        let count = functions.PQntuples(result)
        rows.reserveCapacity(Int(count))
        for row in 0..<count {
            var values: [SQLValue] = []
            values.reserveCapacity(types.count)
            for (column, type) in zip(Int32(0)..., types) {
                let isNull = functions.PQgetisnull(result, row, column) == 1
                let bytes = UnsafeRawBufferPointer(
                    start: functions.PQgetvalue(result, row, column),
                    count: Int(functions.PQgetlength(result, row, column)))
                values.append(try SQLValue(isNull ? nil : bytes, type: type))
            }
            rows.append(values)
        }
        let names = (0..<Int32(types.count)).map { Self.text(functions.PQfname(result, $0)) }
        return SQLReply.StatementResult(columns: names, rows: rows)
    }

    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }

    /// Returns the message in a result; nil if it does not come from a server.
    private static func message(_ result: OpaquePointer, _ functions: cpostgres_functions) -> ServerMessage? {
        func field(_ name: Character) -> String? {
            functions.PQresultErrorField(result, Int32(name.asciiValue ?? 0)).map { String(cString: $0) }
        }
        // The names of the fields: "Error and Notice Message Fields". V is the severity in English.
        guard let state = field("C").flatMap({ SQLState($0) }), let severity = field("V"),
            let severity = ServerMessage.Severity(rawValue: severity)
        else { return nil }
        return ServerMessage(
            severity: severity, state: state, message: field("M") ?? "", detail: field("D"), hint: field("H"),
            routine: field("R"))
    }

    /// A PQnoticeReceiver: libpq calls it while it reads input.
    private static let receive: cpostgres_receiver = { context, result in
        guard let context, let result else { return }
        let inbox = Unmanaged<Inbox>.fromOpaque(context).takeUnretainedValue()
        guard let message = LibPQSession.message(result, inbox.functions) else { return }
        switch message.severity {
        case .warning, .error:
            if inbox.messages.count < SQLReply.maxWarnings { inbox.messages.append(message) }
        case .fatal, .panic: inbox.messages.append(message)
        case .debug, .log, .info, .notice: break
        }
    }
}
