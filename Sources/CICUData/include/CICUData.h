// Nothing to import: linking this module is sufficient.
