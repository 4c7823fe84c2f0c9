"""Calls every operation with the package `eider_client`, which openapi-python-client has made of the document."""

import os
import pkgutil
import time
from importlib import import_module
from io import BytesIO

from eider_client import AuthenticatedClient, api
from eider_client.models import (
    AlterQueryDto,
    CreateQueryDto,
    CreateTableDto,
    ExecuteQueryDto,
    ExecuteQueryDtoQueryParametersType0,
    ExecuteSqlDto,
    InsertRowsFormat,
    ParameterDto,
    ParameterDtoType,
    SchemaColumnDto,
    SchemaColumnDtoType,
    UploadCsvDto,
    UploadCsvForm,
)
from eider_client.types import UNSET, File

client = AuthenticatedClient(
    base_url=os.environ["EIDER_URL"],
    token=os.environ["EIDER_KEY"],
    prefix="",
    auth_header_name="X-SERVICE-API-KEY",
)

OPERATIONS = {
    name.rsplit(".", 1)[-1]: name
    for _, name, is_package in pkgutil.walk_packages(api.__path__, f"{api.__name__}.")
    if not is_package
}
called = set()


def call(operation, *parameters, status=200, **named):
    """The body of an answer, which must have the status."""
    called.add(operation)
    answer = import_module(OPERATIONS[operation]).sync_detailed(*parameters, client=client, **named)
    assert answer.status_code == status, (operation, answer.status_code, answer.content)
    return answer.parsed


def call_queries():
    body = CreateQueryDto(
        name="Numbers",
        query_sql="SELECT range AS n, '{{word}}' AS word, NULL AS nothing FROM range({{rows}})",
        parameters=[
            ParameterDto(key="word", type_=ParameterDtoType.TEXT, value="a"),
            ParameterDto(key="rows", type_=ParameterDtoType.NUMBER, value=3),
        ],
    )
    query_id = call("create_query", body=body).query_id
    call("update_query", query_id, body=AlterQueryDto(tags=["made by a client"], description=None))
    for operation in ("archive_query", "unarchive_query", "make_query_private", "make_query_public"):
        assert call(operation, query_id).query_id == query_id
    query = call("get_query", query_id)
    assert (query.name, query.tags, query.is_archived) == ("Numbers", ["made by a client"], False)
    assert query_id in [query.id for query in call("list_queries", limit=5).queries]
    return query_id


def until_finished(execution_id):
    while True:
        status = call("get_execution_status", execution_id)
        if status.is_execution_finished:
            assert status.state == "QUERY_STATE_COMPLETED", status
            return
        time.sleep(0.05)


def call_executions(query_id):
    values = ExecuteQueryDtoQueryParametersType0.from_dict({"word": "b", "rows": 5})
    started = call("execute_query", query_id, body=ExecuteQueryDto(query_parameters=values, performance="medium"))
    assert started.warnings is UNSET
    until_finished(started.execution_id)
    other = call("execute_sql", body=ExecuteSqlDto(sql="SELECT 1 AS n")).execution_id
    until_finished(other)
    assert call("cancel_execution", other).success is False
    assert call("delete_execution_result", other).state == "QUERY_STATE_EXPIRED"
    listed = call("list_executions", query_id=query_id).executions
    assert [execution.execution_id for execution in listed] == [started.execution_id]
    return started.execution_id


def call_results(query_id, execution_id):
    wanted = {"limit": 2, "offset": 1, "filters": "n > 0", "columns": "n,nothing", "sort_by": "n desc"}
    pages = [
        call("get_execution_results", execution_id, **wanted),
        call("get_latest_results", query_id, **wanted),
    ]
    for page in pages:
        rows = [row.to_dict() for row in page.result.rows]
        assert rows == [{"n": 3, "nothing": None}, {"n": 2, "nothing": None}], rows
        assert page.next_offset == 3
    texts = [
        call("get_execution_results_csv", execution_id, **wanted),
        call("get_latest_results_csv", query_id, csv_null=UNSET, **wanted),
    ]
    assert texts == ["n,nothing\n3,\n2,\n"] * 2, texts
    refused = call("get_latest_results", query_id, filters="NOT n", status=400)
    assert (refused.code, refused.offset) == ("filter_syntax", 0), refused


def call_tables():
    csv = "city,price\nParis,5.5\n"
    uploaded = call("upload_csv", body=UploadCsvDto(table_name="prices", data=csv))
    file = File(BytesIO(csv.encode()), file_name="prices.csv", mime_type="text/csv")
    form = UploadCsvForm(table_name="prices2", data=file, is_private=False)
    assert [uploaded.rows_written, call("uploads_upload_csv", body=form).rows_written] == [1, 1]

    namespace = uploaded.full_name.split(".")[0]
    schema = [SchemaColumnDto(name="n", type_=SchemaColumnDtoType.INTEGER)]
    call("create_table", body=CreateTableDto(table_name="numbers", schema=schema))
    call("uploads_create_table", body=CreateTableDto(table_name="numbers2", schema=schema))
    rows = call("insert_rows", namespace, "numbers", body=File(BytesIO(b"n\n1\n2\n")))
    lines = File(BytesIO(b'{"n":1}\n'))
    line = call("uploads_insert_rows", namespace, "numbers2", body=lines, format_=InsertRowsFormat.NDJSON)
    assert [rows.rows_written, line.rows_written] == [2, 1]
    assert len(call("list_tables", limit=10).tables) >= 4
    found = call("uploads_list_tables", search="numbers2").tables
    assert [table.full_name for table in found] == [f"{namespace}.numbers2"]
    call("clear_table", namespace, "numbers")
    call("uploads_clear_table", namespace, "numbers2")
    call("delete_table", namespace, "numbers")
    call("uploads_delete_table", namespace, "numbers2")


query = call_queries()
call_results(query, call_executions(query))
call_tables()
assert call("get_liveness").status == "ok"
assert call("get_readiness").status == "ok"
assert call("get_query", 999_999_999, status=404).error == "Query not found"
assert called == set(OPERATIONS), set(OPERATIONS) ^ called
print(f"called {len(called)} operations")
