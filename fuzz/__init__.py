"""Harnesses that look for what no test foresaw: spoilt records, made-up variants, hostile messages, failing calls."""
