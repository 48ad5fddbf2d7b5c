import duckdb
import pyarrow as pa
import pytest

from wrkparse.dataset.queries.on_demand import ConnectionOnDemand

NAMES = ("runs", "labels", "gc_cycles")


class Tables:
    """Tables of one row, and the names by which they were fetched."""

    def __init__(self) -> None:
        self.fetched: list[str] = []
        self.value = 1

    def __call__(self, name: str) -> pa.Table:
        self.fetched.append(name)
        return pa.table({"value": [self.value]})


@pytest.fixture
def tables() -> Tables:
    return Tables()


@pytest.fixture
def connection(tables: Tables) -> ConnectionOnDemand:
    bare = duckdb.connect(":memory:")
    return ConnectionOnDemand(bare, NAMES, lambda name: bare.register(name, tables(name)))


@pytest.mark.parametrize("query", ["FROM runs", 'SELECT * FROM "RUNS"', "WITH w AS (FROM main.Runs) FROM w"])
def test_a_query_fetches_the_tables_that_it_names_once(
    connection: ConnectionOnDemand, tables: Tables, query: str
) -> None:
    assert connection.sql(query).fetchall() == connection.execute(query).fetchall() == [(1,)]
    assert tables.fetched == ["runs"]


@pytest.mark.parametrize(
    "query",
    [
        "SHOW TABLES",
        "SELECT name FROM (DESCRIBE)",
        "SELECT view_name FROM duckdb_views() WHERE NOT internal",
        "SELECT table_name FROM information_schema.tables",
        "SELECT name FROM sqlite_master WHERE type = 'view'",
    ],
)
def test_a_list_of_tables_has_all(connection: ConnectionOnDemand, query: str) -> None:
    assert {name for (name,) in connection.sql(query).fetchall()}.issuperset(NAMES)


def test_an_unknown_name_is_answered_with_similar_ones_of_all_tables(connection: ConnectionOnDemand) -> None:
    with pytest.raises(duckdb.CatalogException, match="gc_cycles"):
        connection.sql("FROM gc_cycle")


def test_a_forgotten_table_is_fetched_again(connection: ConnectionOnDemand, tables: Tables) -> None:
    connection.sql("FROM runs")
    tables.value = 2
    assert connection.sql("FROM runs").fetchall() == [(1,)]
    connection.forget("runs")
    assert connection.sql("FROM runs").fetchall() == [(2,)]


def test_a_description_fetches_its_table_alone(connection: ConnectionOnDemand, tables: Tables) -> None:
    assert [row[:2] for row in connection.execute("DESCRIBE runs").fetchall()] == [("value", "BIGINT")]
    assert tables.fetched == ["runs"]
