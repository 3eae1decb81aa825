"""Skills as `emit` writes them: the linter has nothing against them but what only a person can decide."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from wizard.cli import main
from wizard.lint.engine import Request, lint
from wizard.lint.settings import Settings

Fields = Mapping[str, object]
TEXT = {"type": "string"}
TIME = {"type": "string", "format": "date-time"}


def described(kind: dict[str, str], text: str) -> dict[str, str]:
    return {**kind, "description": text}


def create(fields: Fields, **more: object) -> dict[str, object]:
    schema = {"type": "object", "required": list(fields), "properties": fields}
    return {
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {"201": {"description": "It is made."}, **more},
    }


def listed(name: str, fields: Fields) -> dict[str, object]:
    schema = {"properties": {name: {"type": "array", "items": {"type": "object", "properties": fields}}}}
    return {"responses": {"200": {"description": "All.", "content": {"application/json": {"schema": schema}}}}}


ORDER = {
    "shop_id": TEXT,
    "client_order_id": described(TEXT, "A unique ID that you would like to use to refer to this order."),
    "session_reference": described(TEXT, "A client-generated unique string to reference the order."),
    "charge_uid": described(TEXT, "Used to uniquely identify this charge. Sent again it is deduplicated by us."),
}
READING = {
    "meter_id": TEXT,
    "value": {"type": "integer"},
    "timestamp": described(TIME, "The time at which the meter was read."),
}
COUPON = {"code": described(TEXT, "The code. It must be unique."), "percent": {"type": "integer"}}
PATHS = {
    "/orders": {"post": {"summary": "Create an order", **create(ORDER)}},
    "/meter-readings": {"post": {"summary": "Create a meter reading", **create(READING)}},
    "/coupons": {
        "get": {"summary": "List coupons", **listed("coupons", {**COUPON, "created_at": TIME})},
        "post": {
            "summary": "Create a coupon",
            **create(COUPON, **{"409": {"description": "A coupon with this code already exists."}}),
        },
    },
    "/scans": {"post": {"summary": "Create a scan", **create({"shop_id": TEXT, "barcode": TEXT})}},
    "/conversations/{conversation_id}/messages": {
        "parameters": [{"name": "conversation_id", "in": "path", "required": True, "schema": TEXT}],
        "post": {"summary": "Send a message", **create({"text": TEXT, "reply_to_session_id": TEXT})},
    },
}


@pytest.mark.parametrize("layout", ["folder", "single", "specs"])
@pytest.mark.parametrize("server", ["https://shop.example.com/v1", "/v1"])
def test_nothing_is_wrong_with_it(
    layout: str, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    document = {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": server}]}
    Path("openapi.yaml").write_text(yaml.safe_dump({**document, "paths": PATHS}, sort_keys=False))
    words = ["openapi.yaml", "--all", "--out", "skills", "--layout", layout]
    if server.startswith("/"):
        words += ["--server", "https://gateway.example.com"]
    assert main(["emit", *words]) == 0
    capsys.readouterr()
    report = lint(Request(paths=("skills",), cache=False), Settings(profile="strict"))
    assert len(report.files) >= 4
    assert not report.broken
    assert [(found.rule, found.message) for found in report.findings if found.severity != "info"] == []
    assert {"proposal-unconfirmed", "repetition-declared-once"} <= {found.rule for found in report.findings}
