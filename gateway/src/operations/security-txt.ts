import type { FastifyInstance } from 'fastify';

export type SecurityTxt = {
  contact: { addresses: readonly string[]; expires: Date } | null;
  baseUrl: string;
  now: () => Date;
};

const path = '/.well-known/security.txt';

/** Serves `security.txt` (RFC 9116), unless there is no contact or it has expired. */
export function securityTxtRoutes(app: FastifyInstance, { contact, baseUrl, now }: SecurityTxt): void {
  app.get(path, { schema: { hide: true } }, (_request, reply) => {
    if (!contact || now() >= contact.expires) return reply.callNotFound();
    const fields = [
      ...contact.addresses.map((each) => `Contact: ${each}`),
      `Expires: ${contact.expires.toISOString()}`,
      `Canonical: ${baseUrl}${path}`,
      'Preferred-Languages: en',
    ];
    return reply.type('text/plain; charset=utf-8').send(`${fields.join('\n')}\n`);
  });
}
