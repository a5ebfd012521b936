# iprecord: what there is to do. The Swift package manager does the building; this is the front door.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help packages build release deb package dist test test-all print-stages simulate-change test-package test-sandbox test-release test-tsan test-asan try simulate simulate-mutants torture siege siege-short fuzz bench bench-curve transcript lint format install uninstall clean

# The packages needed beside a Swift 6.3 toolchain: to build, and to test.
BUILD_PACKAGES := libsqlite3-dev libsystemd-dev pkg-config
TEST_PACKAGES := ca-certificates curl dbus fish groff iproute2 jq man-db mandoc openssl procps python3 python3-pip sqlite3 systemd util-linux zsh

# What making a Debian package takes, and checking it.
DEB_PACKAGES := debhelper lintian

# The packages that are needed to install it in throwaway Debian systems.
ROOT_PACKAGES := debian-archive-keyring debootstrap util-linux

# What it is measured beside.
BENCH_PACKAGES := python3 python3-requests redis-server redis-tools sqlite3

# What playing with it takes.
TRY_PACKAGES := curl sqlite3

# The only flags for release builds: different flags would rebuild every module.
RELEASE := swift build -c release --static-swift-stdlib

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
# The targets that test-all makes, in this order.
STAGES := test dist test-package simulate-change siege-short
VERSION := $(shell sed -n 's/.* version = "\(.*\)"/\1/p' Sources/ipctl/Ipctl.swift)
DIST := .build/dist
DIST_NAME = iprecord-$(VERSION)-linux-$(shell uname -m)
# The time of the last commit, for each file of the tarball.
SOURCE_TIME = $(shell git log -1 --format=%ct 2>/dev/null || date +%s)
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

# Replaces the default paths in a unit with the installed ones.
SUBSTITUTE = sed -e 's|/usr/sbin/|$(sbindir)/|' -e 's|/etc/iprecord/|$(sysconfdir)/iprecord/|'

# The manual pages, each with its section at the end of its name.
PAGES := ipctl.1 iprecordd.toml.5 iprecord.watch.5 iprecordd.8

help: ## Show this list.
	@echo "iprecord: make TARGET"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

packages: ## Install the system packages that building needs, where they are missing.
	@scripts/install-packages $(BUILD_PACKAGES)

build: packages ## Build everything for development.
	swift build $(WALLS)

release: packages ## Build the programs as they are installed, with the Swift runtime in them.
	@mkdir -p .build/static
	@ln -sf "$$(clang++ -print-file-name=libstdc++.a)" .build/static/
	$(RELEASE) --product iprecordd
	$(RELEASE) --product ipctl
	completions/generate .build/release/ipctl .build/completions
	notices/generate .build/checkouts .build/NOTICE

deb: packages ## Make a Debian package in .build/deb, and check it with lintian.
	@scripts/install-packages $(DEB_PACKAGES)
	$(MAKE) package
	lintian --fail-on error,warning .build/deb/iprecord_*.deb

package:
	@debian/rules clean
	debian/rules binary
	@debian/rules clean

dist: deb ## Make the files of a release in .build/dist: the package, a tarball and checksums.
	rm -rf $(DIST)
	$(MAKE) --silent install DESTDIR=$(DIST)/$(DIST_NAME) prefix=/usr/local
	strip --strip-all $(DIST)/$(DIST_NAME)/usr/local/sbin/iprecordd $(DIST)/$(DIST_NAME)/usr/local/bin/ipctl
	tar --create --gzip --file $(DIST)/$(DIST_NAME).tar.gz --directory $(DIST) --format=gnu --sort=name \
	  --owner=0 --group=0 --numeric-owner --mtime=@$(SOURCE_TIME) $(DIST_NAME)
	rm -rf $(DIST)/$(DIST_NAME)
	cp .build/deb/iprecord_$(VERSION)_*.deb $(DIST)
	cd $(DIST) && sha256sum iprecord* >SHA256SUMS
	@scripts/dist-test $(DIST)

