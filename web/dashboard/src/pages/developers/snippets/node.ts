import { keyNote, type SnippetContext, type SnippetSet } from './snippet.ts';

/** A test key may stand in the code, which then runs as it was pasted. */
const fallback = ({ key, isWhole }: SnippetContext) => (isWhole ? ` ?? '${key}'` : '');

const sdkImport = (name: string) => `import { ${name} } from '@florin/sdk';`;

const client = (context: SnippetContext) => `${sdkImport('createClient')}

const florin = createClient({
  secretKey: process.env.FLORIN_SECRET_KEY${fallback(context)}, // ${keyNote(context)}
  baseUrl: '${context.baseUrl}',
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
  verify: (context) => `import { createServer } from 'node:http';
${sdkImport('verifyWebhook')}

const secrets = {
  secretKey: process.env.FLORIN_SECRET_KEY${fallback(context)}, // ${keyNote(context)}
  endpointSecret: process.env.FLORIN_WEBHOOK_SECRET, // whsec_..., shown when the endpoint was made
};

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = await verifyWebhook({ body: Buffer.concat(chunks), headers: request.headers, ...secrets });
    if (event.integration_id !== '${context.integrationId}') throw new Error('for another integration');
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
