import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BucketAddress } from '../../src/config/backups.ts';
import { readConfig } from '../../src/config/config.ts';
import { newIdentity } from '../../src/operations/backup/encrypt.ts';
import { atFileEnd } from '../suite/endings.ts';
import { testFolder } from '../support/data-dir.ts';

type Server = {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: { closeAllConnections(): void };
};
type Options = {
  port: number;
  address: string;
  directory: string;
  silent: boolean;
  configureBuckets: object[];
};

// It has no types.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: Options) => Server;

export type Bucket = {
  address: BucketAddress;
  /** The settings of a gateway that keeps its backups there. */
  env: Record<string, string>;
  /** The calls since the last time, as `PUT /coins/a?partNumber=1`. */
  calls(): string[];
  /** Called before each call is passed on: a status that is answered in its place, or `cut` to end the connection. */
  onCall: (call: string) => number | 'cut' | null;
};

/** A server of S3 with a bucket of the calling test file's own, behind a proxy that can disturb it. */
export async function openTestBucket(prefix = 'shop/one'): Promise<Bucket> {
  const directory = await testFolder();
  const server = new S3rver({
    ...{ port: 0, address: '127.0.0.1', directory, silent: true },
    configureBuckets: [{ name: 'coins' }],
  });
  const { port } = await server.run();
  const seen: string[] = [];
  const proxy = createServer((asked, answer) => {
    const call = `${asked.method} ${asked.url}`;
    seen.push(call);
    const how = bucket.onCall(call);
    if (how === 'cut') return void asked.socket.destroy();
    if (how !== null) {
      answer.statusCode = how;
      return void answer.end('<Error><Code>SlowDown</Code><Message>Please wait</Message></Error>');
    }
    const { method, url, headers } = asked;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  atFileEnd(async () => {
    proxy.closeAllConnections();
    proxy.close();
    server.httpServer.closeAllConnections();
    await server.close();
  });
  const secretFile = join(directory, 'secret');
  await writeFile(secretFile, 'S3RVER');
  const env = {
    BACKUP_TO: `s3://coins/${prefix}`,
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    BACKUP_RECIPIENT: (await newIdentity()).recipient,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY_FILE: secretFile,
  };
  const address = readConfig(env).backups?.to as BucketAddress;
  const bucket: Bucket = { address, env, calls: () => seen.splice(0), onCall: () => null };
  return bucket;
}
