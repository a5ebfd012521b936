import Testing

@testable import ipctl

@Suite struct PagerChoiceTests {
    private static func choice(_ environment: [String: String]) -> PagerChoice {
        PagerChoice { environment[$0] }
    }

    @Test func `IPCTL_PAGER precedes PAGER, and less is the default`() {
        #expect(Self.choice(["IPCTL_PAGER": "most -s", "PAGER": "more"]).command == "most -s")
        #expect(Self.choice(["PAGER": "more"]).command == "more")
        #expect(Self.choice(["PAGER": "more"]).isLess == false)
        #expect(Self.choice([:]).command == PagerChoice.less)
        #expect(Self.choice([:]).isLess)
    }

    @Test(arguments: ["less", "/usr/bin/less", "less -S"]) func `less is recognised by its name`(command: String) {
        #expect(Self.choice(["PAGER": command]).isLess)
    }

    @Test func `an empty value or cat means no pager`() {
        for none in ["", "cat"] {
            #expect(Self.choice(["IPCTL_PAGER": none, "PAGER": "more"]).command == nil)
            #expect(Self.choice(["PAGER": none]).command == nil)
            #expect(Self.choice(["PAGER": none, "SUDO_UID": "1000"]).command == nil)
        }
    }

    @Test func `under sudo, the pager is less in secure mode`() {
        for environment in [["SUDO_UID": "1000"], ["SUDO_UID": "1000", "PAGER": "sh", "IPCTL_PAGER": "sh"]] {
            let choice = Self.choice(environment)
            #expect(choice.command == PagerChoice.less)
            #expect(choice.isLess)
            #expect(choice.isSecure)
        }
        #expect(!Self.choice([:]).isSecure)
    }
}
