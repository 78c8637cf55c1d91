#!/usr/bin/env bash
# Lists the gates of your organization. Set BASE_URL and API_KEY first.
set -euo pipefail

curl --silent --show-error --fail-with-body \
  --header "X-AUTH-KEY: $API_KEY" \
  "$BASE_URL/integration/rest/api/v1/gate"
