# SPDX-License-Identifier: BSD-3-Clause
"""A web server on this machine that misbehaves on request."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONTENT = b"0123456789" * 1000


class _Handler(BaseHTTPRequestHandler):
    """Each address is one kind of behaviour; ``/name/anything`` is ``name``."""

    def do_GET(self):
        self.server.asked.append(self.path)
        behave = getattr(self, self.path.split("/")[1].replace("-", "_"))
        try:
            behave()
        except OSError:  # the client has gone, as it should
            self.close_connection = True

    def log_message(self, *_):
        pass

    def _start(self, length=None, status=200):
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def good(self):
        self._start(len(CONTENT))
        self.wfile.write(CONTENT)

    def file(self):
        """A file that the test put into ``server.files``."""
        content = self.server.files[self.path.rsplit("/", 1)[1]]
        self._start(len(content))
        self.wfile.write(content)

    def without_length(self):
        self._start()
        self.wfile.write(CONTENT)

    def stall(self):
        """Half of the body, then silence."""
        self._start(len(CONTENT))
        self.wfile.write(CONTENT[:5000])
        self.server.over.wait(30)

    def silence(self):
        self.server.over.wait(30)

    def drip(self):
        """A byte now and then: no single wait is long."""
        self._start(len(CONTENT))
        for i in range(len(CONTENT)):
            self.wfile.write(CONTENT[i : i + 1])
            if self.server.over.wait(0.02):
                return

    def truncate(self):
        self._start(len(CONTENT))
        self.wfile.write(CONTENT[:5000])

    def too_short_a_promise(self):
        self._start(len(CONTENT) - 10)
        self.wfile.write(CONTENT)

    def huge_promise(self):
        self._start(10**15)
        self.wfile.write(CONTENT)

    def endless(self):
        self._start()
        while not self.server.over.is_set():
            self.wfile.write(CONTENT)

    def garbage(self):
        self.wfile.write(b"this is no HTTP\r\n\r\n")

    def missing(self):
        self.send_error(404)

    def failing(self):
        self.send_error(500)

    def moved(self):
        self.send_response(302)
        self.send_header("Location", self.path.replace("/moved", "/good"))
        self.end_headers()

    def loop(self):
        self.send_response(302)
        self.send_header("Location", self.path)
        self.end_headers()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A broken connection is what these tests are about: no traceback."""


@contextmanager
def hostile_server():
    """Serve on a free port of 127.0.0.1; gives the server, with its ``address``."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.asked, server.files, server.over = [], {}, threading.Event()
    server.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
