import { request } from '../../kit/net/undici.ts';

const usualMs = 5_000;
const maxBytes = 512 * 1024;

/** Reads an address within five seconds. Redirects are not followed; a longer answer is not read to its end. */
export async function getText(url: string, timeoutMs: number = usualMs): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { accept: 'application/json, text/xml', 'user-agent': 'Florin' };
  try {
    const { statusCode, body } = await request(url, { signal, headers });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Error(`answered more than ${maxBytes / 1024} KB`);
      chunks.push(chunk);
    }
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    if (signal.aborted) throw new Error(`did not answer within ${timeoutMs / 1000} seconds`);
    throw error;
  }
}
