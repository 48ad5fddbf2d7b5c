"""Reads files into tables, in memory or in a store, with one or several processes, or while a log grows."""
