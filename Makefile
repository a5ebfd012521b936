# Targets that build, test and install iprecord. The Swift Package Manager builds the programs.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help packages build release release-all deb package dist test test-all print-stages simulate-change test-package test-mmdb test-postgresql test-web bench-web test-sandbox test-release test-tsan test-asan try simulate simulate-large simulate-fleet simulate-fleet-short simulate-mutants model model-short torture siege siege-short check-instructions fuzz bench bench-curve transcript check-provider lint format install install-daemon install-web uninstall clean

# Packages for building and testing, in addition to a Swift 6.3 toolchain.
BUILD_PACKAGES := libmaxminddb-dev libsqlite3-dev libsystemd-dev pkg-config
TEST_PACKAGES := ca-certificates curl dbus fish groff iproute2 jq man-db mandoc mmdb-bin nftables openssl procps python3 python3-pip sqlite3 systemd util-linux zsh

# Packages for building and checking the Debian package.
DEB_PACKAGES := debhelper lintian

# Packages for creating throwaway Debian systems.
ROOT_PACKAGES := debian-archive-keyring debootstrap util-linux

# Programs that the benchmark compares with.
BENCH_PACKAGES := python3 python3-requests redis-server redis-tools sqlite3

# Programs for testing iprecord-web.
WEB_TEST_PACKAGES := chromium chromium-driver prometheus prometheus-node-exporter

# Readers of MMDB files.
MMDB_TEST_PACKAGES := libnginx-mod-http-geoip2 nginx-light python3 python3-pip

# The server of the tests of PostgreSQL and FleetStore, and the header with which the declarations are compared.
POSTGRESQL_TEST_PACKAGES := libpq-dev libpq5 openssl postgresql util-linux

# Packages for exploring the models in Tests/Model.
MODEL_PACKAGES := gcc libc6-dev spin

# Packages for make try.
TRY_PACKAGES := curl sqlite3

# The only flags for release builds: different flags would rebuild every module. See "Release builds know the metadata
# of generic types" in docs/decisions.md.
RELEASE := swift build -c release --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs

# A module may import only the dependencies that Package.swift declares.
WALLS := --explicit-target-dependency-import-check error

PROVIDER ?=
SEEDS ?= 100
HOURS ?= 24
FROM ?= 1
LARGE_SEEDS ?= 50
FLEET_SEEDS ?= 400
FLEET_HOURS ?= 2
ROUNDS ?= 100
SECONDS ?= 60
# The directory of the programs to install.
PROGRAMS ?= .build/release
# The targets that test-all makes, in this order. The models need one processor, and the tests of the package mostly wait.
STAGES := test test-mmdb test-postgresql test-web release-all dist test-package,model-short simulate-change simulate-fleet-short siege-short check-instructions
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
hookdir ?= $(prefix)/lib/iprecord/hooks
bashcompletiondir ?= $(datadir)/bash-completion/completions
# Debian's zsh reads the completions of packages from a separate directory.
zshcompletiondir ?= $(datadir)/zsh/$(if $(and $(filter /usr,$(prefix)),$(wildcard /etc/debian_version)),vendor-completions,site-functions)
fishcompletiondir ?= $(datadir)/fish/vendor_completions.d

# Replaces the default paths in a unit with the installed ones.
SUBSTITUTE = sed -e 's|/usr/sbin/iprecord|$(sbindir)/iprecord|' -e 's|/usr/bin/ipctl|$(bindir)/ipctl|' \
  -e 's|/usr/lib/iprecord/hooks/|$(hookdir)/|' -e 's|/etc/iprecord/|$(sysconfdir)/iprecord/|'

# The manual pages, each with its section at the end of its name.
PAGES := ipctl.1 iprecordd.toml.5 iprecord.watch.5 iprecord-hook.8 iprecordd.8
WEB_PAGES := iprecord-web.8

# The commands for iprecord-hook@.service, and their examples.
HOOKS := webhook mail nftables
HOOK_EXAMPLES := webhook.conf.example mail.conf.example mail.service.conf nftables.conf.example nftables.service.conf

# The installed programs. Each prints its completions.
COMMANDS := ipctl iprecordd iprecord-web