test: ## Build and run every test (installs what they need).
	@scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@scripts/install-varlink
	swift build --build-tests $(WALLS)
	@scripts/unit-tests
	@scripts/test-lanes

test-all: ## Run every check of a change: make test, then the package, the simulation and bad clients. Needs root.
	@scripts/stages $(STAGES)

# Seeds of the simulation in a check of every change.
simulate-change: export SEEDS := 200
simulate-change:
	@$(MAKE) --no-print-directory simulate

print-stages:
	@echo $(STAGES)

test-package: release ## Install, upgrade and purge the package (after make dist) in throwaway Debian systems. Needs root.
	@scripts/install-packages $(ROOT_PACKAGES)
	$(RELEASE) --product ip-api-stand-in
	@scripts/package-tests

test-sandbox: ## Run the end-to-end tests (after make test) with each daemon in the sandbox of its unit. Needs root.
	@scripts/sandboxed-tests

test-release: release ## Run the end-to-end tests (after make test) against the programs as they are installed, sandboxed and not.
	$(RELEASE) --product ip-api-stand-in
	IPRECORD_PROGRAMS=$(CURDIR)/.build/release swift test --skip-build --filter EndToEndTests --no-parallel
	IPRECORD_PROGRAMS=$(CURDIR)/.build/release scripts/sandboxed-tests

bench: release ## Measure it beside what people would use instead: a table of ratios. Takes three quarters of an hour.
	@scripts/install-packages $(BENCH_PACKAGES)
	$(RELEASE) --product ip-api-stand-in
	$(RELEASE) --product load
	@Tests/Bench/bench

bench-curve: release ## Measure how cost grows with the number of addresses, and draw it.
	@scripts/install-packages $(BENCH_PACKAGES)
	$(RELEASE) --product ip-api-stand-in
	$(RELEASE) --product load
	@Tests/Bench/bench --curve .build/curve.svg

test-tsan: ## Run every test with everything built under the thread sanitizer. Takes half an hour.
	@scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@scripts/install-varlink
	@scripts/sanitized-tests thread

test-asan: ## The same under the address sanitizer.
	@scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@scripts/install-varlink
	@scripts/sanitized-tests address

try: ## Start the daemon with a mock provider in a temporary directory. PROVIDER=URL uses the real one.
	@scripts/install-packages $(BUILD_PACKAGES) $(TRY_PACKAGES)
	@scripts/try $(PROVIDER)

simulate: packages ## Run the core through simulated time: SEEDS=1000 HOURS=24 FROM=1.
	$(RELEASE) --product simulate
	.build/release/simulate --seeds $(SEEDS) --hours $(HOURS) --from $(FROM)

simulate-mutants: packages ## Plant mistakes in a copy of the core: the simulation has to catch each.
	@scripts/simulate-mutants

torture: release ## Kill the daemon at random moments under load, with and without a power loss: ROUNDS=1000.
	$(RELEASE) --product ip-api-stand-in
	scripts/torture --rounds $(ROUNDS)
	scripts/torture --rounds $(ROUNDS) --power-loss

siege: release ## Do to the socket what bad clients do, and measure how others fare meanwhile.
	$(RELEASE) --product ip-api-stand-in
	scripts/siege

siege-short: release ## The same in a minute and a half.
	$(RELEASE) --product ip-api-stand-in
	scripts/siege --short

fuzz: packages ## Give random inputs to whatever takes apart foreign bytes: SECONDS=60 for each target.
	@SECONDS_EACH=$(SECONDS) scripts/fuzz

transcript: packages ## Run commands of ipctl, and write their output into README.md and docs/transcript.md.
	swift build --product iprecordd
	swift build --product ipctl
	swift build --product ip-api-stand-in
	@scripts/transcript

lint: ## Check the formatting, and that the mistakes of simulate-mutants still fit the sources.
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	@scripts/install-packages python3
	@scripts/simulate-mutants --check

