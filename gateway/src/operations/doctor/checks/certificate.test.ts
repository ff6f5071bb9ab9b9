import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { atFileEnd } from '../../../../test/suite/endings.ts';
import { examinedWith } from '../../../../test/support/doctor.ts';
import { isThere } from '../../../../test/webhooks/verifiers.ts';
import { checkCertificate } from './certificate.ts';

const dayMs = 86_400_000;
const days = 60;

/** A server of https with a new certificate of its own for these names, which is trusted if it says so. */
async function serve(names: string, isTrusted = true): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-tls-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const wanted = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=x -days ${days}`;
  await promisify(execFile)('openssl', [
    ...[...wanted.split(' '), '-addext', `subjectAltName=${names}`],
    ...['-keyout', key, '-out', cert],
  ]);
  const files = { key: await readFile(key), cert: await readFile(cert) };
  await rm(directory, { recursive: true });
  if (isTrusted) setDefaultCACertificates([...getCACertificates('default'), `${files.cert}`]);
  const server = createServer(files, (_, answer) => answer.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(async () => void server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

async function judged(address: string, inDays = 0): Promise<string[]> {
  const now = () => new Date(Date.now() + inDays * dayMs);
  const found = await checkCertificate(await examinedWith({ BASE_URL: address }, { now }));
  return found.map(({ finding }) => finding);
}

test.skipIf(!isThere('openssl'))('a certificate is judged by its days, its names and its chain', async () => {
  const good = await serve('DNS:localhost');
  expect(await judged(good)).toEqual(['ok']);
  expect(await judged(good, days - 10)).toEqual(['ends_soon']);
  expect(await judged(good, days - 1)).toEqual(['about_to_end']);
  expect(await judged(good, days + 1)).toEqual(['ended']);
  expect(await judged(good, -2)).toEqual(['not_yet']);
  expect(await judged(await serve('DNS:other.example'))).toEqual(['wrong_name']);
  expect(await judged(await serve('DNS:localhost', false))).toEqual(['untrusted']);
});

test('without https there is none, and where nobody listens none is shown', async () => {
  expect(await judged('http://localhost:9')).toEqual(['none']);
  expect(await judged('https://localhost:9')).toEqual(['unreachable']);
});
