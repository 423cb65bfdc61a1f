"""A running `sluice run`, certificates for it, and requests to it over sockets, plain or TLS."""
import json
import re
import socket
import ssl
import subprocess
import threading

from program import ProgramTest


class ServedTest(ProgramTest):
    def make_certificate(self, name, common_name="localhost"):
        """A key of its own and a certificate signed with it, as NAME.crt and NAME.key."""
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                        "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.crt", "-days", "2",
                        "-subj", f"/CN={common_name}", "-addext",
                        "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                       cwd=self.folder, check=True, capture_output=True)

    def serve(self, config, arguments=()):
        """Runs the configuration until the test is over; what it says is kept in `self.said`."""
        self.write("config.toml", config)
        self.child = subprocess.Popen(self.command("run", "config.toml", *arguments), cwd=self.folder,
                                      stderr=subprocess.PIPE, text=True)
        self.said = []
        self.told = threading.Condition()
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()
        self.addCleanup(self.child.stderr.close)
        self.addCleanup(self.listener.join, 10)
        self.addCleanup(self.child.wait)
        self.addCleanup(self.child.kill)

    def listen(self):
        for line in self.child.stderr:
            with self.told:
                self.said.append(line)
                self.told.notify_all()
        with self.told:
            self.said.append(None)
            self.told.notify_all()

    def wait_for(self, words, timeout=20):
        """The line that matches, which may have come already."""
        def found():
            for line in self.said:
                if line is None or re.search(words, line):
                    return line or "(ended)"
            return None
        with self.told:
            line = self.told.wait_for(found, timeout)
        self.assertTrue(line and line != "(ended)", f"no line with '{words}': {self.said}")
        return line

    def wait_for_port(self, words="listening on https?://"):
        return int(re.search(r":(\d+)$", self.wait_for(words).strip())[1])

    def connect(self, port):
        client = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.addCleanup(client.close)
        return client

    def tls_connect(self, port, trust="a", version=None, alpn=("http/1.1",)):
        """`trust`: the certificate that must be shown."""
        context = ssl.create_default_context(cafile=str(self.folder / f"{trust}.crt"))
        if version:
            context.minimum_version = context.maximum_version = version
        if alpn:
            context.set_alpn_protocols(list(alpn))
        client = context.wrap_socket(self.connect(port), server_hostname="localhost")
        self.addCleanup(client.close)
        return client

    def post(self, path, body, *headers):
        head = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
                f"Content-Length: {len(body)}", *headers]
        return "\r\n".join(head).encode() + b"\r\n\r\n" + body

    def get(self, path, *headers, host="localhost"):
        return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *headers]).encode() + b"\r\n\r\n"

    def read_answer(self, stream):
        """Status, headers by lower-case name, body of the next answer in a file of bytes."""
        status = int(stream.readline().split()[1])
        headers = {}
        while (line := stream.readline().strip()):
            name, value = line.decode().split(":", 1)
            headers[name.lower()] = value.strip()
        return status, headers, stream.read(int(headers.get("content-length", 0)))

    def ask(self, client, request):
        client.sendall(request)
        with client.makefile("rb") as stream:
            return self.read_answer(stream)

    def ask_json(self, client, request, status=200):
        got, _, body = self.ask(client, request)
        self.assertEqual(got, status, body)
        return json.loads(body)
