#!/usr/bin/env bash
# Prints every manifest, page by page.
set -euo pipefail

url="$BASE_URL/integration/rest/api/v1/manifest?pageSize=100"
while [ -n "$url" ]; do
  headers=$(mktemp)
  curl --silent --show-error --fail-with-body --header "X-AUTH-KEY: $API_KEY" --dump-header "$headers" "$url"
  # The header is missing on the last page.
  url=$(sed -n 's/^link: <\([^>]*\)>; rel="next".*/\1/ip' "$headers")
done
