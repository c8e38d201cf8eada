"""The service side: the only package that talks to GitHub; it takes finished reports as data."""
