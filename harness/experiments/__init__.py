"""The torch halves, one module per experiment."""
