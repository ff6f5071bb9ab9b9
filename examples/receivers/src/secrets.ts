/** What proves a webhook. Each may hold two secrets, separated by a comma, while one is being rolled. */
export function webhookSecrets() {
  return {
    secretKey: listOf('FLORIN_SECRET_KEY'), // checks X-Signature
    endpointSecret: listOf('FLORIN_WEBHOOK_SECRET'), // checks webhook-signature, and stops replays
  };
}

function listOf(name: string): string[] {
  const value = process.env[name];
  // A secret that is missing must not mean a signature that is not checked.
  if (!value) throw new Error(`Set ${name}`);
  return value.split(',');
}
