#!/usr/bin/env bash
# Verifies one delivery: its body is standard input. WEBHOOK_ID, WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE are its headers.
set -euo pipefail

# Refuse an old delivery, so that nobody can record and repeat it.
[[ "$WEBHOOK_TIMESTAMP" =~ ^[0-9]{1,12}$ ]]
age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
if [ "$age" -gt 300 ] || [ "$age" -lt -300 ]; then echo 'The timestamp is too far off' >&2; exit 1; fi

hex() { od -An -v -tx1 | tr -d ' \n'; }
hmac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary; }

# The secret is base64 behind the prefix. The signature covers the bytes of the body as they arrived.
key=$(printf '%s' "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | hex)
expected="v1,$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat; } | hmac "$key" | openssl base64 -A)"

# There is one signature for each valid secret. Comparing hashes by a random key reveals nothing by its duration.
random=$(openssl rand -hex 32)
for signature in $WEBHOOK_SIGNATURE; do
  if [ "$(printf '%s' "$signature" | hmac "$random" | hex)" = "$(printf '%s' "$expected" | hmac "$random" | hex)" ]; then
    echo "$WEBHOOK_ID"
    exit 0
  fi
done
echo 'The signature is wrong' >&2
exit 1