define install-completions
install -D -m 0644 .build/completions/$(1).bash $(DESTDIR)$(bashcompletiondir)/$(1)
	install -D -m 0644 .build/completions/_$(1) $(DESTDIR)$(zshcompletiondir)/_$(1)
	install -D -m 0644 .build/completions/$(1).fish $(DESTDIR)$(fishcompletiondir)/$(1).fish
endef

help: ## Show this list.
	@echo "usage: make TARGET"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

packages: ## Install missing system packages that the build needs.
	@scripts/install-packages $(BUILD_PACKAGES)

build: packages ## Build everything for development.
	swift build $(WALLS)

release: packages ## Build the programs for installation, with the Swift runtime linked statically.
	@mkdir -p .build/static
	@ln -sf "$$(clang++ -print-file-name=libstdc++.a)" .build/static/
	$(RELEASE) --product iprecordd
	$(RELEASE) --product ipctl
	$(RELEASE) --product iprecord-web
	for program in $(COMMANDS); do completions/generate .build/release/$$program .build/completions || exit; done
	notices/generate .build/checkouts .build/NOTICE

# One build of several programs uses all processors; the builds of single programs end with one module each.
release-all: packages ## Build all programs as for installation, also those for tests and measurements.
	@mkdir -p .build/static
	@ln -sf "$$(clang++ -print-file-name=libstdc++.a)" .build/static/
	$(RELEASE)

deb: packages ## Build the Debian packages in .build/deb, and check them with lintian.
	@scripts/install-packages $(DEB_PACKAGES)
	$(MAKE) package
	lintian --fail-on error,warning .build/deb/iprecord_*.deb .build/deb/iprecord-web_*.deb

package:
	@debian/rules clean
	debian/rules binary
	@debian/rules clean

dist: deb ## Build the release files in .build/dist: packages, tarball and checksums.
	rm -rf $(DIST)
	$(MAKE) --silent install DESTDIR=$(DIST)/$(DIST_NAME) prefix=/usr/local
	strip --strip-all $(addprefix $(DIST)/$(DIST_NAME)/usr/local/,sbin/iprecordd bin/ipctl sbin/iprecord-web)
	tar --create --gzip --file $(DIST)/$(DIST_NAME).tar.gz --directory $(DIST) --format=gnu --sort=name \
	  --owner=0 --group=0 --numeric-owner --mtime=@$(SOURCE_TIME) $(DIST_NAME)
	rm -rf $(DIST)/$(DIST_NAME)
	cp .build/deb/iprecord_$(VERSION)_*.deb .build/deb/iprecord-web_$(VERSION)_*.deb $(DIST)
	cd $(DIST) && sha256sum iprecord* >SHA256SUMS
	@scripts/dist-test $(DIST)

test: ## Build and run all tests; installs the packages that they need.
	@scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@scripts/install-varlink
	@scripts/install-mmdb-samples
	swift build --build-tests $(WALLS)
	@scripts/test-lanes unit
	@scripts/test-lanes end-to-end

test-all: ## Run all checks of a change: tests, package, simulation and hostile clients. Needs root.
	@scripts/stages $(STAGES)

# Seeds of the simulation in a check of every change, and two more seeds that once broke a promise: 1324, a call that was
# lost before its window's end was known was not counted in the next window; 9149, only one of two calls that arrived
# after a restart was counted.
simulate-change: export SEEDS := 150
simulate-change:
	@$(MAKE) --no-print-directory simulate
	.build/release/simulate --sabotage --seeds 60 --hours 3
	@for seed in 1324 9149; do .build/release/simulate --seeds 1 --from $$seed || exit; done

print-stages:
	@echo $(STAGES)

test-package: release ## Install, upgrade and purge the package (after make dist) in throwaway Debian systems. Needs root.
	@scripts/install-packages $(ROOT_PACKAGES)
	$(RELEASE) --product ip-api-stand-in
	@scripts/package-tests

test-mmdb: ## Compare random MMDB files (after make test), as other programs read them, with their content: SEEDS=8.
	@scripts/install-packages $(MMDB_TEST_PACKAGES)
	@scripts/mmdb-tests

test-postgresql: ## Run the tests of PostgreSQL and FleetStore (after make test), with servers in temporary directories.
	@scripts/install-packages $(POSTGRESQL_TEST_PACKAGES)
	@scripts/postgresql-tests

