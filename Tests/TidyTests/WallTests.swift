import Testing

/// The imports that each module may use. The compiler checks only dependencies within the package: it allows every file
/// to import modules of the toolchain, and all dependencies of its module.
struct WallTests {
    private static let shells = ["FoundationEssentials", "Glibc", "Synchronization"]

    /// The allowed imports of each module.
    private static let allowed: [String: Set<String>] = [
        "RecordKeeping": ["DequeModule", "OrderedCollections"],
        "Fleet": ["RecordKeeping"],
        "FleetBridge": ["Fleet", "RecordKeeping"],
        "JSON": [],
        "Coastline": [],
        "MMDBWriter": ["Glibc"],
        "Confinement": ["Dispatch"],
        "Files": ["Glibc"],
        "Varlink": ["JSON", "Glibc"],
        "StoredValues": ["JSON", "RecordKeeping"],
        "Control": ["JSON", "RecordKeeping", "StoredValues", "Varlink"],
        "IPAPI": Set(
            shells + [
                "JSON", "RecordKeeping", "AsyncHTTPClient", "NIOConcurrencyHelpers", "NIOCore", "NIOHTTP1",
                "NIOHTTPCompression",
                "NIOPosix",
            ]),
        "RecordStore": Set(
            shells + [
                "Files", "RecordKeeping", "StoredValues", "GRDB", "GRDBSQLite", "NIOConcurrencyHelpers", "Dispatch",
                "Foundation",
            ]),
        "GeoDatabase": ["RecordKeeping", "CLinux", "CMaxMindDB", "Glibc", "NIOConcurrencyHelpers"],
        "FleetStore": ["Fleet", "PostgreSQL", "RecordKeeping", "StoredValues"],
        "PostgreSQL": ["Confinement", "CPostgres", "Dispatch", "Glibc"],
        "RouteMonitor": Set(shells + ["RecordKeeping", "CLinux", "Dispatch", "NIOConcurrencyHelpers"]),
        "Systemd": Set(shells + ["Files", "CSystemd", "Logging"]),
        "Daemon": Set(
            shells + [
                "RecordKeeping", "JSON", "Varlink", "Control", "IPAPI", "RecordStore", "RouteMonitor", "Systemd",
                "CLinux", "Confinement", "Files", "GeoDatabase", "ArgumentParser", "DequeModule", "Dispatch",
                "Foundation", "Logging", "NIOConcurrencyHelpers", "TOMLKit",
            ]),
        "iprecordd": ["Daemon"],
        // No Foundation, which would double the start-up time of the client.
        "ipctl": [
            "Coastline", "Files", "JSON", "RecordKeeping", "Varlink", "Control", "MMDBWriter", "ArgumentParser",
            "DequeModule", "Glibc", "FoundationEssentials", "Synchronization",
        ],
        "iprecord-web": [
            "Coastline", "Control", "Files", "JSON", "RecordKeeping", "Systemd", "Varlink", "ArgumentParser",
            "Foundation", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "NIOConcurrencyHelpers",
            "NIOCore", "NIOHTTP1", "NIOHTTPCompression", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix",
        ],
        "ProviderModel": ["JSON", "RecordKeeping", "FoundationEssentials"],
        "ip-api-stand-in": Set(
            shells + [
                "ProviderModel", "RecordKeeping", "ArgumentParser", "Dispatch", "HTTPTypes", "Hummingbird", "Logging",
                "NIOConcurrencyHelpers", "NIOCore",
            ]),
        "check-provider": ["ArgumentParser", "IPAPI", "JSON", "ProviderModel", "RecordKeeping"],
        "Simulation": ["RecordKeeping", "JSON", "IPAPI", "ProviderModel", "Control", "Varlink", "HeapModule"],
        "SimulationCommands": ["Simulation", "ArgumentParser", "Glibc"],
        "simulate": ["Simulation", "SimulationCommands", "ArgumentParser"],
        "FleetSimulation": ["Fleet", "RecordKeeping", "Simulation"],
        "simulate-fleet": ["FleetSimulation", "Simulation", "SimulationCommands", "ArgumentParser"],
        "CICUData": [],
        "CLinux": [],
        "CMaxMindDB": [],
        "CPostgres": [],
        "CSystemd": [],
    ]

    @Test func `each module has a list of allowed imports`() throws {
        #expect(try SourceTree.folders(in: "Sources") == Self.allowed.keys.sorted())
    }

    @Test(arguments: allowed.keys.sorted())
    func `a module imports only allowed modules`(module: String) throws {
        let files = try SourceTree.files(in: "Sources/\(module)")
        #expect(!files.isEmpty || module.hasPrefix("C"))
        for file in files {
            for (imported, line) in file.imports {
                let isAllowed = Self.allowed[module]?.contains(imported) == true
                #expect(isAllowed, "\(file.path):\(line): import of \(imported) is not allowed")
            }
        }
    }

    @Test(arguments: [("AsyncHTTPClient", "IPAPI"), ("CPostgres", "PostgreSQL"), ("TOMLKit", "Daemon")])
    func `only one file imports a third-party module behind a boundary`(foreign: String, module: String) throws {
        let files = try SourceTree.files(in: "Sources").filter { $0.imports.contains { $0.module == foreign } }
        #expect(files.count == 1)
        #expect(files.allSatisfy { $0.path.hasPrefix("Sources/\(module)/") })
    }

    /// The store's writer makes all writes (docs/decisions.md), so a connection elsewhere needs a reason.
    @Test func `only one file of the store opens the database while the daemon runs`() throws {
        let expected: [String: [String]] = [
            "DatabasePool(": ["Store.swift"],
            "DatabaseQueue(": [
                // Backups, never the database.
                "Backups/Backup+Contents.swift", "Backups/DatabaseQueue+Attaching.swift",
                // Only while the recovery holds the lock, so no daemon runs.
                "Recovery/Recovery.swift", "Recovery/Recovery.swift", "Recovery/Replacement.swift",
                "Store.swift",
            ],
            "sqlite3_open": [],
        ]
        for (type, files) in expected {
            let lines = try SourceTree.files(in: "Sources").flatMap { file in
                file.lines.filter { $0.contains(type) }.map { _ in file.path }
            }
            #expect(lines == files.map { "Sources/RecordStore/\($0)" }, "\(type)")
        }
    }

    @Test(arguments: ["RecordKeeping", "Fleet", "FleetBridge"])
    func `the core reads no clock and draws no random numbers of its own`(module: String) throws {
        let forbidden = [
            "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", ".random(in:", "Task {", "async ",
        ]
        for file in try SourceTree.files(in: "Sources/\(module)") {
            for (index, line) in file.lines.enumerated() where !line.contains("//") {
                for word in forbidden where line.contains(word) && !line.contains("using:") {
                    Issue.record("\(file.path):\(index + 1): forbidden word \(word)")
                }
            }
        }
    }
}
