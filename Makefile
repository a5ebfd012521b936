# iprecord: what there is to do. The Swift package manager does the building; this is the front door.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help packages build release deb package test test-sandbox test-release test-tsan test-asan try simulate simulate-mutants torture siege fuzz bench bench-curve transcript lint format install uninstall clean

# What has to be installed, beside a Swift 6 toolchain: to build, and to test.
BUILD_PACKAGES := libsqlite3-dev libsystemd-dev pkg-config
TEST_PACKAGES := ca-certificates curl dbus debhelper fish groff iproute2 jq man-db mandoc openssl procps python3 python3-pip sqlite3 systemd util-linux zsh

# What making a Debian package takes, and checking it.
DEB_PACKAGES := debhelper lintian

# What it is measured beside.
BENCH_PACKAGES := python3 python3-requests redis-server redis-tools sqlite3

# What playing with it takes.
TRY_PACKAGES := curl sqlite3

# A module may import only what Package.swift says it depends on.
WALLS := --explicit-target-dependency-import-check error

PROVIDER ?=
SEEDS ?= 100
HOURS ?= 24
FROM ?= 1
ROUNDS ?= 100
SECONDS ?= 60
# Where the programs are that are installed.
PROGRAMS ?= .build/release
prefix ?= /usr
sysconfdir ?= /etc
bindir ?= $(prefix)/bin
sbindir ?= $(prefix)/sbin
unitdir ?= $(prefix)/lib/systemd/system
catalogdir ?= $(prefix)/lib/systemd/catalog
datadir ?= $(prefix)/share
docdir ?= $(datadir)/doc/iprecord
mandir ?= $(datadir)/man
bashcompletiondir ?= $(datadir)/bash-completion/completions
# Debian's zsh looks for what packages bring in a folder of its own.
zshcompletiondir ?= $(datadir)/zsh/$(if $(and $(filter /usr,$(prefix)),$(wildcard /etc/debian_version)),vendor-completions,site-functions)
fishcompletiondir ?= $(datadir)/fish/vendor_completions.d

# The manual pages, each with its section at the end of its name.
PAGES := ipctl.1 iprecordd.toml.5 iprecord.watch.5 iprecordd.8

help: ## Show this list.
	@echo "iprecord: make TARGET"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

packages: ## Install the system packages that building needs, where they are missing.
	@Tests/Support/install-packages $(BUILD_PACKAGES)

build: packages ## Build everything for development.
	swift build $(WALLS)

release: packages ## Build the programs as they are installed, with the Swift runtime in them.
	swift build -c release --static-swift-stdlib --product iprecordd
	swift build -c release --static-swift-stdlib --product ipctl
	completions/generate .build/release/ipctl .build/completions

deb: packages ## Make a Debian package in .build/deb, and check it with lintian.
	@Tests/Support/install-packages $(DEB_PACKAGES)
	$(MAKE) package
	lintian --fail-on error,warning .build/deb/iprecord_*.deb

package:
	@debian/rules clean
	debian/rules binary
	@debian/rules clean

test: ## Build and run every test (installs what they need).
	@Tests/Support/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@Tests/Support/install-varlink
	swift build --build-tests $(WALLS)
	swift test --skip-build --skip EndToEndTests
	swift test --skip-build --filter EndToEndTests --no-parallel

test-sandbox: ## Run the end-to-end tests (after make test) with each daemon in the sandbox of its unit. Needs root.
	@Tests/Support/sandboxed-tests

test-release: release ## Run the end-to-end tests (after make test) against the programs as they are installed, sandboxed and not.
	swift build -c release --product ip-api-stand-in
	IPRECORD_PROGRAMS=$(CURDIR)/.build/release swift test --skip-build --filter EndToEndTests --no-parallel
	IPRECORD_PROGRAMS=$(CURDIR)/.build/release Tests/Support/sandboxed-tests

bench: release ## Measure it beside what people would use instead: a table of ratios. Takes three quarters of an hour.
	@Tests/Support/install-packages $(BENCH_PACKAGES)
	swift build -c release --static-swift-stdlib --product ip-api-stand-in
	swift build -c release --static-swift-stdlib --product load
	@Tests/Bench/bench

bench-curve: release ## Measure how cost grows with the number of addresses, and draw it.
	@Tests/Support/install-packages $(BENCH_PACKAGES)
	swift build -c release --static-swift-stdlib --product ip-api-stand-in
	swift build -c release --static-swift-stdlib --product load
	@Tests/Bench/bench --curve .build/curve.svg

