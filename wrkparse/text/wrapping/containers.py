"""Files whose format contains a page: notebooks, and recordings of a terminal."""

from __future__ import annotations

from wrkparse.text.wrapping.notebook import NotebookReader, begins_notebook
from wrkparse.text.wrapping.recording import RecordingReader, begins_recording

ContainerReader = NotebookReader | RecordingReader


def begins_container(text: str) -> bool | None:
    """Whether a source that begins with the lines `text` is such a file; None if more lines are needed."""
    if (first := text.lstrip()[:1]) and first != "{":
        return False
    return begins_recording(text) or begins_notebook(text)


def container_reader(text: str) -> ContainerReader:
    """The reader of a file that begins with `text`, of which `begins_container` is true."""
    return RecordingReader() if begins_recording(text) else NotebookReader()
