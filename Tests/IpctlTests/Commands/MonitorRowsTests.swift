import Foundation
import TestSupport
import Testing
import Varlink

/// `ipctl monitor` with events as rows, with the built program.
@Suite struct MonitorRowsTests {
    private static let fields =
        #"[{"field":"country","old":"Germany","new":"France"},{"field":"city","old":null,"new":"Pa\tris, \"1er\""}]"#

    /// A mock daemon with a change of two fields, a removal by a user, and an event that is not kept.
    private static func server() throws -> WireServer {
        let events = [
            #"{"address":"192.0.2.1","at":1000,"kind":"changed","seq":1,"fields":\#(fields)}"#,
            #"{"address":"192.0.2.2","at":2000,"kind":"removed","seq":2,"user":1000}"#,
            #"{"at":3000,"kind":"networkLost","seq":3,"message":"no route to 203.0.113.9"}"#,
            #"{"address":"192.0.2.1","at":4000,"kind":"refreshed"}"#,
        ]
        let bytes = events.flatMap { event -> [UInt8] in
            Array(#"{"continues":true,"parameters":{"event":\#(event)}}"#.utf8) + [0]
        }
        return try WireServer([Sample.statusReply(), bytes])
    }

    private static func ran(_ arguments: String...) throws -> BuiltIpctl.Ended {
        let server = try server()
        return try BuiltIpctl.run(["--socket", server.path, "monitor", "--no-reconnect"] + arguments)
    }

    @Test func `each changed field, and each other event, is a row`() throws {
        let ended = try Self.ran("--format", "csv")
        #expect(
            ended.output.components(separatedBy: "\r\n") == [
                "at,kind,address,field,old,new,message,user,seq,name",
                "1000,changed,192.0.2.1,country,Germany,France,,,1,",
                "1000,changed,192.0.2.1,city,,\"Pa\tris, \"\"1er\"\"\",,,1,", "2000,removed,192.0.2.2,,,,,1000,2,",
                "3000,networkLost,,,,,no route to 203.0.113.9,,3,", "4000,refreshed,192.0.2.1,,,,,,,", "",
            ])
    }

    @Test func `columns, the header and the fields can be selected`() throws {
        let ended = try Self.ran(
            "--field", "city", "--kind", "changed", "--columns", "seq,new", "--format", "tsv", "--no-headers")
        #expect(ended.output == "1\tPa\\tris, \"1er\"\n2\t\n3\t\n\t\n")
    }

    @Test func `JSON Lines have the types of the interface`() throws {
        let ended = try Self.ran("--columns", "seq,address,user", "--format", "jsonl")
        #expect(ended.output.split(separator: "\n")[2] == #"{"seq":2,"address":"192.0.2.2","user":1000}"#)
    }

    @Test func `a table has dates, and its titles once`() throws {
        let lines = try Self.ran("--columns", "at,kind,field").output.split(separator: "\n")
        #expect(lines.count == 6 && lines.filter { $0.contains("KIND") }.count == 1)
        #expect(lines[1].hasPrefix("1970-01-01T") && lines[1].hasSuffix("country"))
    }

    @Test func `unknown columns and --json are usage errors`() throws {
        for arguments in [["--columns", "isp"], ["--format", "csv", "--json"]] {
            let ended = try BuiltIpctl.run(["--socket", "/nowhere", "monitor"] + arguments)
            #expect(ended.status == 64 && ended.output == "", "\(ended)")
        }
    }
}
