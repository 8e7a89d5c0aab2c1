"""The page of a program: shardings, communication with causes, time and memory, in one HTML file.

>>> sdy.page.save("report.html", lowered, machine="h100")
>>> sdy.page.save("report.html", Plan(text, "ours"), Plan(other, "theirs"))     # two beside one another
>>> sdy.page.show(lowered)                                                      # in a notebook
>>> sdy.page.data(lowered)                                                      # the same as data (`page/schema.json`)
>>> sdy.page.save_trace("trace.json", lowered, machine="h100")                  # its timeline for Perfetto
"""

from sdy.page.data import data
from sdy.page.data_types import schema
from sdy.page.plans import Parts, Plan
from sdy.page.render import Frame, PageNotBuilt, html, save, show
from sdy.page.trace import save_trace

__all__ = ["Frame", "PageNotBuilt", "Parts", "Plan", "data", "html", "save", "save_trace", "schema", "show"]
