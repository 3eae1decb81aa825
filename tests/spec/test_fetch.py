"""Documents from URLs, served on this machine."""

import contextlib
import gzip
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from wizard.errors import DocumentError, LimitError
from wizard.spec.fetch import read_url, redirected
from wizard.spec.reader import read_document

DOCUMENT = b"openapi: 3.1.0\ninfo: {title: House}\npaths: {/a: {$ref: 'parts/a.yaml#/a'}}\n"
PART = b"a: {get: {summary: a}}\n"


@pytest.fixture
def serve():
    """A server that answers as told: path to (status, headers, body) or to a function of the handler."""
    with contextlib.ExitStack() as stack:

        def start(answers):
            class Handler(BaseHTTPRequestHandler):
                def do_GET(self):
                    asked.append(self.path)
                    answer = answers.get(self.path, (404, {}, b"no"))
                    if callable(answer):
                        answer(self)
                        return
                    status, headers, body = answer
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

                def log_message(self, *_):
                    pass

            asked = []
            server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            stack.callback(server.server_close)
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}", asked

        yield start


def test_a_document_and_its_parts_under_the_same_folder(serve):
    base, asked = serve({"/api/openapi.yaml": (200, {}, DOCUMENT), "/api/parts/a.yaml": (200, {}, PART)})
    document = read_document(f"{base}/api/openapi.yaml")
    assert document.problems == ()
    assert (document.source, document.title) == (f"{base}/api/openapi.yaml", "House")
    found = document.operations[0]
    assert (found.summary, found.pointer) == ("a", "parts/a.yaml#/a/get")
    assert found.servers == (f"{base}/",)
    assert str(document.place(found.pointer)) == f"{base}/api/parts/a.yaml:1:10"
    assert asked == ["/api/openapi.yaml", "/api/parts/a.yaml"]


def test_relative_servers_stand_on_the_documents_url(serve):
    base, _ = serve({
        "/api/openapi.yaml": (200, {}, b"openapi: 3.1.0\nservers: [{url: v1}, {url: /v2}]\npaths: {/a: {get: {}}}\n"),
        "/api/swagger.yaml": (200, {}, b"swagger: '2.0'\nbasePath: /v1\npaths: {/a: {get: {}}}\n"),
    })  # fmt: skip
    assert read_document(f"{base}/api/openapi.yaml").servers == (f"{base}/api/v1", f"{base}/v2")
    assert read_document(f"{base}/api/swagger.yaml").servers == (f"{base}/v1",)


@pytest.mark.parametrize(
    "ref", ["/other/a.yaml#/a", "../other/a.yaml#/a", "http://example.invalid/a.yaml", "file:///etc/passwd"]
)
def test_what_leads_out_of_the_folder_is_not_fetched(serve, ref):
    text = f"openapi: 3.1.0\npaths: {{/a: {{$ref: '{ref}'}}}}\n".encode()
    base, asked = serve({"/api/openapi.yaml": (200, {}, text), "/other/a.yaml": (200, {}, PART)})
    document = read_document(f"{base}/api/openapi.yaml")
    assert document.operations == ()
    assert "was not followed" in document.problems[0].message
    assert asked == ["/api/openapi.yaml"]


def test_it_is_fetched_when_asked_for(serve, tmp_path):
    base, _ = serve({"/other/a.yaml": (200, {}, PART)})
    (tmp_path / "openapi.yaml").write_text(f"openapi: 3.1.0\npaths: {{/a: {{$ref: '{base}/other/a.yaml#/a'}}}}\n")
    assert read_document(tmp_path / "openapi.yaml").operations == ()
    document = read_document(tmp_path / "openapi.yaml", allow_remote=True)
    assert document.operations[0].pointer == f"{base}/other/a.yaml#/a/get"
    assert document.place(document.operations[0].pointer).name == f"{base}/other/a.yaml"


def test_a_part_that_redirects_out_of_the_folder_is_not_read(serve):
    base, asked = serve({
        "/api/openapi.yaml": (200, {}, DOCUMENT), "/api/parts/a.yaml": (302, {"location": "/secret"}, b""),
        "/secret": (200, {}, PART),
    })  # fmt: skip
    document = read_document(f"{base}/api/openapi.yaml")
    assert document.operations == ()
    assert "redirects out of the document's folder" in document.problems[0].message
    assert "/secret" not in asked