test-web: ## Run the tests of iprecord-web (after make test), with Chromium and Prometheus. Needs root.
	@scripts/install-packages $(TEST_PACKAGES) $(WEB_TEST_PACKAGES)
	@scripts/web-tests

bench-web: release ## Measure iprecord-web and its page with a million addresses.
	@scripts/install-packages $(WEB_TEST_PACKAGES)
	$(RELEASE) --product ip-api-stand-in
	@scripts/web-tests --bounds .build/release

test-sandbox: ## Run the end-to-end tests (after make test) with each daemon in the sandbox of its unit. Needs root.
	@scripts/sandboxed-tests

test-release: release ## Run the end-to-end tests (after make test) on the release programs, sandboxed and not.
	$(RELEASE) --product ip-api-stand-in
	IPRECORD_PROGRAMS=$(CURDIR)/.build/release swift test --skip-build --filter EndToEndTests --no-parallel
	IPRECORD_PROGRAMS=$(CURDIR)/.build/release scripts/sandboxed-tests

bench: release ## Measure performance beside alternative programs: 45 minutes. AGAINST=DIRECTORY of an earlier build: 10.
	@scripts/install-packages $(BENCH_PACKAGES)
	$(RELEASE) --product ip-api-stand-in
	$(RELEASE) --product load
	@Tests/Bench/bench $(if $(AGAINST),--against $(AGAINST))

bench-curve: release ## Measure and plot how cost grows with the number of addresses.
	@scripts/install-packages $(BENCH_PACKAGES)
	$(RELEASE) --product ip-api-stand-in
	$(RELEASE) --product load
	@Tests/Bench/bench --curve .build/curve.svg

test-tsan: ## Run the tests of modules with threads with the thread sanitizer. Takes half an hour.
	@scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES) $(POSTGRESQL_TEST_PACKAGES)
	@scripts/install-varlink
	@scripts/install-mmdb-samples
	@scripts/sanitized-tests thread

test-asan: ## Run all tests but those of the simulation with the address sanitizer.
	@scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES) $(POSTGRESQL_TEST_PACKAGES)
	@scripts/install-varlink
	@scripts/install-mmdb-samples
	@scripts/sanitized-tests address

try: ## Start the daemon with a mock provider in a temporary directory. PROVIDER=URL uses the real one.
	@scripts/install-packages $(BUILD_PACKAGES) $(TRY_PACKAGES)
	@scripts/try $(PROVIDER)

simulate: packages ## Run the core in simulated time: SEEDS=1000 HOURS=24 FROM=1.
	$(RELEASE) --product simulate
	.build/release/simulate --seeds $(SEEDS) --hours $(HOURS) --from $(FROM)

simulate-large: packages ## Run the core with 100,000 addresses and hundreds of clients: LARGE_SEEDS=50.
	$(RELEASE) --product simulate
	.build/release/simulate --large --seeds $(LARGE_SEEDS) --from $(FROM)

simulate-fleet: packages ## Run the fleet protocol in simulated time: FLEET_SEEDS=400 FLEET_HOURS=2 FROM=1.
	$(RELEASE) --product simulate-fleet
	.build/release/simulate-fleet --seeds $(FLEET_SEEDS) --hours $(FLEET_HOURS) --from $(FROM)

# About a minute on two cores. A hundred simulated hours or more would have to contain all faults.
simulate-fleet-short: export FLEET_SEEDS := 90
simulate-fleet-short: export FLEET_HOURS := 1
simulate-fleet-short: ## Run the fleet protocol in simulated time for about a minute.
	@$(MAKE) --no-print-directory simulate-fleet

simulate-mutants: packages ## Plant defects in a copy of the core, and check that the simulation detects each.
	@scripts/simulate-mutants

model: ## Explore all states of the models of the fleet's protocol, and check that they detect each planted defect.
	@scripts/install-packages $(MODEL_PACKAGES)
	@scripts/model

model-short: ## Explore the models with smaller bounds, and all of their mutants.
	@scripts/install-packages $(MODEL_PACKAGES)
	@scripts/model --short

torture: release ## Kill the daemon at random moments under load, with and without power loss: ROUNDS=1000.
	$(RELEASE) --product ip-api-stand-in
	scripts/torture --rounds $(ROUNDS)
	scripts/torture --rounds $(ROUNDS) --power-loss
	scripts/torture-migration --rounds $(ROUNDS)
	scripts/torture-migration --rounds $(ROUNDS) --power-loss

