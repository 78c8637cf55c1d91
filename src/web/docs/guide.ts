/** The introduction of the contract. */
export const INFO = {
  title: 'Warehouse Dispatch Integration API',
  version: '0.1.0',
  summary:
    'Markers, tracks, manifests and shipments of a warehouse, for its WMS and the devices at its gates.',
  description: `A WMS requests scannable marker codes and couples them to its pallets (tracks). It groups pallets into
manifests, and manifests into shipments. Cameras at the gates report which pallets are loaded. A pallet that does not
belong to the load of the gate raises an alert. The examples of this document come from one recorded dispatch day. The
same identifiers appear from the first marker to the departure of the truck.

Start with the [quick start](/docs/quickstart): you load a first pallet in 10 minutes, with commands to copy. The
[guides](/docs/writing-a-client) have the rules for a client, and programs in four languages.

## Credentials

- The integration API takes an API key in \`X-AUTH-KEY\`.
- The operations of devices and of calibration files take an access token with scopes in \`X-Auth-Token\`.
- The operator provisions organizations and their credentials with \`X-OPERATOR-KEY\`.

Every request works within the organization of its credential. For a resource of another organization, the answer is 404.

## Writes

Every POST, PUT, PATCH and DELETE takes an \`Idempotency-Key\` (1 to 255 visible ASCII characters, kept for 30
days). After a timeout, a network error, 429 or 5xx, send the same request with the same key again. The
request has one effect. A repeat gets the first response, with \`Idempotent-Replayed: true\`. If you send another request with the same key, the answer is 422. The section [retries](/docs/writing-a-client#retries) has all rules.

Bodies are JSON in UTF-8. They have at most 1 MiB unless an operation says otherwise (413). They have at most
64 levels, where the outermost object or array is level 1 (400 \`malformedJson\`). They are strict:
for an undocumented field, the answer is 400 \`unknownField\`. You can send back an object that you have read.
Fields that are \`readOnly\` cannot be set; they are accepted and ignored. Text is well-formed
Unicode without NUL, and is returned exactly. A name needs at least one character that is not white space.
A number that is not finite, such as \`1e400\`, gets the status 400, except inside calibration files.
In an optional field, \`null\` means that the field is absent, unless the field says otherwise. An identifier that is
part of a path cannot be \`.\` or \`..\` (400), because URLs leave these out.

A body may have \`Content-Encoding: gzip\`. The limit then applies to the unpacked body. Another encoding or
character set gets 415. An operation without a body refuses one with 400 \`bodyNotAllowed\`. It ignores an empty body,
\`null\` and \`{}\`. If you cannot send PUT, PATCH or DELETE, send a POST with \`X-HTTP-Method-Override\`.

## Errors

Every error is \`application/problem+json\` (RFC 9457). Branch on \`code\` and show \`detail\`. The list
\`errors[]\` has every failing item, up to 100. The page [errors](/docs/errors) explains every code. In this document, \`x-problems\` lists all codes, and \`x-answer-headers\` lists the headers that nearly every response has. Besides the errors of each operation, an unknown path
gets 404 \`notFound\`, and an unknown method at a path gets 405 with \`Allow\`. HEAD works where GET does, unless the operation says otherwise.

If a request has several faults, the answer reports the first one in this list:

1. Faults of the request that need no stored data (400, 413, 415).
2. A missing manifest, shipment or other resource of the path (404).
3. An \`If-Match\` that does not contain the current ETag (412).
4. Faults that do not depend on the state of the resource, such as an unknown gate or custom field in the
   body, or an attempt to change the identifier (400). If the path assigns a gate (\`…/gate/{gateExternalId}\`) that does not exist,
   the answer of this step is 404. All faults of this step are reported at once.
5. A resource that is closed or belongs to a shipment (409).
6. Anything else that the present state of the resource does not allow.

## Lists

Paginated lists take \`pageNumber\`, \`pageSize\`, \`sort.sortBy\` and \`sort.direction\`. To read a whole
list, follow \`Link: <…>; rel="next"\`. If a row exists all the time while you read the list, you see it exactly once, however many writes happen.

To filter by several values, repeat the parameter (then commas have no special meaning). Or send the parameter
once, with commas between the values. To filter by one value that contains a comma, send the parameter twice, both times with this value. Dates in
filters are epoch milliseconds (int64) or ISO 8601. Without an offset, they are times in the \`timeZone\` of the
organization. Write \`+\` as \`%2B\` in a query. A filter that ends in \`After\` includes the date itself. A filter that ends in \`Before\` does not. For an
undocumented query parameter, the answer is 400 \`unknownParameter\`.

## Receiving webhooks

\`POST …/webhook\` registers a receiver and returns its \`secret\`, once. From then on the service sends every
matching event to the URL, signed as
[Standard Webhooks](https://www.standardwebhooks.com) defines.

- Verify \`webhook-signature\` over \`{webhook-id}.{webhook-timestamp}.{body}\` (HMAC-SHA256, base64,
  \`v1,…\`), with the bytes of the body as received. While two secrets overlap, a space separates the
  signatures.
- Refuse a timestamp that is more than five minutes off.
- Respond with 2xx within 15 seconds, and work afterwards.
- An event may come twice (same \`webhook-id\`) and out of order. Ignore an \`eventIdentifier\` that you know.
  Of two states of a resource, use the one with the greater \`sequenceNumber\`.

Without a 2xx response, the event is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.
A 410 response disables the webhook. You can read the same events from \`GET …/event\`.`,
  contact: { name: 'The operator of this host' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

export const SERVERS = [
  {
    url: '/',
    description:
      'The host of this document: the shared host of all organizations, or the host of one organization',
  },
];

/** The groups of operations, in the order in which an integrator needs them. */
export const TAGS = [
  ['Marker code', 'Codes that scanners read. They are allocated once, in order and without gaps.'],
  ['Track', 'A pallet: the identifier that the WMS gave it, coupled to a marker code.'],
  ['Client', 'Customers whose pallets are dispatched. Only for organizations with `clientFeatureEnabled`.'],
  ['Manifest', 'A work order: the pallets that are loaded together.'],
  [
    'Shipment',
    'Manifests that leave together from one gate. Only for organizations with the `dispatchStrategy` SHIPMENT, a setting of the operator.',
  ],
  [
    'Shipment loading',
    'Loading records, which show whether and where each pallet of a shipment was loaded, and corrections by hand.',
  ],
  [
    'Manifest loading',
    'Loading records and corrections by hand, for a manifest that leaves without a shipment.',
  ],
  ['Photo', 'Photos of damage, loads and seals.'],
  ['Archive', 'Manifests and shipments that were closed long ago.'],
  ['Public page', 'Pages and documents about departed loads, for anybody with the link.'],
  ['Device', 'Reports of the devices at the gates: scans and heartbeats.'],
  ['Gate', 'Places where trucks are loaded.'],
  ['Alert event', 'Problems that a person has to take care of.'],
  ['Report', 'Figures of completed shipments.'],
  ['Operation', 'Accepted work that is done in the background.'],
  ['Event', 'Everything that webhooks deliver, to read in order.'],
  ['EPCIS', 'Events of pallets in the GS1 format for trading partners.'],
  ['Webhook', 'Receivers of events, and the deliveries to them.'],
  [
    'Printing batch',
    'Blocks of marker codes with their labels as PDF and ZPL (for label printers). Each block is assigned to a scanner.',
  ],
  ['Scanner', 'Devices that read markers.'],
  ['Local manager', 'Computers on site that look after gates and devices.'],
  ['Agent', 'Programs on site that serve printers, cameras or a connection to the WMS.'],
  ['Sandbox', 'Simulated cameras, for integrators who have none yet.'],
  ['Calibration', 'Calibration files of cameras.'],
  ['User', 'People, their permissions, and how they sign in.'],
  ['Audit log', 'Who changed what, in a hash chain that reveals each change to a past record.'],
  [
    'Operator',
    'Provisioning of organizations, credentials, gates, devices and authorities (named sets of permissions).',
  ],
  ['Service', 'Whether the service is available.'],
].map(([name, description]) => ({ name, description }));
