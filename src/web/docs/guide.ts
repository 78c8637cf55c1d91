/** The introduction of the contract. */
export const INFO = {
  title: 'Warehouse Dispatch Integration API',
  version: '1.0.0',
  summary:
    'Markers, tracks, manifests and shipments of a warehouse, for its WMS and the devices at its gates.',
  description: `A WMS allocates scannable marker codes, couples them to its pallets (tracks), groups pallets into manifests
and manifests into shipments. Cameras at the gates report what is loaded; a pallet that does not belong there raises an
alert. The examples of this document are one dispatch day: its identifiers are the same from the first marker to the
truck that leaves.

## Credentials

The integration API takes an API key in \`X-AUTH-KEY\`. Devices and calibration take an access token with scopes in
\`X-Auth-Token\`. The operator, who provisions organizations and their credentials, has \`X-OPERATOR-KEY\`. Everything is
within the organization of the credential; what belongs to another one is 404.

## Writes

Every POST, PUT, PATCH and DELETE takes an \`Idempotency-Key\` (1 to 255 visible ASCII characters, kept 30 days). On a
time-out, a network error, 429 or 503, send the same request with the same key again: it has one effect, and a repeat is
answered like the first with \`Idempotent-Replayed: true\`. The same key with another request is 422. Bodies are JSON in
UTF-8, at most 1 MiB unless an operation says otherwise (413), and strict: a field that is not documented is 400
\`unknownField\`. What was read can be sent back: fields that are \`readOnly\` in a body are what its GET shows and nobody
can set; they are accepted and ignored. Text is well-formed Unicode without NUL, and is returned exactly; names of things
have a character that is not white space. Numbers are finite: \`1e400\` is 400 everywhere, except inside calibration files.

## Errors

Every error is \`application/problem+json\` (RFC 9457). Branch on \`code\`, show \`detail\`, and find every failing item in
\`errors[]\`, up to 100 of them. All codes stand in \`x-problems\`, and headers of nearly every answer in \`x-answer-headers\`. Besides what an operation lists, an unknown path is 404 \`notFound\`, and
another method at a path is 405 with \`Allow\`. HEAD works where GET does.

Of several faults the first in this order is reported: the request by itself (400, 413, 415); the manifest, shipment or other
resource of the path (404); \`If-Match\` (412); what is wrong whatever state the resource is in, such as an unknown
gate or custom field, or another identifier (400, a gate of the path 404), all of it at once; a resource that is closed
or belongs to a shipment (409); and then what its present state does not allow.

## Lists

Paginated lists take \`pageNumber\`, \`pageSize\`, \`sort.sortBy\` and \`sort.direction\`. To read all of a list, follow
\`Link: <…>; rel="next"\`: however much is written meanwhile, every row that stayed present is seen exactly once. Filters of
several values repeat the parameter, each value as it is, or send it once with commas between: so a value with a comma is
asked for by sending it twice. Dates in filters are epoch milliseconds (int64) or ISO 8601, After included, Before not. A
query parameter that is not documented is 400 \`unknownParameter\`.

## Receiving webhooks

\`POST …/webhook\` registers a receiver and answers its \`secret\`, once. From then on the URL is sent every event that
matches, signed by [Standard Webhooks](https://www.standardwebhooks.com). Verify \`webhook-signature\` over
\`{webhook-id}.{webhook-timestamp}.{body}\` (HMAC-SHA256, base64, \`v1,…\`; several signatures are separated by a space
while two secrets overlap) with the bytes of the body as they came, and refuse a timestamp that is more than five minutes
off. Answer 2xx within 15 seconds and work afterwards. An event may come twice (same \`webhook-id\`) and out of order:
ignore an \`eventIdentifier\` that you know, and of two states of a resource take the one with the greater
\`sequenceNumber\`. Anything but 2xx is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; 410
switches the webhook off. The same events can be read from \`GET …/event\`.`,
  contact: { name: 'Whoever runs this host' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

export const SERVERS = [
  {
    url: '/',
    description: 'The host of this document: of all organizations, or of one',
  },
];

/** The groups of operations, in the order in which an integrator needs them. */
export const TAGS = [
  ['Marker code', 'Codes that scanners read. They are allocated once, in order and without gaps.'],
  ['Track', 'A pallet: the identifier that the WMS gave it, coupled to a marker code.'],
  ['Client', 'Customers whose pallets are dispatched. Needs the client feature of the organization.'],
  ['Manifest', 'A work order: the pallets that are loaded together.'],
  ['Shipment', 'Manifests that leave together from one gate. Needs the dispatch strategy SHIPMENT.'],
  ['Shipment loading', 'What is on the truck, pallet by pallet, and putting it right by hand.'],
  ['Manifest loading', 'The same for a manifest that leaves by itself, in no shipment.'],
  ['Archive', 'Manifests and shipments that were closed long ago.'],
  ['Public page', 'What anybody with the link may see of what has left.'],
  ['Device', 'What devices at the gates report: scans and heartbeats.'],
  ['Gate', 'Where trucks are loaded.'],
  ['Alert event', 'What somebody has to take care of.'],
  ['Operation', 'Work that was accepted and is done in the background.'],
  ['Event', 'Everything that webhooks deliver, to be read in order.'],
  ['EPCIS', 'What happened to pallets, in the GS1 format for trading partners.'],
  ['Webhook', 'Receivers of events, and the deliveries to them.'],
  ['Printing batch', 'Blocks of marker codes for a scanner, and their labels as PDF and ZPL.'],
  ['Scanner', 'Devices that read markers.'],
  ['Local manager', 'Computers on site that look after gates and devices.'],
  ['Agent', 'Programs on site: printers, connectors, cameras.'],
  ['Sandbox', 'Simulated cameras, for those who have none yet.'],
  ['Calibration', 'Files that cameras are calibrated with.'],
  ['User', 'People, their permissions, and how they sign in.'],
  ['Audit log', 'Who changed what, in a chain that nobody can alter unnoticed.'],
  ['Operator', 'Provisioning of organizations, credentials, gates, devices and authorities.'],
  ['Service', 'Whether the service is available.'],
].map(([name, description]) => ({ name, description }));
