import Glibc
import TestSupport
import Testing

@testable import PostgreSQL

/// The servers and the keywords of a connection, and the texts of libpq.
struct ConnectionSettingsTests {
    @Test func `required keywords override those of the URL`() {
        var settings = ConnectionSettings(url: "", password: DatabasePassword("secret"), passwordFile: "/pass")
        settings.applicationName = "node a"
        let parsed = [
            "host": "a,b", "port": "1,2", "target_session_attrs": "any", "client_encoding": "LATIN1", "user": "u",
            "connect_timeout": "1", "keepalives_idle": "60", "sslmode": "verify-full",
        ]
        let address = ServerAddress(host: "b", numericAddress: "192.0.2.1", port: "2")
        #expect(
            settings.keywords(parsed, for: address) == [
                "host": "b", "hostaddr": "192.0.2.1", "port": "2", "user": "u", "password": "secret",
                "passfile": "/pass", "application_name": "node a", "target_session_attrs": "read-write",
                "client_encoding": "UTF8", "sslmode": "verify-full", "keepalives": "1", "keepalives_idle": "60",
                "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000",
                "gssencmode": "disable",
            ])
    }

    @Test func `no description contains the password`() {
        let settings = ConnectionSettings(url: "", password: DatabasePassword("secret"))
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!"\(settings) \(String(reflecting: settings)) \(dumped)".contains("secret"))
    }

    @Test(arguments: [
        ([:], [ServerAddress()]),
        (["port": "1"], [ServerAddress(port: "1")]),
        (["host": "a"], [ServerAddress(host: "a")]),
        (
            ["host": "a,/run", "port": "1"],
            [ServerAddress(host: "a", port: "1"), ServerAddress(host: "/run", port: "1")]
        ),
        (
            ["host": "a,,c", "port": "1,,3"],
            [ServerAddress(host: "a", port: "1"), ServerAddress(), ServerAddress(host: "c", port: "3")]
        ),
        (["hostaddr": "::1,"], [ServerAddress(numericAddress: "::1"), ServerAddress()]),
        (["host": "a", "hostaddr": "::1"], [ServerAddress(host: "a", numericAddress: "::1")]),
    ])
    func `hosts, addresses and ports are paired by position`(keywords: [String: String], expected: [ServerAddress])
        throws
    {
        #expect(try ServerAddress.all(in: keywords) == expected)
    }

    @Test(arguments: [
        (
            [:], ["host": "a,b", "hostaddr": "::1,::2", "port": "1"],
            ["host": "a,b", "hostaddr": "::1,::2", "port": "1"]
        ),
        (
            ["host": "c", "user": "u"], ["host": "a", "port": "1", "user": "v"],
            ["host": "c", "port": "1", "user": "u"]
        ),
        (["port": "2"], ["port": "1", "password": "x"], ["port": "2"]),
    ])
    func `hosts that the URL does not contain are those of libpq`(
        keywords: [String: String], defaults: [String: String], expected: [String: String]
    ) {
        #expect(ServerAddress.completing(keywords, with: defaults) == expected)
    }

    @Test func `libpq's defaults are those of its environment variables and of its service file`() async {
        await #expect(processExitsWith: .success) {
            // A process of its own, whose environment no other thread reads.
            for name in ["PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE", "PGSERVICEFILE"] { unsetenv(name) }
            let library = try LibPQSession.Library()
            #expect(try library.defaults()["host"] == nil)
            setenv("PGHOST", "a.invalid,/run", 1)
            #expect(try library.defaults()["host"] == "a.invalid,/run")
            unsetenv("PGHOST")
            let folder = try TemporaryFolder()
            try folder.write("[fleet]\nhost=b.invalid\nport=7\n", to: "service")
            setenv("PGSERVICEFILE", folder.file("service"), 1)
            setenv("PGSERVICE", "fleet", 1)
            let defaults = try library.defaults()
            #expect(defaults["host"] == "b.invalid" && defaults["port"] == "7")
            #expect(folder.has("service"))
        }
    }

    @Test(arguments: ["service=x", "postgresql:///d?service=x", "postgresql://h/d?service=x"])
    func `a service in the URL is refused`(url: String) throws {
        let library = try LibPQSession.Library()
        #expect(throws: PostgreSQLError.invalidURL(reason: "the keyword service is not supported")) {
            try library.parse(url)
        }
    }

    @Test func `lists of different lengths are an error`() {
        #expect(throws: PostgreSQLError.invalidURL(reason: "3 ports but 2 hosts: give one port, or one for each host"))
        {
            try ServerAddress.all(in: ["host": "a,b", "port": "1,2,3"])
        }
        #expect(throws: PostgreSQLError.invalidURL(reason: "2 host names but 3 hosts: give one for each host, or none"))
        {
            try ServerAddress.all(in: ["host": "a,b", "hostaddr": "::1,::1,::1"])
        }
    }

    @Test(arguments: [
        (ServerAddress(host: "a"), true), (ServerAddress(host: "192.0.2.1"), true), (ServerAddress(), false),
        (ServerAddress(host: "/run"), false), (ServerAddress(host: "@abstract"), false),
        (ServerAddress(host: "a", numericAddress: "::1"), false),
    ])
    func `only host names are resolved`(address: ServerAddress, needsResolution: Bool) {
        #expect(address.needsResolution == needsResolution)
    }

    @Test func `the code of an error is read from the text, in any language`() {
        let text = LibPQText(
            """
            Verbindung zum Server auf »192.0.2.1«, Port 5432 fehlgeschlagen: FATAL:  3D000: Datenbank »x« existiert nicht
            ORT:  InitPostgres, postinit.c:941
            """)
        #expect(text.state == SQLState("3D000"))
        let refused = LibPQText("failed: Connection refused\n\tIs the server running?\n")
        #expect(refused.state == nil)
        #expect(refused.line == "failed: Connection refused; Is the server running?")
        #expect(LibPQText("").line == "")
        #expect(LibPQText("FATAL:  28P01: x").state == .invalidPassword)
        #expect(LibPQText("FATAL:  28P01").state == nil)
    }

    @Test(arguments: [
        (Duration.seconds(10), "10 s"), (.milliseconds(300), "300 ms"), (.milliseconds(1_500), "1500 ms"),
        (.nanoseconds(299_999_999), "300 ms"), (.zero, "0 s"), (.seconds(Int64.max), "\(Duration.seconds(Int64.max))"),
    ])
    func `a time limit has a short text`(limit: Duration, text: String) {
        #expect(limit.text == text)
        #expect(
            PostgreSQLError.timedOut(limit: limit, wasSent: false).description
                == "the query was not sent within \(text)")
    }

    @Test(arguments: ["28P0", "28P011", "28p01", "28P0ü", "", "28 01"])
    func `invalid codes are refused`(text: String) {
        #expect(SQLState(text) == nil)
    }

    @Test(arguments: [
        (PostgreSQLError.outcomeUnknown(.closed), true), (.timedOut(limit: .seconds(1), wasSent: true), true),
        (.timedOut(limit: .seconds(1), wasSent: false), false), (.notSent(.closed), false),
        (.server(ServerMessage(severity: .error, state: .uniqueViolation, message: "")), false),
        (.notConnected(.connectTimedOut(limit: .seconds(1), reason: nil)), false),
    ])
    func `an outcome is unknown only if the query was sent and there was no reply`(
        failure: PostgreSQLError, isUnknown: Bool
    ) {
        #expect(failure.isOutcomeUnknown == isUnknown)
    }
}
