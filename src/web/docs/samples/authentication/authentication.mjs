// Lists the gates of your organization. Set BASE_URL and API_KEY first.
const response = await fetch(`${process.env.BASE_URL}/integration/rest/api/v1/gate`, {
  headers: { 'X-AUTH-KEY': process.env.API_KEY },
});
const body = await response.json();
if (!response.ok) throw new Error(`${response.status} ${body.code}: ${body.detail}`);
console.log(body.content.map((gate) => gate.externalIdentifier));
