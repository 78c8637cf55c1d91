#!/usr/bin/env bash
# Creates a manifest exactly once, although requests or answers may get lost. Set BASE_URL and API_KEY first.
set -euo pipefail

# The key belongs to the order, not to the attempt. So every repeat has the same key, also after a restart.
key="create-ORDER-10248"
answer=$(mktemp)

for attempt in 1 2 3 4 5 6; do
  read -r status retry_after < <(
    curl --silent --max-time 30 --output "$answer" --write-out '%{http_code} %header{retry-after}\n' \
      --header "X-AUTH-KEY: $API_KEY" \
      --header "Idempotency-Key: $key" \
      --json '{"externalIdentifier": "ORDER-10248"}' \
      "$BASE_URL/integration/rest/api/v1/manifest"
  ) || true
  # 000: no answer arrived. 429 and 5xx: try again later. Every other answer is final.
  case "$status" in 000 | 429 | 5??) ;; *) break ;; esac
  sleep "${retry_after:-$((2 ** attempt))}"
done

cat "$answer"
case "$status" in 2??) ;; *) exit 1 ;; esac