def test_redirects_are_followed_and_the_last_address_counts(serve):
    base, _ = serve({
        "/latest": (302, {"location": "/v2/openapi.yaml"}, b""), "/v2/openapi.yaml": (200, {}, DOCUMENT),
        "/v2/parts/a.yaml": (200, {}, PART),
    })  # fmt: skip
    document = read_document(f"{base}/latest")
    assert document.source == f"{base}/latest"
    assert document.operations[0].summary == "a"


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("http://api.example/b", "from https to http"),
        ("https://10.0.0.8/b", "into a private network"),
        ("https://169.254.169.254/latest", "into a private network"),
        ("https://[::1]/b", "into a private network"),
        ("https://localhost/b", "into a private network"),
        ("https://vault.internal/b", "into a private network"),
    ],
)
def test_redirects_to_where_the_web_has_no_business_are_refused(target, why):
    with pytest.raises(DocumentError, match=why):
        redirected("https://api.example/a", target, "https://api.example/a", None)
    assert redirected("https://api.example/a", "//cdn.example/b", "x", None) == "https://cdn.example/b"


def test_redirects_end(serve):
    base, asked = serve({"/a": (302, {"location": "/a"}, b"")})
    with pytest.raises(DocumentError, match="redirects more than 5 times"):
        read_document(f"{base}/a")
    assert len(asked) == 6


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://example.invalid/a", "javascript:alert(1)"])
def test_a_redirect_to_anything_but_the_web_is_refused(serve, target):
    base, _ = serve({"/a": (302, {"location": target}, b"")})
    with pytest.raises(DocumentError, match=r"it redirects to `\w+:`"):
        read_document(f"{base}/a")


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (404, "Check the address"),
        (401, "Download the document"),
        (403, "Download"),
        (500, "Try again"),
        (429, "Try again"),
    ],
)
def test_a_refusal_is_told_with_a_remedy(serve, status, remedy):
    base, _ = serve({"/a": (status, {}, b"no")})
    with pytest.raises(DocumentError) as caught:
        read_document(f"{base}/a")
    assert f"the server answered {status}" in caught.value.message
    assert caught.value.remedy.startswith(remedy)
    assert caught.value.place == f"{base}/a"


def test_a_web_page_is_no_document(serve):
    base, _ = serve({"/a": (200, {}, b"<!doctype html><html></html>")})
    with pytest.raises(DocumentError, match="this is a web page"):
        read_document(f"{base}/a")


def test_the_size_is_limited_also_of_what_is_unpacked(serve):
    bomb = gzip.compress(b" " * 5_000_000)
    base, _ = serve({"/a": (200, {"content-encoding": "gzip"}, bomb), "/b": (200, {}, b" " * 5_000)})
    for path in ("/a", "/b"):
        with pytest.raises(LimitError, match="larger than"):
            read_url(base + path, 1_000)


def test_the_time_is_limited(serve):
    def drip(handler):
        handler.send_response(200)
        handler.end_headers()
        with contextlib.suppress(OSError):
            for _ in range(100):
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.02)

    base, _ = serve({"/a": drip})
    with pytest.raises(DocumentError, match=r"no complete answer within 0.2 seconds"):
        read_url(f"{base}/a", 1_000, seconds=0.2)


def test_nobody_there_is_said():
    with pytest.raises(DocumentError, match="it cannot be fetched"):
        read_document("http://127.0.0.1:1/openapi.yaml")


def test_a_password_in_a_url_is_never_shown(serve):
    base, _ = serve({"/api/openapi.yaml": (200, {}, b"openapi: 3.1.0\npaths: {}\n")})
    url = base.replace("://", "://me:secret@")
    document = read_document(f"{url}/api/openapi.yaml")
    assert document.source == f"{base}/api/openapi.yaml"
    assert "secret" not in repr(document)
    with pytest.raises(DocumentError) as caught:
        read_document(f"{url}/missing")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://", "http://[::1", "http://a b/", "https://\0/", "http://example.invalid:99999/"]
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(DocumentError):
        read_document(url)
