import Foundation
import RecordKeeping
import TestSupport
import Testing

/// The generated completions in their shells.
@Suite(GeneratedCompletions()) struct ShellTests {
    /// The generated scripts.
    private let scripts: TemporaryFolder
    private let folder: TemporaryFolder

    private static let (bash, zsh, fish, timeout) = ("/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/usr/bin/timeout")
    private static func isInstalled(_ shell: String) -> Bool {
        if FileManager.default.isExecutableFile(atPath: shell) { return true }
        print("SKIPPED: there is no \(shell), so its completion is not tested: make test installs it")
        return false
    }

    init() throws {
        scripts = try #require(GeneratedCompletions.folder)
        folder = try TemporaryFolder()
    }

    /// A program that finds ipctl, and its daemon at a socket.
    private static func run(_ command: [String], socket: String = "/nowhere.sock") throws -> BuiltIpctl.Ended {
        let environment = [
            "PATH": "\(BuiltIpctl.programs):/usr/bin:/bin", "IPRECORD_SOCKET": socket, "HOME": "/nonexistent",
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
        ]
        // A hanging shell is killed, because the threads of a test may block other signals.
        return try BuiltIpctl.run(command: [timeout, "--signal=KILL", "30"] + command, environment: environment)
    }

    @Test(
        arguments: [
            (bash, "ipctl.bash"), (zsh, "_ipctl"), (fish, "ipctl.fish"),
            (bash, "iprecordd.bash"), (zsh, "_iprecordd"), (fish, "iprecordd.fish"),
        ])
    func `each shell accepts its script`(shell: String, script: String) throws {
        guard Self.isInstalled(shell) else { return }
        #expect(try Self.run([shell, "-n", scripts.file(script)]) == .init(status: 0, output: "", errors: ""))
    }

    // MARK: bash

    /// Returns the completions of bash for a line, with its words split as in bash, at colons too.
    private func matching(_ line: String, _ words: [String], server: WireServer? = nil) throws -> [String] {
        let script = """
            source "$0" || exit
            COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
            _ipctl_with_colons ipctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let ended = try Self.run(
            [Self.bash, "--norc", "-c", script, scripts.file("ipctl.bash"), line] + words,
            socket: server?.path ?? "/nowhere.sock")
        #expect(ended.errors == "")
        return ended.output.split(separator: "\n").map(String.init)
    }

    @Test func `bash suggests commands and options`() throws {
        #expect(try matching("ipctl mon", ["ipctl", "mon"]) == ["monitor"])
        #expect(
            Set(try matching("ipctl ", ["ipctl", ""])).isSuperset(of: ["add", "remove", "show", "status", "doctor"]))
        #expect(try matching("ipctl monitor --cu", ["ipctl", "monitor", "--cu"]) == ["--cursor-file"])
        #expect(try matching("ipctl --soc", ["ipctl", "--soc"]) == ["--socket"])
    }

    @Test func `bash suggests kinds and fields`() throws {
        let kinds = try matching("ipctl monitor --kind network", ["ipctl", "monitor", "--kind", "network"])
        #expect(kinds == ["networkLost", "networkRestored"])
        let line = "ipctl show 1.1.1.1 --field countryC"
        #expect(try matching(line, line.split(separator: " ").map(String.init)) == ["countryCode"])
        let all = try matching("ipctl monitor --kind ", ["ipctl", "monitor", "--kind", ""])
        #expect(all == PublishedEvent.Kind.allCases.map(\.rawValue))
    }

    @Test(
        arguments: [
            ("ipctl outages --columns since,def", ["since,deferred"]), ("ipctl outages --sort def", ["deferred"]),
            ("ipctl monitor --columns at,k", ["at,kind"]), ("ipctl history --sort fi", ["field"]),
            ("ipctl list --columns address,watchedU", ["address,watchedUntil"]),
            ("ipctl list --sort is", ["isp"]), ("ipctl show --sort addr", ["address"]),
        ])
    func `bash suggests the columns of the command`(line: String, columns: [String]) throws {
        #expect(try matching(line, line.split(separator: " ").map(String.init)) == columns)
    }

    @Test func `bash suggests files for file arguments`() throws {
        try folder.write("", to: "servers.txt")
        let line = "ipctl add --file \(folder.path)/serv"
        #expect(
            try matching(line, line.split(separator: " ").map(String.init)) == [folder.file("servers.txt")])
    }

    @Test func `bash suggests the options and the files of the daemon`() throws {
        try folder.write("", to: "iprecordd.toml")
        #expect(try daemonCompletions("iprecordd --ch") == ["--check"])
        #expect(
            try daemonCompletions("iprecordd --config \(folder.path)/iprecordd.t") == [folder.file("iprecordd.toml")])
    }

    private func daemonCompletions(_ line: String) throws -> [String] {
        let script = """
            source "$0" || exit
            COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($1)
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _iprecordd iprecordd "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let ended = try Self.run([Self.bash, "--norc", "-c", script, scripts.file("iprecordd.bash"), line])
        #expect(ended.errors == "")
        return ended.output.split(separator: "\n").map(String.init)
    }

    @Test func `bash suggests the addresses and the tags from the daemon`() throws {
        let addresses = try matching(
            "ipctl show 1.1.1.1 1.", ["ipctl", "show", "1.1.1.1", "1."], server: try WireServer([Watched.reply]))
        #expect(addresses == ["1.2.3.4"])
        let tags = try matching(
            "ipctl add --tag d", ["ipctl", "add", "--tag", "d"], server: try WireServer([Watched.reply]))
        #expect(tags == ["dev", "dns"])
        #expect(try matching("ipctl show 1.", ["ipctl", "show", "1."]) == [], "no daemon is running")
    }

    @Test(
        arguments: [
            ("ipctl show 2606:47", ["ipctl", "show", "2606", ":", "47"], ["4700:4700::1111"]),
            ("ipctl show 2606:4700:", ["ipctl", "show", "2606", ":", "4700", ":"], ["4700::1111"]),
            ("ipctl show 2606:4700:4700::", ["ipctl", "show", "2606", ":", "4700", ":", "4700", "::"], ["1111"]),
            ("ipctl show 1.1.1.1  2001:db8::", ["ipctl", "show", "1.1.1.1", "2001", ":", "db8", "::"], ["1"]),
            ("ipctl show 2", ["ipctl", "show", "2"], ["2001:db8::1", "2606:4700:4700::1111"]),
            (
                "ipctl show 2001:db8::1 2", ["ipctl", "show", "2001", ":", "db8", "::", "1", "2"],
                ["2606:4700:4700::1111"]
            ),
        ])
    func `bash replaces only the text after the last colon`(
        line: String, words: [String], offers: [String]
    ) throws {
        #expect(try matching(line, words, server: try WireServer([Watched.reply])) == offers)
    }

    // MARK: Typed

    private struct Shell {
        let path: String
        let options: String
        /// The kind of terminal, which has what the shell needs, and echoes input unchanged.
        var terminal = "dumb"
        /// Loads the completion and sets the prompt `go>`, spelled so that the echoed command does not match it.
        let setup: String
    }

    private var shells: [Shell] {
        [
            Shell(
                path: Self.bash, options: "--norc --noprofile -i",
                setup: "source \(scripts.path)/ipctl.bash; PS1='g'o'>'"),
            Shell(
                path: Self.zsh, options: "-f -i",
                setup: "fpath=(\(scripts.path) \\$fpath); autoload -Uz compinit; compinit -u -D; PS1='g'o'>'"),
            Shell(
                path: Self.fish, options: "--no-config -i", terminal: "xterm",
                setup: "source \(scripts.path)/ipctl.fish; function fish_prompt; echo -n g'o>'; end"),
        ]
    }

    /// Returns the output of a terminal after a text and the tab key, up to an expected text.
    ///
    /// The terminal is provided by zsh, for itself and for the other shells (zshmodules(1), zpty).
    private func typed(_ line: String, in shell: Shell, until awaited: String) throws
        -> String
    {
        let script = """
            zmodload zsh/zpty
            zpty -e shell "env TERM=\(shell.terminal) \(shell.path) \(shell.options)"
            zpty -w shell "\(shell.setup)"
            zpty -r shell seen '*go>*'
            zpty -w -n shell $'\(line)\\t'
            zpty -r shell seen '*\(awaited)*' && print -r -- "$seen"
            zpty -d shell
            """
        let server = try WireServer([Watched.reply])
        let ended = try Self.run([Self.zsh, "-f", "-c", script], socket: server.path)
        #expect(ended.status == 0, "\(shell.path): \(ended)")
        return ended.output
    }

    @Test(
        .enabled(if: isInstalled(zsh)),
        arguments: [
            ("show 2606:4700:4700::11", "2606:4700:4700::1111 "), ("show 2606:", "2606:4700:4700::1111 "),
            ("show 20", "2001:db8::1 "), ("show 1.1.1.1 1.", "1.2.3.4 "), ("add --tag pr", "prod "),
            ("monitor --kind networkL", "networkLost "), ("show --field countryC", "countryCode "), ("doc", "doctor "),
            ("history 2606:4700:4", "2606:4700:4700::1111 "), ("wait fresh 2001:db8:", "2001:db8::1 "),
            ("wait ch", "changed "), ("list --state st", "stale "), ("untag 1.1.1.1 -t pr", "prod "),
        ])
    func `each shell completes the whole word, even with colons`(typedPrefix: String, whole: String)
        throws
    {
        for shell in shells where Self.isInstalled(shell.path) {
            #expect(try typed("ipctl \(typedPrefix)", in: shell, until: whole).contains(whole), "\(shell.path)")
        }
    }
}
