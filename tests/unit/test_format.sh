# The sources are formatted as .clang-format says; exit 77 (skipped) without clang-format 14.
exec "$CAROM_SOURCE/scripts/check-format"
