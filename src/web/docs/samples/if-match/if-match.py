# Replaces the pallets of a manifest, unless another client changes it at the same time. Set BASE_URL and API_KEY first.
import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = os.environ["BASE_URL"] + "/integration/rest/api/v1/manifest/ORDER-10248"
HEADERS = {"X-AUTH-KEY": os.environ["API_KEY"], "Content-Type": "application/json"}

for attempt in range(1, 4):
    with urlopen(Request(URL, headers=HEADERS), timeout=30) as response:
        etag = response.headers["ETag"]
    body = json.dumps({"assets": ["PALLET-1", "PALLET-2"]}).encode()
    change = Request(URL, method="PUT", data=body, headers={**HEADERS, "If-Match": etag})
    try:
        with urlopen(change, timeout=30) as response:
            print(response.read().decode())
        break
    except HTTPError as refused:
        # 412: another client changed the manifest first. Read it again.
        if refused.code != 412 or attempt == 3:
            raise
