"""Reads index files: files beside the logs that describe each log, as tables, lists, JSON, or settings of a folder.

`reading` turns a text into blocks of rows, `log_names` finds the logs that a row names, `labels` makes labels of its
cells: the row ``01.log,envoy`` below ``file,server`` gives the runs of ``01.log`` the label ``framework=envoy``.
"""
