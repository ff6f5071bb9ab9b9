/**
 * A server in one file of Node, without packages, that takes webhooks at `url`: it checks the signature and the age of each,
 * handles an event once, and marks the order of a completed payment as paid.
 */
export function serverFile(url: string, secret: string): string {
  const { port, protocol, pathname } = new URL(url);
  const own = port || (protocol === 'https:' ? '443' : '80');
  return `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.FLORIN_WEBHOOK_SECRET ?? '${secret}';
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const handled = new Set(); // In your shop: a table, written in the order's own transaction.

function isGenuine(body, { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' }) {
  const age = Math.abs(Date.now() / 1000 - Number(time));
  const hash = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(body).digest('base64');
  const expected = Buffer.from(\`v1,\${hash}\`);
  const signatures = given.split(' ').map((each) => Buffer.from(each));
  return age < 300 && signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (request.method !== 'POST' || !isGenuine(body, request.headers)) return response.writeHead(400).end();
  const event = JSON.parse(body);
  if (event.event_type === 'payment_completed' && !handled.has(event.event_id)) {
    console.log(\`Order paid: \${event.payment_reference}, \${event.amount} \${event.currency}\`);
  }
  handled.add(event.event_id);
  response.writeHead(200).end();
}).listen(${own}, () => console.log('Waiting for webhooks at http://localhost:${own}${pathname}'));
`;
}