siege: release ## Abuse the control socket like hostile clients, and measure the effect on other clients.
	$(RELEASE) --product ip-api-stand-in
	scripts/siege

siege-short: release ## Run a short form of the siege, of 90 seconds.
	$(RELEASE) --product ip-api-stand-in
	scripts/siege --short

check-instructions: release ## Check how many instructions a refresh, a reply and a command take.
	@scripts/install-packages binutils python3 valgrind
	$(RELEASE) --product ip-api-stand-in
	@Tests/Bench/instructions

fuzz: packages ## Feed random inputs to all parsers of untrusted data: SECONDS=60 for each target.
	@SECONDS_EACH=$(SECONDS) scripts/fuzz

transcript: packages ## Run ipctl, and update README.md, docs/transcript.md, docs/enrich.md and docs/json.md.
	swift build --product iprecordd
	swift build --product ipctl
	swift build --product ip-api-stand-in
	@scripts/transcript
	@scripts/json-schema

check-provider: packages ## Compare the real provider with the mock provider, in 10 calls. PROVIDER=URL checks another one.
	swift build --product check-provider
	@.build/debug/check-provider $(PROVIDER)

lint: ## Check the formatting and the length of lines, and that the defects of simulate-mutants still apply to the sources.
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	@scripts/install-packages python3
	@scripts/check-lines
	@scripts/simulate-mutants --check

format: ## Format the sources.
	swift format format --in-place --recursive --parallel Package.swift Sources Tests

install: install-daemon install-web ## Install into DESTDIR (after make release).

