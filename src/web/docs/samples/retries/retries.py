# Creates a manifest exactly once, although requests or answers may get lost. Set BASE_URL and API_KEY first.
import json
import os
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def write(method, path, body, key):
    request = Request(
        os.environ["BASE_URL"] + path,
        method=method,
        data=json.dumps(body).encode(),
        headers={
            "X-AUTH-KEY": os.environ["API_KEY"],
            "Idempotency-Key": key,
            "Content-Type": "application/json",
        },
    )
    for attempt in range(1, 7):
        wait = 2**attempt
        try:
            with urlopen(request, timeout=30) as response:
                return json.load(response)
        except HTTPError as refused:
            # 429 and 5xx: try again later. Every other answer is final.
            if attempt == 6 or (refused.code != 429 and refused.code < 500):
                sys.exit(f"{refused.code} {refused.read().decode()}")
            wait = int(refused.headers.get("Retry-After", wait))
        except (OSError, HTTPException):
            # No answer arrived.
            if attempt == 6:
                raise
        time.sleep(wait)


# The key belongs to the order, not to the attempt. So every repeat has the same key, also after a restart.
order = {"externalIdentifier": "ORDER-10248"}
print(json.dumps(write("POST", "/integration/rest/api/v1/manifest", order, "create-ORDER-10248")))
