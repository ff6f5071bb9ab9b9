// Runs a real Caddy with the Caddyfile of compose, certificates of its own authority and ports that are free, in front of a
// gateway, and looks at both as a browser would. Needs caddy, as Debian has it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import type { DemoFile } from '../../gateway/src/demo/seed.ts';
import { removeDataDir } from '../../gateway/test/support/data-dir.ts';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { spawnGateway } from '../../gateway/test/support/gateway-process.ts';
import { root } from '../../scripts/programs.ts';

const domain = 'pay.florin.test';
const startMs = 60_000;

type Ports = { http: number; https: number; upstream: number };
type Adapted = {
  admin?: object;
  apps: { http: { http_port?: number; https_port?: number; servers: Record<string, { listen: string[] }> } };
};

/** Starts Caddy with its files in `home`; returns its authority's certificate, and what ends it. */
async function startCaddy(home: string, ports: Ports): Promise<{ authority: string; stop(): Promise<void> }> {
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    ...{ FLORIN_DOMAIN: domain, FLORIN_TLS: 'tls internal', FLORIN_UPSTREAM: `127.0.0.1:${ports.upstream}` },
  };
  const caddyfile = join(root, 'ops/container/Caddyfile');
  const { stdout } = await promisify(execFile)('caddy', ['adapt', '--config', caddyfile], { env });
  const adapted = JSON.parse(stdout) as Adapted;
  adapted.admin = { disabled: true };
  Object.assign(adapted.apps.http, { http_port: ports.http, https_port: ports.https });
  for (const server of Object.values(adapted.apps.http.servers)) server.listen = [`127.0.0.1:${ports.https}`];
  const config = join(home, 'caddy.json');
  await writeFile(config, JSON.stringify(adapted));
  const child = spawn('caddy', ['run', '--config', config], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const log = text(child.stderr);
  const ended = once(child, 'exit');
  const file = join(home, 'caddy/pki/authorities/local/root.crt');
  for (const endMs = performance.now() + startMs; ; await sleep(50)) {
    const authority = await readFile(file, 'utf8').catch(() => null);
    if (authority !== null && (await answers(ports.https, domain))) {
      const stop = async () => {
        child.kill('SIGTERM');
        await ended;
      };
      return { authority, stop };
    }
    if (performance.now() > endMs || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`Caddy did not start:\n${await log}`);
    }
  }
}

/** Whether a client that asks for this name is shown a certificate of our domain. */
async function answers(port: number, servername: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const options = { host: '127.0.0.1', port, rejectUnauthorized: false, servername };
  const socket = connectTls(options, () => {
    resolve(socket.getPeerCertificate().subjectaltname === `DNS:${domain}`);
    socket.end();
  }).on('error', () => resolve(false));
  return await promise;
}

type Answer = { status: number; headers: Record<string, unknown>; stream: ClientHttp2Stream };

async function ask(
  session: ClientHttp2Session,
  path: string,
  { method = 'GET', headers: given = {}, body }: { method?: string; headers?: object; body?: string } = {},
): Promise<Answer> {
  const stream = session.request({ ':method': method, ':path': path, ...given });
  stream.end(body);
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  return { status: Number(headers[':status']), headers, stream };
}

function hold(what: string, holds: boolean): void {
  if (!holds) throw new Error(`It does not hold: ${what}`);
}

/** Plays the whole story. Throws where something is not as it should be. */
export async function playHttps(say: (line: string) => void): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'florin-https-'));
  const [http = 0, https = 0, upstream = 0] = await freePorts(3);
  const origin = `https://${domain}:${https}`;
  const gateway = await spawnGateway({
    ...{ DATA_DIR: join(home, 'data'), PORT: `${upstream}`, BASE_URL: origin },
    ...{ TRUST_PROXY: '1', DEMO: '1' },
  });
  const ends: (() => unknown)[] = [() => gateway.end('SIGTERM')];
  try {
    await gateway.ready;
    const begunMs = performance.now();
    const { authority, stop } = await startCaddy(home, { http, https, upstream });
    ends.push(stop);
    say(`Caddy has a certificate after ${((performance.now() - begunMs) / 1000).toFixed(1)} s`);
    const session = connect(origin, {
      ...{ ca: authority, servername: domain },
      // The name leads nowhere.
      lookup: (_name, options, done) =>
        options.all
          ? done(null, [{ address: '127.0.0.1', family: 4 }])
          : (done as (error: null, address: string, family: number) => void)(null, '127.0.0.1', 4),
    });
    ends.push(() => session.destroy());
    const app = await ask(session, '/app/');
    hold('the dashboard is served by HTTP/2', app.status === 200 && session.alpnProtocol === 'h2');
    hold(
      'browsers are told to come by https alone',
      `${app.headers['strict-transport-security']}`.startsWith('max-age='),
    );
    hold('metrics are not passed on', (await ask(session, '/metrics')).status === 404);
    hold('no other name gets a certificate', !(await answers(https, 'shop.example')));
    const [redirect] = await once(
      get({ port: http, host: '127.0.0.1', headers: { host: domain } }),
      'response',
    );
    hold('http leads to https', redirect.statusCode === 308);
    const firstMs = await firstEvent(session, join(home, 'data/demo.json'));
    say(`the stream of a payment begins after ${firstMs} ms`);
    hold('a stream is not buffered', firstMs < 2_000);
  } finally {
    for (const end of ends.reverse()) await end();
    await removeDataDir(join(home, 'data'));
    await rm(home, { recursive: true, force: true });
  }
}

/** Creates a payment and opens the stream of its page; after how many milliseconds the stream has begun. */
async function firstEvent(session: ClientHttp2Session, demoFile: string): Promise<number> {
  const { secret_key: key } = JSON.parse(await readFile(demoFile, 'utf8')) as DemoFile;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ amount: 5, currency: 'USDC', payment_type: 'deposit' });
  const created = await ask(session, '/payment/create', { method: 'PUT', headers, body });
  const { data } = JSON.parse(await text(created.stream)) as { data: { PaymentURL: string } };
  const { pathname, search } = new URL(data.PaymentURL);
  const begunMs = performance.now();
  const { stream } = await ask(session, `${pathname}/events${search}`);
  await once(stream, 'data');
  const firstMs = Math.round(performance.now() - begunMs);
  stream.close();
  return firstMs;
}

if (import.meta.main) await playHttps(console.log);
