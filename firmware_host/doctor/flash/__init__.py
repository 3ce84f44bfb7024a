"""The first program on a Pico: `dudo-table boards flash`."""
