# Lists the gates of your organization. Set BASE_URL and API_KEY first.
import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    os.environ["BASE_URL"] + "/integration/rest/api/v1/gate",
    headers={"X-AUTH-KEY": os.environ["API_KEY"]},
)
try:
    with urlopen(request, timeout=30) as response:
        gates = json.load(response)["content"]
except HTTPError as refused:
    problem = json.load(refused)
    sys.exit(f"{refused.code} {problem['code']}: {problem['detail']}")
print([gate["externalIdentifier"] for gate in gates])
