import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A small balancer, as one stands in front of gateways: it sends requests in turn to those that answered 200 at `/ready`. Only a
 * request that could not be sent, because nothing listens there, goes to another one; every other fault reaches the client as 502.
 */
export type Balancer = {
  url: string;
  add(gateway: string): void;
  /** Sends nothing more there; resolves when what was sent is answered. Streams stay open. */
  drain(gateway: string): Promise<void>;
  /** How many requests went to a second gateway. */
  sentElsewhere(): number;
  close(): Promise<void>;
};

type Behind = {
  url: URL;
  agent: Agent;
  isReady: boolean;
  isAsked: boolean;
  silences: number;
  underWay: number;
};

const lookMs = 250;
const silentMs = 5_000;
const mostSilences = 3;

export async function openBalancer(): Promise<Balancer> {
  const gateways = new Map<string, Behind>();
  let turn = 0;
  let elsewhere = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const ready = [...gateways.values()].filter(({ isReady }) => isReady);
    const first = turn++ % Math.max(1, ready.length);
    for (const gateway of [...ready.slice(first), ...ready.slice(0, first)]) {
      if (await forward(gateway, request, { body, response })) return;
      elsewhere++;
    }
    response.writeHead(502).end('no gateway is ready');
  }

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void pass(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const looking = setInterval(() => void Promise.all([...gateways.values()].map(look)), lookMs);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add(gateway) {
      const agent = new Agent({ keepAlive: true });
      gateways.set(gateway, {
        url: new URL(gateway),
        agent,
        isReady: true,
        isAsked: false,
        silences: 0,
        underWay: 0,
      });
    },
    async drain(gateway) {
      const behind = gateways.get(gateway);
      gateways.delete(gateway);
      while (behind && behind.underWay > 0) await sleep(20);
    },
    sentElsewhere: () => elsewhere,
    async close() {
      clearInterval(looking);
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      for (const { agent } of gateways.values()) agent.destroy();
    },
  };
}

/** A gateway that says it is not ready gets nothing more at once; one that is silent, after three questions. */
async function look(gateway: Behind): Promise<void> {
  if (gateway.isAsked) return;
  gateway.isAsked = true;
  try {
    const signal = AbortSignal.timeout(silentMs);
    const { ok, body } = await fetch(new URL('/ready', gateway.url), { signal });
    await body?.cancel();
    gateway.isReady = ok;
    gateway.silences = 0;
  } catch (error) {
    gateway.silences++;
    if ((error as Error).name !== 'TimeoutError' || gateway.silences >= mostSilences) gateway.isReady = false;
  } finally {
    gateway.isAsked = false;
  }
}

type Exchange = { body: Buffer; response: ServerResponse };

/** False where nothing was sent, because nothing listens there. */
async function forward(
  gateway: Behind,
  { method, url, headers }: IncomingMessage,
  { body, response }: Exchange,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { hostname, port } = gateway.url;
  const { agent } = gateway;
  let isUnderWay = true;
  gateway.underWay++;
  function leave(): void {
    if (isUnderWay) gateway.underWay--;
    isUnderWay = false;
  }
  const sent = send({ hostname, port, agent, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    // A stream stays open for as long as its page does.
    if (answer.headers['content-type']?.startsWith('text/event-stream')) leave();
    response.flushHeaders();
    answer.pipe(response);
    answer.on('close', () => {
      leave();
      if (!answer.complete) response.destroy();
    });
    resolve(true);
  });
  sent.on('error', (error: NodeJS.ErrnoException) => {
    leave();
    if (error.code === 'ECONNREFUSED') return resolve(false);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end(`${error.code ?? ''} ${error.message}`);
    resolve(true);
  });
  response.on('close', () => {
    if (!response.writableFinished) sent.destroy();
  });
  sent.end(body);
  return await promise;
}
