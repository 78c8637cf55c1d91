// Prints every manifest, page by page. Set BASE_URL and API_KEY first.
async function* walk(path) {
  let url = `${process.env.BASE_URL}${path}`;
  while (url) {
    const response = await fetch(url, { headers: { 'X-AUTH-KEY': process.env.API_KEY } });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    yield* (await response.json()).content;
    // The header is missing on the last page.
    url = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
}

for await (const manifest of walk('/integration/rest/api/v1/manifest?pageSize=100')) {
  console.log(manifest.externalIdentifier);
}
