"""Servers, clients, browsers and random clients for the tests of the web part."""
