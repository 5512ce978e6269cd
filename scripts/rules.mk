# SPDX-License-Identifier: Apache-2.0
# Pictures of the pages, generated files, the form of the sources.
#
#:
#: Pages and sources
#:   make pictures      draw the block diagrams and the waves in docs/pictures (make setup-pictures)
#:   make generated     what config/gmmu.json generates
#:   make format        clang-format
#:   make rams [CONFIG=default]
#:                      the RAMs of the unit behind its bus, by size (Yosys)

# drawings that are committed; Graphviz and GTKWave's fst2vcd are for this alone
.PHONY: pictures setup-pictures
pictures:
	@$(PLOT_PYTHON) scripts/pictures.py $(ONLY)
setup-pictures:
	@scripts/setup.sh graphviz:dot fonts-dejavu-core:/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf gtkwave:fst2vcd $(MATPLOTLIB)


.PHONY: format generated
format:
	git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

generated:
	scripts/gen_config.py

.PHONY: rams
rams:
	@scripts/rams.py $(if $(CONFIG),$(CONFIG),default)
