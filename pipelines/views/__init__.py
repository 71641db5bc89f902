"""Opens a results folder as SQL: the text `views.sql`, a DuckDB file, or a locked connection.

All three define the same relations: the tables over all published runs, `runs`, `latest`, and the
bundled views on them. DuckDB is imported only when a connection or a file is asked for.
"""

from pipelines.views.bundled import Query, queries, relations
from pipelines.views.connection import asked, connect
from pipelines.views.files import views_sql, write_database, write_views
from pipelines.views.published import check_results

__all__ = [
    "Query",
    "asked",
    "check_results",
    "connect",
    "queries",
    "relations",
    "views_sql",
    "write_database",
    "write_views",
]
