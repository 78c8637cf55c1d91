# Prints every manifest, page by page. Set BASE_URL and API_KEY first.
import json
import os
import re
from urllib.request import Request, urlopen


def walk(path):
    url = os.environ["BASE_URL"] + path
    while url:
        request = Request(url, headers={"X-AUTH-KEY": os.environ["API_KEY"]})
        with urlopen(request, timeout=30) as response:
            yield from json.load(response)["content"]
            # The header is missing on the last page.
            following = re.search('<([^>]+)>; rel="next"', response.headers.get("Link", ""))
        url = following and following[1]


for manifest in walk("/integration/rest/api/v1/manifest?pageSize=100"):
    print(manifest["externalIdentifier"])
