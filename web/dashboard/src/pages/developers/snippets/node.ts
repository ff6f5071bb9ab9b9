import type { SnippetContext, SnippetSet } from './snippet.ts';

const sdkImport = (name: string) => `import { ${name} } from '@florin/sdk';`;

const client = ({ baseUrl, key }: SnippetContext) => `${sdkImport('createClient')}

const florin = createClient({
  secretKey: process.env.FLORIN_SECRET_KEY, // ${key}: it was shown once, when it was made
  baseUrl: '${baseUrl}',
});
`;

export const node: SnippetSet = {
  label: 'Node',
  create: (context) => `${client(context)}
const { PaymentData, PaymentURL } = await florin.payments.create(
  { amount: 20, currency: 'USDC', payment_type: 'deposit' },
  { idempotencyKey: 'order-1001' },
);
// Keep PaymentData.payment_reference with the order, and send the customer to PaymentURL.
console.log(PaymentData.payment_reference, PaymentURL);`,
  verify: ({ key, integrationId }) => `import { createServer } from 'node:http';
${sdkImport('verifyWebhook')}

const secrets = {
  secretKey: process.env.FLORIN_SECRET_KEY, // ${key}
  endpointSecret: process.env.FLORIN_WEBHOOK_SECRET, // whsec_..., shown when the endpoint was made
};

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = await verifyWebhook({ body: Buffer.concat(chunks), headers: request.headers, ...secrets });
    if (event.integration_id !== '${integrationId}') throw new Error('for another integration');
    console.log(event.event_type, event.payment_reference);
    response.writeHead(200).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(3000);`,
  fundUser: (context) => `${client(context)}
await florin.fundUser(
  { username: 'jane_doe', amount: 5, currency: 'usdc-erc20' },
  { idempotencyKey: 'payout-1001' },
);`,
};