test-tsan: ## Run every test with everything built under the thread sanitizer. Takes half an hour.
	@Tests/Support/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@Tests/Support/install-varlink
	@Tests/Support/sanitized-tests thread

test-asan: ## The same under the address sanitizer.
	@Tests/Support/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@Tests/Support/install-varlink
	@Tests/Support/sanitized-tests address

try: ## Try it: a daemon against a stand-in for ip-api.com, in a temporary folder. PROVIDER=URL for the real one.
	@Tests/Support/install-packages $(BUILD_PACKAGES) $(TRY_PACKAGES)
	@Tests/Support/try $(PROVIDER)

simulate: packages ## Run the core through simulated time: SEEDS=1000 HOURS=24 FROM=1.
	swift build -c release --product simulate
	.build/release/simulate --seeds $(SEEDS) --hours $(HOURS) --from $(FROM)

simulate-mutants: packages ## Plant mistakes in a copy of the core: the simulation has to catch each.
	@Tests/Support/simulate-mutants

torture: release ## Kill the daemon at random moments under load, with and without a power loss: ROUNDS=1000.
	swift build -c release --product ip-api-stand-in
	Tests/Support/torture --rounds $(ROUNDS)
	Tests/Support/torture --rounds $(ROUNDS) --power-loss

siege: release ## Do to the socket what bad clients do, and measure how others fare meanwhile.
	swift build -c release --product ip-api-stand-in
	Tests/Support/siege

fuzz: packages ## Give random inputs to whatever takes apart foreign bytes: SECONDS=60 for each target.
	@SECONDS_EACH=$(SECONDS) Tests/Support/fuzz

transcript: packages ## Run every command of ipctl, and write what it shows into README.md.
	swift build --product iprecordd
	swift build --product ipctl
	swift build --product ip-api-stand-in
	@Tests/Support/transcript

lint: ## Check the formatting.
	swift format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## Format the sources.
	swift format format --in-place --recursive --parallel Package.swift Sources Tests

install: ## Install into DESTDIR (after make release).
	install -D -m 0755 $(PROGRAMS)/iprecordd $(DESTDIR)$(sbindir)/iprecordd
	install -D -m 0755 $(PROGRAMS)/ipctl $(DESTDIR)$(bindir)/ipctl
	install -D -m 0644 systemd/iprecordd.service $(DESTDIR)$(unitdir)/iprecordd.service
	install -D -m 0644 systemd/iprecordd.socket $(DESTDIR)$(unitdir)/iprecordd.socket
	install -D -m 0644 systemd/iprecordd-254.conf $(DESTDIR)$(docdir)/iprecordd-254.conf
	install -D -m 0644 systemd/iprecord.catalog $(DESTDIR)$(catalogdir)/iprecord.catalog
	install -D -m 0644 systemd/iprecordd.sysusers $(DESTDIR)$(prefix)/lib/sysusers.d/iprecord.conf
	for page in $(PAGES); do \
	  install -D -m 0644 man/$$page $(DESTDIR)$(mandir)/man$${page##*.}/$$page || exit; \
	done
	install -D -m 0644 .build/completions/ipctl.bash $(DESTDIR)$(bashcompletiondir)/ipctl
	install -D -m 0644 .build/completions/_ipctl $(DESTDIR)$(zshcompletiondir)/_ipctl
	install -D -m 0644 .build/completions/ipctl.fish $(DESTDIR)$(fishcompletiondir)/ipctl.fish
	install -d -m 0755 $(DESTDIR)$(sysconfdir)/iprecord/watch.d
	[ -e $(DESTDIR)$(sysconfdir)/iprecord/iprecordd.toml ] || \
	  install -D -m 0644 etc/iprecordd.toml $(DESTDIR)$(sysconfdir)/iprecord/iprecordd.toml

uninstall: ## Remove what install put there; configuration and records stay.
	rm -f $(DESTDIR)$(sbindir)/iprecordd $(DESTDIR)$(bindir)/ipctl
	rm -f $(DESTDIR)$(unitdir)/iprecordd.service $(DESTDIR)$(unitdir)/iprecordd.socket
	rm -f $(DESTDIR)$(prefix)/lib/sysusers.d/iprecord.conf $(DESTDIR)$(catalogdir)/iprecord.catalog
	rm -f $(DESTDIR)$(docdir)/iprecordd-254.conf
	for page in $(PAGES); do rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$$page; done
	rm -f $(DESTDIR)$(bashcompletiondir)/ipctl $(DESTDIR)$(zshcompletiondir)/_ipctl
	rm -f $(DESTDIR)$(fishcompletiondir)/ipctl.fish

clean: ## Remove what was built.
	rm -rf .build
