import Foundation
import Testing

/// The Debian package, made of the programs that were built for the tests, and a systemd to install it in.
enum Package {
    /// The package's file; made once.
    static let file: Result<String, any Error> = Result {
        let programs = Rig.programs
        let folder = URL(fileURLWithPath: programs).deletingLastPathComponent().path + "/package"
        let made = try Program.run(
            [
                "/usr/bin/env", "DEB_BUILD_OPTIONS=nostrip", "make", "--silent", "--directory", Service.top, "package",
                "PROGRAMS=\(programs)", "DESTINATION=\(folder)", "COMPRESSION=-Znone",
            ])
        try #require(made.status == 0, "\(made.output)\(made.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".deb") }
        return folder + "/" + (try #require(files.first))
    }

    /// What every script starts with: nothing of the package is there, and a stand-in listens at 10.99.0.1.
    private static let prologue = """
        programs=$0 package=$1
        as_anyone() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
        use_stand_in() {
            printf '[provider]\\nendpoint = "http://10.99.0.1:8080"\\n' > /etc/iprecord/iprecordd.toml
            systemctl restart iprecordd
        }
        export DEBIAN_FRONTEND=noninteractive
        rm -f /usr/sbin/policy-rc.d
        ip addr add 10.99.0.1/32 dev lo
        exec 3< <(exec "$programs/ip-api-stand-in" --bind 0.0.0.0:8080 --single-quota none --batch-quota none)
        read -r -u 3 line
        find_ours() {
            find / -xdev \\( -path "$programs" -o -path /tmp \\) -prune \\
                -o \\( -name '*iprecord*' -o -name 'ipctl*' \\) -print | sort
        }
        # What is of this name on the machine itself.
        find_ours > /before

        """

    /// Runs a script of bash(1) in a guest of its own.
    static func run(_ script: String) throws -> (status: Int32, output: String, errors: String) {
        let package = try file.get()
        let programs = Rig.programs
        return try Program.run(
            [Service.tool, "--timeout", "120", "--copy", package + ":/iprecord.deb", "--bind", programs]
                + Sanitizer.binding
                + ["--", "/bin/bash", "-euc", Sanitizer.drop + prologue + script, programs, "/iprecord.deb"])
    }
}