# The Debian packages iprecord and iprecord-web contain the files of these targets.
install-daemon:
	install -D -m 0755 $(PROGRAMS)/iprecordd $(DESTDIR)$(sbindir)/iprecordd
	install -D -m 0755 $(PROGRAMS)/ipctl $(DESTDIR)$(bindir)/ipctl
	install -d -m 0755 $(DESTDIR)$(unitdir)
	$(SUBSTITUTE) systemd/iprecordd.service >$(DESTDIR)$(unitdir)/iprecordd.service
	chmod 0644 $(DESTDIR)$(unitdir)/iprecordd.service
	install -D -m 0644 systemd/iprecordd.socket $(DESTDIR)$(unitdir)/iprecordd.socket
	$(SUBSTITUTE) systemd/iprecord-mmdb.service >$(DESTDIR)$(unitdir)/iprecord-mmdb.service
	chmod 0644 $(DESTDIR)$(unitdir)/iprecord-mmdb.service
	install -D -m 0644 systemd/iprecord-mmdb.timer $(DESTDIR)$(unitdir)/iprecord-mmdb.timer
	$(SUBSTITUTE) systemd/iprecord-hook@.service >$(DESTDIR)$(unitdir)/iprecord-hook@.service
	chmod 0644 $(DESTDIR)$(unitdir)/iprecord-hook@.service
	install -d -m 0755 $(DESTDIR)$(hookdir) $(DESTDIR)$(docdir)/examples/hooks
	install -m 0755 $(HOOKS:%=hooks/%) $(DESTDIR)$(hookdir)
	for file in $(HOOK_EXAMPLES); do \
	  $(SUBSTITUTE) etc/hooks.d/$$file >$(DESTDIR)$(docdir)/examples/hooks/$$file \
	    && chmod 0644 $(DESTDIR)$(docdir)/examples/hooks/$$file || exit; \
	done
	install -D -m 0644 systemd/iprecordd-254.conf $(DESTDIR)$(docdir)/iprecordd-254.conf
	install -D -m 0644 systemd/iprecordd-socket-258.conf $(DESTDIR)$(docdir)/iprecordd-socket-258.conf
	install -D -m 0644 systemd/iprecord.catalog $(DESTDIR)$(catalogdir)/iprecord.catalog
	install -D -m 0644 systemd/iprecordd.sysusers $(DESTDIR)$(prefix)/lib/sysusers.d/iprecord.conf
	install -D -m 0644 LICENSE $(DESTDIR)$(docdir)/LICENSE
	install -D -m 0644 .build/NOTICE $(DESTDIR)$(docdir)/NOTICE
	for page in $(PAGES); do \
	  install -D -m 0644 man/$$page $(DESTDIR)$(mandir)/man$${page##*.}/$$page || exit; \
	done
	$(call install-completions,ipctl)
	$(call install-completions,iprecordd)
	install -d -m 0755 $(DESTDIR)$(sysconfdir)/iprecord/watch.d $(DESTDIR)$(sysconfdir)/iprecord/hooks.d
	[ -e $(DESTDIR)$(sysconfdir)/iprecord/iprecordd.toml ] || \
	  install -D -m 0644 etc/iprecordd.toml $(DESTDIR)$(sysconfdir)/iprecord/iprecordd.toml

install-web:
	install -D -m 0755 $(PROGRAMS)/iprecord-web $(DESTDIR)$(sbindir)/iprecord-web
	install -d -m 0755 $(DESTDIR)$(unitdir)
	$(SUBSTITUTE) systemd/iprecord-web.service >$(DESTDIR)$(unitdir)/iprecord-web.service
	chmod 0644 $(DESTDIR)$(unitdir)/iprecord-web.service
	install -D -m 0644 systemd/iprecord-web.socket $(DESTDIR)$(unitdir)/iprecord-web.socket
	install -D -m 0644 systemd/iprecord-web-tcp.socket $(DESTDIR)$(unitdir)/iprecord-web-tcp.socket
	for page in $(WEB_PAGES); do \
	  install -D -m 0644 man/$$page $(DESTDIR)$(mandir)/man$${page##*.}/$$page || exit; \
	done
	$(call install-completions,iprecord-web)

uninstall: ## Stop the services and remove the installed files; configuration and records stay.
	@if [ -z "$(DESTDIR)" ] && [ -e $(unitdir)/iprecord-web.service ] && [ -d /run/systemd/system ]; then \
	  systemctl disable --now iprecord-web.socket iprecord-web-tcp.socket iprecord-web.service; \
	fi
	@if [ -z "$(DESTDIR)" ] && [ -e $(unitdir)/iprecordd.service ] && [ -d /run/systemd/system ]; then \
	  systemctl stop 'iprecord-hook@*.service'; \
	  rm -f /etc/systemd/system/multi-user.target.wants/iprecord-hook@*.service; \
	  systemctl disable --now iprecord-mmdb.timer iprecordd.socket iprecordd.service; \
	fi
	rm -f $(DESTDIR)$(sbindir)/iprecordd $(DESTDIR)$(bindir)/ipctl $(DESTDIR)$(sbindir)/iprecord-web
	rm -f $(DESTDIR)$(unitdir)/iprecordd.service $(DESTDIR)$(unitdir)/iprecordd.socket
	rm -f $(addprefix $(DESTDIR)$(unitdir)/,iprecord-mmdb.service iprecord-mmdb.timer)
	rm -f $(DESTDIR)$(unitdir)/iprecord-hook@.service $(HOOKS:%=$(DESTDIR)$(hookdir)/%)
	rm -f $(HOOK_EXAMPLES:%=$(DESTDIR)$(docdir)/examples/hooks/%)
	for directory in $(hookdir) $(hookdir:/hooks=) $(docdir)/examples/hooks $(docdir)/examples; do \
	  [ ! -d $(DESTDIR)$$directory ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$$directory; \
	done
	rm -f $(addprefix $(DESTDIR)$(unitdir)/,iprecord-web.service iprecord-web.socket iprecord-web-tcp.socket)
	rm -f $(DESTDIR)$(prefix)/lib/sysusers.d/iprecord.conf $(DESTDIR)$(catalogdir)/iprecord.catalog
	rm -f $(DESTDIR)$(docdir)/iprecordd-254.conf $(DESTDIR)$(docdir)/iprecordd-socket-258.conf \
	  $(DESTDIR)$(docdir)/LICENSE $(DESTDIR)$(docdir)/NOTICE
	[ ! -d $(DESTDIR)$(docdir) ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$(docdir)
	for page in $(PAGES) $(WEB_PAGES); do rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$$page; done
	rm -f $(COMMANDS:%=$(DESTDIR)$(bashcompletiondir)/%) $(COMMANDS:%=$(DESTDIR)$(zshcompletiondir)/_%)
	rm -f $(COMMANDS:%=$(DESTDIR)$(fishcompletiondir)/%.fish)
	@if [ -z "$(DESTDIR)" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi

clean: ## Remove all build products.
	rm -rf .build
