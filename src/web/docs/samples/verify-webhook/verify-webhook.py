# Receives webhooks at PORT, and prints the id of each event once. Set WEBHOOK_SECRET first.
import base64
import hashlib
import hmac
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
# Keep the ids in your database, with the result of the event.
seen = set()


def is_valid(headers, body):
    identifier = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    # Refuse an old delivery, so that nobody can record and repeat it.
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    # The signature covers the bytes of the body as they arrived.
    signed = f"{identifier}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256))
    # There is one signature for each valid secret.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(signature, expected) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        valid = is_valid(self.headers, body)
        identifier = self.headers.get("webhook-id")
        # The same event can arrive twice.
        if valid and identifier not in seen:
            seen.add(identifier)
            print(identifier, flush=True)
        self.send_response(204 if valid else 400)
        self.end_headers()

    def log_request(self, *_):
        """Prints no line for each request."""


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