format: ## Format the sources.
	swift format format --in-place --recursive --parallel Package.swift Sources Tests

install: ## Install into DESTDIR (after make release).
	install -D -m 0755 $(PROGRAMS)/iprecordd $(DESTDIR)$(sbindir)/iprecordd
	install -D -m 0755 $(PROGRAMS)/ipctl $(DESTDIR)$(bindir)/ipctl
	install -d -m 0755 $(DESTDIR)$(unitdir)
	$(SUBSTITUTE) systemd/iprecordd.service >$(DESTDIR)$(unitdir)/iprecordd.service
	chmod 0644 $(DESTDIR)$(unitdir)/iprecordd.service
	install -D -m 0644 systemd/iprecordd.socket $(DESTDIR)$(unitdir)/iprecordd.socket
	install -D -m 0644 systemd/iprecordd-254.conf $(DESTDIR)$(docdir)/iprecordd-254.conf
	install -D -m 0644 systemd/iprecordd-socket-258.conf $(DESTDIR)$(docdir)/iprecordd-socket-258.conf
	install -D -m 0644 systemd/iprecord.catalog $(DESTDIR)$(catalogdir)/iprecord.catalog
	install -D -m 0644 systemd/iprecordd.sysusers $(DESTDIR)$(prefix)/lib/sysusers.d/iprecord.conf
	install -D -m 0644 LICENSE $(DESTDIR)$(docdir)/LICENSE
	install -D -m 0644 .build/NOTICE $(DESTDIR)$(docdir)/NOTICE
	for page in $(PAGES); do \
	  install -D -m 0644 man/$$page $(DESTDIR)$(mandir)/man$${page##*.}/$$page || exit; \
	done
	install -D -m 0644 .build/completions/ipctl.bash $(DESTDIR)$(bashcompletiondir)/ipctl
	install -D -m 0644 .build/completions/_ipctl $(DESTDIR)$(zshcompletiondir)/_ipctl
	install -D -m 0644 .build/completions/ipctl.fish $(DESTDIR)$(fishcompletiondir)/ipctl.fish
	install -d -m 0755 $(DESTDIR)$(sysconfdir)/iprecord/watch.d
	[ -e $(DESTDIR)$(sysconfdir)/iprecord/iprecordd.toml ] || \
	  install -D -m 0644 etc/iprecordd.toml $(DESTDIR)$(sysconfdir)/iprecord/iprecordd.toml

uninstall: ## Stop the service, and remove what install put there; configuration and records stay.
	@if [ -z "$(DESTDIR)" ] && [ -e $(unitdir)/iprecordd.service ] && [ -d /run/systemd/system ]; then \
	  systemctl disable --now iprecordd.socket iprecordd.service; \
	fi
	rm -f $(DESTDIR)$(sbindir)/iprecordd $(DESTDIR)$(bindir)/ipctl
	rm -f $(DESTDIR)$(unitdir)/iprecordd.service $(DESTDIR)$(unitdir)/iprecordd.socket
	rm -f $(DESTDIR)$(prefix)/lib/sysusers.d/iprecord.conf $(DESTDIR)$(catalogdir)/iprecord.catalog
	rm -f $(DESTDIR)$(docdir)/iprecordd-254.conf $(DESTDIR)$(docdir)/iprecordd-socket-258.conf \
	  $(DESTDIR)$(docdir)/LICENSE $(DESTDIR)$(docdir)/NOTICE
	[ ! -d $(DESTDIR)$(docdir) ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$(docdir)
	for page in $(PAGES); do rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$$page; done
	rm -f $(DESTDIR)$(bashcompletiondir)/ipctl $(DESTDIR)$(zshcompletiondir)/_ipctl
	rm -f $(DESTDIR)$(fishcompletiondir)/ipctl.fish
	@if [ -z "$(DESTDIR)" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi

clean: ## Remove what was built.
	rm -rf .build
