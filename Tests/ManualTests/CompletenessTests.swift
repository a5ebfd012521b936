import Control
import Foundation
import RecordKeeping
import Systemd
import TestSupport
import Testing

@testable import Daemon
@testable import ipctl

/// The manual pages document every command, option, key and name of the programs.
struct CompletenessTests {
    private static let commands: [Help.Command] =
        ((try? Help.of("ipctl"))?.subcommands ?? []).filter(\.shouldDisplay)
    /// The options of all commands, which are documented once.
    private static let everywhere: Set<String> = [
        "Fl Fl socket", "Fl Fl timeout", "Fl Fl json", "Fl Fl utc", "Fl Fl no-pager", "Fl Fl version", "Fl Fl help",
        "Fl h",
    ]

    /// The sections with options of several commands, and how the heading of such a command mentions them.
    private static let sections = [
        (mention: "Ar filters", name: "Filters"), (mention: "Ar output options", name: "Row output"),
    ]

    @Test func `the options of all commands are documented`() throws {
        let options = try #require(try Page("ipctl.1").section("Options"))
        for option in Self.everywhere { #expect(options.contains(option), "\(option)") }
        #expect(Set(try Help.of("ipctl").options).isSubset(of: Self.everywhere))
    }

    @Test(arguments: commands.map(\.commandName))
    func `each command is documented with its options`(name: String) throws {
        let page = try Page("ipctl.1")
        let command = try #require(Self.commands.first { $0.commandName == name })
        let items = page.items
        let starts = items.indices.filter { " \(items[$0].heading) ".contains(" Cm \(name) ") }
        #expect(!starts.isEmpty, "ipctl.1 does not document ipctl \(name)")
        // The options of a command are separate items after it, which begin with Fl. Those of several commands are in a
        // section, which the heading of the command mentions.
        let own = starts.map { start in
            let below = items[(start + 1)...].prefix { $0.heading.hasPrefix(".It Fl ") }
            return ([items[start]] + below).map { "\($0.heading)\n\($0.body)" }.joined()
        }.joined()
        let shared = Self.sections.filter { section in starts.contains { items[$0].heading.contains(section.mention) } }
        let text = own + shared.map { page.section($0.name) ?? "" }.joined()
        for option in command.options where !Self.everywhere.contains(option) {
            #expect(text.contains("\(option) ") || text.contains("\(option)\n"), "\(option)")
        }
    }

    @Test func `the help lists the commands`() {
        #expect(Self.commands.count >= 6)
    }

    @Test func `states, kinds of events and failures, and fields are documented`() throws {
        let page = try Page("ipctl.1")
        let (states, events) = (page.section("States"), page.section("Events"))
        for state in EntryState.allCases { #expect(page.names(state.rawValue, in: states ?? ""), "\(state)") }
        for kind in Failure.Kind.allCases { #expect(page.names(kind.rawValue, in: states ?? ""), "\(kind)") }
        for kind in PublishedEvent.Kind.allCases { #expect(page.names(kind.rawValue, in: events ?? ""), "\(kind)") }
        for field in FieldValues.names { #expect(page.names(field, in: page.section("Fields") ?? ""), "\(field)") }
    }

    @Test func `the manual page and the help text list the same exit statuses`() throws {
        let numbers = [0, 1, 64, 65, 68, 69, 70, 75, 77, 130]
        let page = try #require(try Page("ipctl.1").section("EXIT STATUS"))
        #expect(page.matches(of: #/(?m)^\.It (\d+)$/#).compactMap { Int($0.1) } == numbers)
        let help = try Tool.run([BuiltProgram.path("ipctl"), "--help"]).output
        let described = help.components(separatedBy: "Exit status: ").last?.components(separatedBy: "\n\n").first ?? ""
        #expect(described.matches(of: #/(?:^|;\s)(\d+)\s/#).compactMap { Int($0.1) } == numbers)
    }

    @Test(arguments: ["iprecordd", "iprecord-web"])
    func `the options of the servers are documented`(name: String) throws {
        let page = try Page("\(name).8")
        for option in try Help.of(name).options {
            #expect(page.items.contains { $0.heading.contains(option) }, "\(option)")
        }
    }

    @Test func `each kind of alert is documented with its MESSAGE_ID`() throws {
        let items = try Page("iprecordd.8").items
        for id in MessageID.allCases {
            let item = items.first { $0.heading.contains("Cm \(id.rawValue) ") }
            #expect(item?.heading.contains(id.text) == true, "\(id)")
        }
    }

    /// The defaults are those in the shipped configuration file, which has every key.
    @Test(arguments: Configuration.sections.keys.sorted())
    func `each key of the configuration is documented with its default`(section: String) throws {
        let page = try #require(try Page("iprecordd.toml.5").section("Section \(section)"))
        let shipped = try String(contentsOf: Page.top.appending(path: "etc/iprecordd.toml"), encoding: .utf8)
        let all = shipped.components(separatedBy: "\n[").first { $0.hasPrefix("\(section)]") } ?? ""
        for key in try #require(Configuration.sections[section]).keys.sorted() {
            let value = try #require(
                all.split(separator: "\n").last { $0.hasPrefix("#\(key) = ") }?.dropFirst("#\(key) = ".count))
            let described =
                value.hasPrefix("\"") ? "Qq \(value.dropFirst().dropLast())" : value.replacing("\"", with: "\\(dq")
            let heading = ".It Cm \(key) No = \(described)".trimmingCharacters(in: .whitespaces)
            #expect(page.split(separator: "\n").contains(Substring(heading)), "\(heading)")
        }
    }

    @Test func `only existing keys are documented`() throws {
        for section in Configuration.sections.keys {
            let described = try #require(try Page("iprecordd.toml.5").section("Section \(section)"))
            let keys = described.matches(of: #/\.It Cm ([a-z-]+) /#).map { String($0.1) }
            #expect(Set(keys) == Set(try #require(Configuration.sections[section]).keys), "[\(section)]")
        }
    }
}
