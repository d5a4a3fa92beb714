# A thin front of CMake. `make help` lists the targets.
BUILD  ?= build
JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local

CAROM = $(BUILD)/carom
CTEST = ctest --output-on-failure -L quick -j2

SANITIZE = -DCAROM_SANITIZE=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g1"

# valgrind knows no AVX-512: the kernels of the dense linear algebra are named.
PLAIN = OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=1

.PHONY: all help demo test test-long verify clang sanitize sanitize-core coverage wide valgrind fuzz bench record scale peers spheres race site format install package smoke-package clean configure packages-build packages-test packages-clang
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

all: configure ## build the program: build/carom
	@cmake --build $(BUILD) --parallel $(JOBS) --target carom

help:
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 22

configure:
	@command -v cmake > /dev/null || { echo "cmake is missing: scripts/install-packages build"; exit 1; }
	@mkdir -p $(BUILD)
	@cmake -S . -B $(BUILD) $(CONFIGURE) > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }

packages-build:
	@scripts/install-packages build

packages-test:
	@scripts/install-packages build test

packages-clang:
	@scripts/install-packages build test clang

demo: packages-build all ## install packages, build, run an example, say where to look
	@$(CAROM) run examples/two-cylinders/deck.yaml -o demo.out --force
	@echo
	@echo "Above is the audit of two rubber cylinders that collide obliquely. The energy that they lost"
	@echo "is the friction loss, up to round-off. Results:"
	@if [ -f demo.out/report.html ]; then echo "  moving pictures, plots, audit in words     demo.out/report.html, with a browser"; else echo "  (no page: build/web/npm.log says why npm could not get its packages; make demo again tries again)"; fi
	@echo "  energies, work and momenta of every step   demo.out/history.csv"
	@echo "  fields                                     demo.out/fields.pvd, with ParaView"
	@echo "  the audit, for scripts                     demo.out/audit.json"
	@echo "More: build/carom examples, README.md, docs/manual.md"

test: CONFIGURE = -DCAROM_WERROR=ON
test: packages-test configure ## install packages, build without warnings, run the quick tests
	@cmake --build $(BUILD) --parallel $(JOBS)
	@cd $(BUILD) && $(CTEST)

test-long: CONFIGURE = -DCAROM_WERROR=ON
test-long: packages-test configure ## the tests that take a minute or more each; ten minutes
	@cmake --build $(BUILD) --parallel $(JOBS)
	@cd $(BUILD) && ctest --output-on-failure -L long -j2

verify: all ## compare with published and analytic answers (longer runs)
	@$(CAROM) verify

clang: packages-clang ## build everything with clang without warnings, run the core of the tests
	@cmake -S . -B $(BUILD)-clang -DCAROM_WERROR=ON -DCMAKE_C_COMPILER=clang-14
	@cmake --build $(BUILD)-clang --parallel $(JOBS)
	@cd $(BUILD)-clang && $(CTEST) -L core

sanitize-core: packages-test ## the core of the tests under address and undefined-behaviour sanitizers
	@cmake -S . -B $(BUILD)-sanitize $(SANITIZE)
	@cmake --build $(BUILD)-sanitize --parallel $(JOBS) --target core
	@cd $(BUILD)-sanitize && $(CTEST) -L core

sanitize: packages-test ## all quick tests under these sanitizers
	@cmake -S . -B $(BUILD)-sanitize $(SANITIZE)
	@cmake --build $(BUILD)-sanitize --parallel $(JOBS)
	@cd $(BUILD)-sanitize && $(CTEST)

coverage: packages-test ## which lines the quick tests run: BUILD-coverage/coverage.txt; half an hour
	@scripts/install-packages coverage
	@cmake -S . -B $(BUILD)-coverage -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 --coverage"
	@cmake --build $(BUILD)-coverage --parallel $(JOBS)
	@cd $(BUILD)-coverage && $(CTEST) || echo "some tests failed: what they ran counts all the same"
	@scripts/coverage $(BUILD)-coverage

wide: ## tests of elements, materials, methods with the eight lanes of AVX-512, on any processor with AVX2
	@cmake -S . -B $(BUILD)-wide -DCAROM_WIDE=ON
	@cmake --build $(BUILD)-wide --parallel $(JOBS)
	@cd $(BUILD)-wide && $(CTEST) -R "test_elements|test_element_forces|test_materials|test_integrators|test_crowd_ball|test_critical|test_partners|test_free_flight"

valgrind: configure ## a few unit tests and one small run under valgrind
	@cmake --build $(BUILD) --parallel $(JOBS)
	@$(PLAIN) scripts/valgrind $(BUILD)

fuzz: packages-clang ## decks and meshes from noise, SECONDS each (300)
	@scripts/fuzz $(or $(SECONDS),300)

bench: all ## costs of the parts beside the machine's ceilings (docs/performance.md)
	@cmake --build $(BUILD) --parallel $(JOBS) --target carom_bench carom_bench_impact
	@bench/run $(BUILD)

record: all ## the figures of `make bench`, kept for this release: bench/records/VERSION.md
	@cmake --build $(BUILD) --parallel $(JOBS) --target carom_bench carom_bench_impact
	@bench/record $(BUILD)

scale: all ## memory, work and messages per rank on 1 to 16 ranks; OPTIONS of bench/scale, as --strong 100000; an hour
	@bench/scale --program $(CAROM) $(OPTIONS)

peers: packages-build all ## beside CalculiX: CASE=P2, P3a to P3d or all, PAIRS of runs (7); an hour
	@scripts/install-packages bench
	@CAROM=$(CAROM) bench/peers/run $(or $(CASE),all) $(or $(PAIRS),7)

spheres: packages-build ## a pouring of spheres beside ODE, Bullet and LIGGGHTS, ROUNDS (5); half an hour
	@scripts/install-packages bench
	@$(MAKE) configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target carom_spheres_carom carom_spheres_ode carom_spheres_bullet
	@bench/spheres/run $(BUILD) $(or $(ROUNDS),5)

race: packages-build ## the friction solvers against Siconos, one process, in turns; ten minutes
	@scripts/install-packages bench
	@$(MAKE) configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target carom_race
	@bench/friction/race $(BUILD)

site: all ## the site: build/site/html/index.html; runs the examples first, half an hour; later a minute
	@scripts/install-packages build site
	@scripts/site --program $(CAROM) --to $(BUILD)/site $(OPTIONS)
	@scripts/check-links $(BUILD)/site/html

format: ## reformat the C sources
	@clang-format-14 -i $$(find src app tests bench -name '*.[ch]')

install: CONFIGURE = -DCMAKE_INSTALL_PREFIX=$(PREFIX)
install: all ## install program and examples under PREFIX (/usr/local)
	@cmake --install $(BUILD)

package: CONFIGURE = -DCMAKE_INSTALL_PREFIX=/usr
package: packages-build all ## a Debian package: build/carom_VERSION_ARCHITECTURE.deb
	@scripts/install-packages package
	@cd $(BUILD) && rm -f carom_*.deb && cpack -G DEB > package.log 2>&1 || { cat package.log; exit 1; }
	@ls $(BUILD)/carom_*.deb

smoke-package: package ## install this package into a clean Debian 12, run it there, remove it; as root
	@scripts/install-packages smoke
	@scripts/smoke-package $(BUILD)/carom_*.deb

clean: ## remove what the targets above made here
	@rm -rf $(BUILD) $(BUILD)-clang $(BUILD)-sanitize $(BUILD)-wide $(BUILD)-fuzz demo.out
