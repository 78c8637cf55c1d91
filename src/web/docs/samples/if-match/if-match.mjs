// Replaces the pallets of a manifest, unless another client changes it at the same time. Set BASE_URL and API_KEY first.
const url = `${process.env.BASE_URL}/integration/rest/api/v1/manifest/ORDER-10248`;
const headers = { 'X-AUTH-KEY': process.env.API_KEY, 'Content-Type': 'application/json' };

for (let attempt = 1; ; attempt += 1) {
  const read = await fetch(url, { headers });
  if (!read.ok) throw new Error(`${read.status} ${await read.text()}`);
  const changed = await fetch(url, {
    method: 'PUT',
    headers: { ...headers, 'If-Match': read.headers.get('ETag') },
    body: JSON.stringify({ assets: ['PALLET-1', 'PALLET-2'] }),
  });
  // 412: another client changed the manifest first. Read it again.
  if (changed.status === 412 && attempt < 3) continue;
  if (!changed.ok) throw new Error(`${changed.status} ${await changed.text()}`);
  console.log(await changed.json());
  break;
}
