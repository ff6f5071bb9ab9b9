import type { SnippetContext, SnippetSet } from './snippet.ts';

const exported = ({ key }: SnippetContext) => `export FLORIN_SECRET_KEY='${key}'
`;

const headers = `-H "Authorization: Bearer $FLORIN_SECRET_KEY" \\
  -H 'Content-Type: application/json'`;

export const curl: SnippetSet = {
  label: 'curl',
  create: (context) => `${exported(context)}
curl -X PUT ${context.baseUrl}/payment/create \\
  ${headers} \\
  -d '{"amount": 20, "currency": "USDC", "payment_type": "deposit"}'`,
  verify: (context) => `${exported(context)}
# body.json: the body's bytes as they came; SIGNATURE: the X-Signature header
openssl dgst -sha256 -hmac "$FLORIN_SECRET_KEY" -binary body.json | base64
# genuine when both are the same:
echo "$SIGNATURE"`,
  fundUser: (context) => `${exported(context)}
curl -X POST ${context.baseUrl}/payment/fund-user \\
  ${headers} \\
  -H 'Idempotency-Key: payout-1001' \\
  -d '{"username": "jane_doe", "amount": 5, "currency": "usdc-erc20"}'`,
};
