"""The HTTP interface: operations, their requests and responses."""
