import Foundation
import TestSupport

/// A PostgreSQL server in a temporary directory, on a Unix socket and on a free port of the loopback interface.
///
/// A shell stops the server and removes the directory as soon as its standard input is closed: by `stop`, with the last
/// reference to this object, or when the process of the tests ends in any way.
package final class TemporaryPostgreSQL: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package static let user = "fleet"
    package static let password = "correct horse 'battery' staple"

    /// The directory of the Unix socket.
    package let directory: String
    package let port: Int
    private let shell: ChildProcess
    /// The server runs until this end of the pipe is closed.
    private let running: FileHandle

    /// - Parameters:
    ///   - isStandby: whether the server is a standby without a primary, which is read-only.
    ///   - primary: the server that this one is a standby of; nil for a new cluster.
    package init(isStandby: Bool = false, of primary: TemporaryPostgreSQL? = nil) throws {
        let programs = try Self.programs()
        directory = "/tmp/iprecord-pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let (input, output, errors) = (try PrivatePipe(), try PrivatePipe(), try PrivatePipe())
        running = input.writing
        port = try Self.freePort()
        var environment = ["PATH": "\(programs):/usr/bin:/bin", "D": directory, "PORT": "\(port)", "LC_ALL": "C.UTF-8"]
        environment["SECRET"] = Self.password
        if isStandby { environment["STANDBY"] = "1" }
        if let primary {
            environment["PRIMARY"] = "host=\(primary.directory) port=\(primary.port) user=\(Self.user)"
        }
        // The server refuses to run as root.
        var command = ["/bin/bash", "-euc", Self.script]
        if geteuid() == 0 {
            guard chmod(directory, 0o755) == 0, let account = getpwnam("postgres"),
                chown(directory, account.pointee.pw_uid, account.pointee.pw_gid) == 0
            else { throw Failure(description: "cannot give \(directory) to the user postgres") }
            command = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"] + command
        }
        shell = try ChildProcess(
            command, environment: environment, input: input.reading, output: output.writing, errors: errors.writing)
        for end in [input.reading, output.writing, errors.writing] { try end.close() }
        // The shell closes its output when the server accepts connections, or when it fails.
        let text = try output.reading.readToEnd() ?? Data()
        guard text == Data("ready\n".utf8) else {
            let reason = String(decoding: try errors.reading.readToEnd() ?? Data(), as: UTF8.self)
            throw Failure(description: "PostgreSQL did not start: \(reason)")
        }
    }

    deinit { stop() }

    /// Stops the server without a shutdown checkpoint, and waits for its end.
    package func stop() {
        // Fails only if `stop` was called before.
        try? running.close()
        shell.awaitEnd()
    }

    /// Makes a standby a primary. Returns at once.
    package func promote() throws { try running.write(contentsOf: Data("promote\n".utf8)) }

    /// The URL of the server's Unix socket, on which every user is trusted.
    package var socketURL: String { socketURL() }

    /// The same for another user and database. Their names contain only letters, digits and underscores.
    package func socketURL(user: String = TemporaryPostgreSQL.user, database: String = "postgres") -> String {
        "postgresql://\(user)@/\(database)?host=\(directory)&port=\(port)"
    }

    /// The URL of the server's port, which requires the password, without encryption.
    package var portURL: String { url(sslmode: "disable") }

    /// The same with TLS. The server's certificate is its own authority.
    package var encryptedURL: String { url(sslmode: "verify-full") + "&sslrootcert=\(directory)/data/server.crt" }

    private func url(sslmode: String) -> String {
        "postgresql://\(Self.user)@localhost:\(port)/postgres?sslmode=\(sslmode)"
    }

    private static let script = """
        stop() { pg_ctl stop --silent --mode=immediate --pgdata="$D/data" >&2 || true; rm -rf "$D"; }
        trap stop EXIT
        if [ -n "${PRIMARY:-}" ]; then
            pg_basebackup --dbname="$PRIMARY" --pgdata="$D/data" --write-recovery-conf --checkpoint=fast --no-sync
        else
            printf '%s' "$SECRET" >"$D/secret"
            initdb --pgdata="$D/data" --username=fleet --pwfile="$D/secret" --auth-local=trust \\
                --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$D/initdb.log"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \\
                -keyout "$D/data/server.key" -out "$D/data/server.crt" 2>"$D/openssl.log"
        fi
        cat >>"$D/data/postgresql.conf" <<END
        listen_addresses = '127.0.0.1'
        unix_socket_directories = '$D'
        port = $PORT
        fsync = off
        ssl = on
        shared_buffers = 16MB
        END
        [ -z "${STANDBY:-}" ] || touch "$D/data/standby.signal"
        pg_ctl start --silent --wait --pgdata="$D/data" --log="$D/log" >&2 || { cat "$D/log" >&2; exit 1; }
        echo ready
        exec >/dev/null 2>&1
        while read -r action; do pg_ctl "$action" --silent --pgdata="$D/data"; done
        """

    /// The directory of the server's programs, in the newest version.
    private static func programs() throws -> String {
        let root = "/usr/lib/postgresql"
        let files = FileManager.default
        let names = files.fileExists(atPath: root) ? try files.contentsOfDirectory(atPath: root) : []
        guard let newest = names.compactMap({ Int($0) }).max() else {
            throw Failure(description: "PostgreSQL not found in \(root); install it with make test-postgresql")
        }
        return "\(root)/\(newest)/bin"
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> Int {
        let listener = try LoopbackListener()
        return listener.port
    }
}
