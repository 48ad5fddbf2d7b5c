"""Files beside the logs that say what each log is: tables, lists, JSON, and settings of a folder.

`forms` makes blocks of rows of a text, `names` finds the logs that a row names, `labels` makes labels of its cells: the
row ``01.log,envoy`` below ``file,server`` gives the runs of ``01.log`` the label ``framework=envoy``.
"""
