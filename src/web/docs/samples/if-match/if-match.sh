#!/usr/bin/env bash
# Replaces the pallets of a manifest, unless another client changes it at the same time. Set BASE_URL and API_KEY first.
set -euo pipefail

url="$BASE_URL/integration/rest/api/v1/manifest/ORDER-10248"
answer=$(mktemp)
for attempt in 1 2 3; do
  etag=$(curl --silent --show-error --fail-with-body --output /dev/null --write-out '%header{etag}' \
    --header "X-AUTH-KEY: $API_KEY" "$url")
  status=$(curl --silent --show-error --output "$answer" --write-out '%{http_code}' --request PUT \
    --header "X-AUTH-KEY: $API_KEY" --header "If-Match: $etag" \
    --json '{"assets": ["PALLET-1", "PALLET-2"]}' "$url")
  # 412: another client changed the manifest first. Read it again.
  if [ "$status" != 412 ]; then break; fi
done

cat "$answer"
test "$status" = 200
