"""The dashboard: a static site of what every version does, from baselines, records and a report.

`site` reads and writes; the other modules say what stands on a page, and templates how it looks.
"""
