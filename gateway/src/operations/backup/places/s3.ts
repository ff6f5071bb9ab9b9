import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { BucketAddress } from '../../../config/backups.ts';
import { readSecret } from '../../../kit/secret.ts';
import { assertPath, NotPlaced } from './paths.ts';
import { faultIn, filesIn, textOf } from './s3-answers.ts';
import type { BackupPlace, Placed } from './types.ts';

/** For tests, whose buckets are small and whose faults are many. */
type Options = { partBytes?: number; pageFiles?: number; againMs?: number };

type Order = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** The name of a file in the bucket; empty: the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  body?: Buffer;
  /** Statuses that are an answer here, beside success. */
  also?: readonly number[];
};

// A file has at most 10,000 parts: 160 GB. Two parts are in memory at once.
const partBytes = 16 * 1024 * 1024;
const pageFiles = 1_000;
const tries = 6;
const againMs = 500;
/** Longest wait for the head of an answer: a part of 16 MB takes that long at 1 Mbit/s. */
const answerMs = 150_000;
const removedAtOnce = 8;

/** A bucket of S3, or of what speaks its protocol, as the place of backups. */
export function openBucket(address: BucketAddress, options: Options = {}): BackupPlace {
  const { name, prefix } = address;
  const terms = { partBytes, pageFiles, againMs, ...options };
  const ask = createAsk(address, terms.againMs);
  const start = prefix === '' ? '' : `${prefix}/`;
  const keyOf = (path: string): string => {
    assertPath(path);
    return `${start}${path}`;
  };

  async function* pages(under: string): AsyncGenerator<Placed> {
    for (let marker = ''; ; ) {
      const query = { prefix: under, 'max-keys': `${terms.pageFiles}`, ...(marker && { marker }) };
      const { files, isLast } = filesIn(await (await ask({ method: 'GET', query })).text());
      for (const file of files) yield { ...file, path: file.path.slice(start.length) };
      marker = files.at(-1)?.path ?? '';
      if (isLast || marker === '') return;
    }
  }

  return {
    name,
    async put(path, from) {
      const key = keyOf(path);
      const parts = cut(from, terms.partBytes);
      const first = (await parts.next()).value ?? Buffer.alloc(0);
      const second = (await parts.next()).value;
      if (second) return await putInParts(ask, key, following([first, second], parts));
      await ask({ method: 'PUT', key, body: first });
      return first.length;
    },
    async get(path) {
      const answer = await ask({ method: 'GET', key: keyOf(path), also: [404] });
      if (answer.status !== 404 && answer.body) return Readable.fromWeb(answer.body);
      const { code, message } = faultIn(await answer.text());
      if (code === 'NoSuchKey' || code === '') throw new NotPlaced(name, path);
      throw new Error(`${name}: ${code}: ${message}`);
    },
    async list(folder) {
      if (folder !== '') assertPath(folder);
      const found = await Array.fromAsync(pages(folder === '' ? start : `${start}${folder}/`));
      return found.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async remove(paths) {
      for (let at = 0; at < paths.length; at += removedAtOnce) {
        const some = paths.slice(at, at + removedAtOnce);
        await Promise.all(some.map((path) => ask({ method: 'DELETE', key: keyOf(path), also: [404] })));
      }
    },
  };
}

type Ask = (order: Order) => Promise<Response>;

/** Uploads a file part by part, and gives it its name at the end. What fails leaves no parts that cost money. */
async function putInParts(ask: Ask, key: string, parts: AsyncIterable<Buffer>): Promise<number> {
  const begun = await ask({ method: 'POST', key, query: { uploads: '' } });
  const uploadId = textOf(await begun.text(), 'UploadId');
  try {
    const etags: string[] = [];
    let bytes = 0;
    for await (const body of parts) {
      const query = { partNumber: `${etags.length + 1}`, uploadId };
      const { headers } = await ask({ method: 'PUT', key, query, body });
      etags.push(headers.get('etag') ?? '');
      bytes += body.length;
    }
    const list = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
    const done = await (await ask({ method: 'POST', key, query: { uploadId }, body })).text();
    // A fault at this step comes with the status 200.
    const { code, message } = faultIn(done);
    if (code !== '') throw new Error(`${code}: ${message}`);
    return bytes;
  } catch (error) {
    await ask({ method: 'DELETE', key, query: { uploadId }, also: [404, 501] }).catch(() => {});
    throw error;
  }
}

/** Signs calls and makes them; a fault that may pass is tried again, for half a minute. */
function createAsk({ name, root, region, ...keys }: BucketAddress, firstPauseMs: number): Ask {
  async function once({ method, key = '', query = {}, body }: Order): Promise<Response> {
    // Loaded by the first call to a bucket.
    const { AwsClient } = await import('aws4fetch');
    const token = keys.sessionToken && (await readSecret(keys.sessionToken));
    const client = new AwsClient({
      accessKeyId: keys.accessKeyId,
      secretAccessKey: await readSecret(keys.secretAccessKey),
      ...(token && { sessionToken: token }),
      ...{ service: 's3', region },
    });
    const url = `${root}/${key}?${new URLSearchParams(query)}`;
    // The server compares the digest with what arrives.
    const headers = {
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    };
    const request = await client.sign(url, { method, headers, ...(body && { body: new Uint8Array(body) }) });
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(new Error('there was no answer in time')), answerMs);
    try {
      return await fetch(request, { signal: ending.signal });
    } finally {
      clearTimeout(timer);
    }
  }
  return async (order) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await once(order).catch((error: Error) => error);
      const isLast = attempt === tries;
      if (answer instanceof Error) {
        if (isLast) throw new Error(`${name} cannot be reached: ${whyOf(answer)}`);
      } else {
        if (answer.ok || order.also?.includes(answer.status)) return answer;
        const { code, message } = faultIn(await answer.text());
        const passes = answer.status >= 500 || answer.status === 429 || answer.status === 408;
        if (isLast || !passes) throw new Error(`${name}: ${code || `status ${answer.status}`}: ${message}`);
      }
      await pause(firstPauseMs * 2 ** (attempt - 1));
    }
  };
}

/** The reason of a failed fetch, whose own message is only that it failed. */
function whyOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

/** The same bytes in pieces of one size; the last may be smaller. */
async function* cut(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer, undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (let chunk of source) {
    while (length + chunk.length >= bytes) {
      const rest = bytes - length;
      yield Buffer.concat([...parts, chunk.subarray(0, rest)]);
      chunk = chunk.subarray(rest);
      parts = [];
      length = 0;
    }
    if (chunk.length > 0) parts.push(chunk);
    length += chunk.length;
  }
  if (length > 0) yield Buffer.concat(parts);
}

async function* following(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}
