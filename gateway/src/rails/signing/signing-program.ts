import type { HttpSender } from '../../kit/net/safe-fetch.ts';
import { SendFault } from './send-fault.ts';
import type { SignerConfig } from './signer-config.ts';
import { readSignerSecret } from './signer-secret.ts';

/** A program of the operator's own, which is sent a transaction and answers it with its signature. */
export type SigningProgram = {
  /** Sends a transaction and the name of its network; returns the transaction of the answer. Throws SendFault, without secrets. */
  sign(content: { transaction: string } & Record<string, string | number>): Promise<string>;
};

/** `sender` reaches any address: the operator chose it. */
export function createSigningProgram(
  { url, tokenFile }: Extract<SignerConfig, { kind: 'http' }>,
  sender: HttpSender,
): SigningProgram {
  const address = new URL(url);
  const fault = (why: string) => new SendFault(`The signer at ${address.host} ${why}`);
  return {
    async sign(content) {
      const token = tokenFile === null ? null : await readSignerSecret(tokenFile, 'token');
      const answer = await sender.send({
        url: address,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: Buffer.from(JSON.stringify(content)),
        reach: 'any',
      });
      if ('error' in answer) throw fault(`did not answer: ${answer.error}`);
      if (answer.statusCode !== 200) throw fault(`answered ${answer.statusCode}`);
      const signed = transactionOf(answer.body);
      if (signed === null) throw fault('answered something else than a transaction');
      return signed;
    },
  };
}

function transactionOf(body: Buffer): string | null {
  try {
    const { transaction } = JSON.parse(body.toString('utf8')) as { transaction?: unknown };
    return typeof transaction === 'string' ? transaction : null;
  } catch {
    return null;
  }
}
