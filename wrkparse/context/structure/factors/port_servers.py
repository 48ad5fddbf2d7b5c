"""Names runs by the servers that a page says are at the ports of their URLs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wrkparse.context.nearby.evidence import PORT_NAMES
from wrkparse.context.nearby.port_names import PortName, names_by_port
from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText, framework_of
from wrkparse.context.structure.factors.factors import LabelsOfRuns


def name_by_ports(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: LabelsOfRuns) -> None:
    """Add the framework to the runs of a source that have none, if each of their ports is that of another server."""
    if not any(PORT_NAMES in place.labels for place in places):
        return
    for runs in by_source.values():
        if any(framework_of(places[at], found[at]) for at in runs):
            continue
        servers = {at: named for at in runs if (named := _server_of(places[at]))}
        names = {(named.port, named.name) for named in servers.values()}
        if len(servers) == len(runs) and len(names) == len({name for _, name in names}) > 1:
            for at, named in servers.items():
                found[at][FRAMEWORK] = SlotText(named.name, named.line, "lead")


def _server_of(place: Place) -> PortName | None:
    """The name of the server at the port that a run loads; None if the page gives none."""
    stated = place.labels.get(PORT_NAMES)
    return names_by_port(stated).get(place.port) if stated and place.port else None
