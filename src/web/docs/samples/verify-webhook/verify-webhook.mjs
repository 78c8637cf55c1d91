// Receives webhooks at PORT, and prints the id of each event once. Set WEBHOOK_SECRET first.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

function isValid(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  // Refuse an old delivery, so that nobody can record and repeat it.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300)) return false;
  // The signature covers the bytes of the body as they arrived.
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // There is one signature for each valid secret.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// Keep the ids in your database, with the result of the event.
const seen = new Set();

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  if (!isValid(request.headers, Buffer.concat(parts))) return response.writeHead(400).end();
  const id = request.headers['webhook-id'];
  // The same event can arrive twice.
  if (!seen.has(id)) console.log(id);
  seen.add(id);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT), '127.0.0.1');
