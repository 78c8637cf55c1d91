#!/usr/bin/env bash
# Prints each page of the list of manifests in a line. Set BASE_URL and API_KEY first.
set -euo pipefail

page=$(mktemp)
url="$BASE_URL/integration/rest/api/v1/manifest?pageSize=100"
while [ -n "$url" ]; do
  link=$(curl --silent --show-error --fail-with-body --output "$page" --write-out '%header{link}' \
    --header "X-AUTH-KEY: $API_KEY" "$url")
  cat "$page"
  echo
  # The header is missing on the last page.
  url=$(echo "$link" | sed -n 's/.*<\([^>]*\)>; rel="next".*/\1/p')
done
