import http from 'node:http';
import https from 'node:https';
import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../kit/db/db.ts';
import { codeOf } from '../../../kit/db/system-errors.ts';
import { faultOf } from '../../../kit/net/exchange-fault.ts';
import { makeQuestion, type Question, questionPath, type Seen } from './questions.ts';

/** An address by which people or programs reach the installation. */
export type PublicAddress = {
  /** The settings that name it. */
  setting: string;
  /** Without a slash at its end. */
  address: string;
};

/** What came back from a public address. */
export type AddressAnswer = PublicAddress & {
  outcome:
    | { kind: 'ours'; seen: Seen; gapMs: number }
    | { kind: 'other' | 'unreachable' | 'unresolved'; because: string };
};

/** An address of a network for documentation (RFC 5737), which no client has. */
export const claimedAddress = '192.0.2.77';
const mostBytes = 8_192;
const limitMs = 7_000;

/** BASE_URL as it is; of the others what is before the path, since they have no other one than the gateway's. */
export function publicAddresses({
  baseUrl,
  payUrl,
  origins,
}: Pick<Config, 'baseUrl' | 'payUrl' | 'origins'>): PublicAddress[] {
  const named = [
    { setting: 'BASE_URL', address: baseUrl.replace(/\/+$/, '') },
    { setting: 'PAY_URL', address: new URL(payUrl).origin },
    ...origins.map((origin) => ({ setting: 'ORIGINS', address: origin })),
  ];
  const groups = Map.groupBy(named, ({ address }) => address);
  return [...groups].map(([address, group]) => ({
    address,
    setting: [...new Set(group.map(({ setting }) => setting))].join(', '),
  }));
}

/** Asks each public address a question that only this installation can answer. */
export async function askAddresses(
  config: Pick<Config, 'baseUrl' | 'payUrl' | 'origins'>,
  db: Database,
  signal: AbortSignal,
): Promise<AddressAnswer[]> {
  const question = await makeQuestion(db);
  return await Promise.all(
    publicAddresses(config).map(async (each) => ({
      ...each,
      outcome: await ask(each.address, question, AbortSignal.any([signal, AbortSignal.timeout(limitMs)])),
    })),
  );
}

async function ask(
  address: string,
  question: Question,
  signal: AbortSignal,
): Promise<AddressAnswer['outcome']> {
  try {
    const { status, text, gapMs } = await exchange(`${address}${questionPath}/${question.id}`, signal);
    const seen = status === 200 ? seenIn(text) : null;
    if (seen?.answer === question.answer) return { kind: 'ours', seen, gapMs };
    return { kind: 'other', because: `answered ${status}` };
  } catch (error) {
    const isUnknown = /^(?:ENOTFOUND|EAI_AGAIN|ENODATA)$/.test(codeOf(error));
    if (signal.aborted) return { kind: 'unreachable', because: `no whole answer within ${limitMs / 1000} s` };
    return { kind: isUnknown ? 'unresolved' : 'unreachable', because: faultOf(error as Error) };
  }
}

function seenIn(text: string): Seen | null {
  try {
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null') as Seen | null;
  } catch {
    return null;
  }
}

/** `gapMs`: between the first bytes of the answer and the last ones. */
type Exchange = { status: number; text: string; gapMs: number };

/**
 * One GET on a connection of its own. The certificate is not judged here: another check does that, and what is told here is
 * no secret.
 */
function exchange(address: string, signal: AbortSignal): Promise<Exchange> {
  const { request } = address.startsWith('https:') ? https : http;
  const options = {
    ...{ agent: false, rejectUnauthorized: false, signal },
    headers: { 'x-forwarded-for': claimedAddress, accept: 'text/event-stream', 'user-agent': 'Florin' },
  } as const;
  return new Promise((resolve, reject) => {
    const sent = request(address, options, (response) => {
      const chunks: Buffer[] = [];
      let [bytes, firstMs, lastMs] = [0, 0, 0];
      response.on('data', (chunk: Buffer) => {
        lastMs = performance.now();
        if (chunks.length === 0) firstMs = lastMs;
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > mostBytes) response.destroy(new Error('The answer is too long'));
      });
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, text, gapMs: lastMs - firstMs });
      });
    });
    sent.on('error', reject).end();
  });
}
