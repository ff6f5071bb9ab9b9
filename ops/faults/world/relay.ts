import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands before one port or socket, so that what comes to it can be cut off or broken. */
export type Relay = {
  port: number;
  /** From now on nothing passes, and nobody is told: connections stay open, new ones are taken and hear nothing. */
  cut(): void;
  /** New connections pass again; those that were cut end. */
  join(): void;
  /** What goes wrong with what passes, from now on; null: nothing. */
  breaks(fault: LinkFault | null): void;
  close(): Promise<void>;
};

/** `there` is the way from who connects, `back` the way to them. */
export type LinkFault =
  /** What is open ends, and so does each new connection. */
  | { kind: 'refuses' }
  /** Each connection ends when so many more bytes went this way: in the middle of a request, or of an answer. */
  | { kind: 'ends after'; bytes: number; way: 'there' | 'back' }
  /** A request of which this is true arrives; what would come back does not, and the connection ends. */
  | { kind: 'loses answers'; to: (request: Buffer) => boolean }
  /** All comes so much later. */
  | { kind: 'slow'; ms: number };

type Pair = { client: Socket; upstream: Socket; passed: number; isAsked: boolean };

const host = '127.0.0.1';

/** Passes what comes to `port` of the loopback address on to `target`: a port of that address, or a socket's path. 0: any port. */
export async function openRelay(port: number, target: number | string): Promise<Relay> {
  const pairs = new Set<Pair>();
  const deaf = new Set<Socket>();
  let isCut = false;
  let fault: LinkFault | null = null;

  const server = createServer((client) => {
    client.on('error', () => {});
    if (fault?.kind === 'refuses') return void client.resetAndDestroy();
    if (isCut) return void deaf.add(client);
    const upstream = typeof target === 'number' ? connect(target, host) : connect(target);
    const pair = { client, upstream, passed: 0, isAsked: false };
    pairs.add(pair);
    for (const [one, other, way] of [
      [client, upstream, 'there'],
      [upstream, client, 'back'],
    ] as const) {
      one.setNoDelay();
      one.on('data', (bytes: Buffer) => {
        if (!isCut) pass(pair, bytes, way);
      });
      one.on('error', () => {});
      // While it is cut off, neither side learns that the other has ended.
      one.on('close', () => {
        if (isCut) return;
        other.destroySoon();
        pairs.delete(pair);
      });
    }
  });

  function pass(pair: Pair, bytes: Buffer, way: 'there' | 'back'): unknown {
    const to = way === 'there' ? pair.upstream : pair.client;
    if (fault?.kind === 'slow') return setTimeout(() => to.write(bytes), fault.ms);
    if (fault?.kind === 'loses answers') {
      if (way === 'there') pair.isAsked ||= fault.to(bytes);
      else if (pair.isAsked) return end(pair);
    }
    if (fault?.kind !== 'ends after' || fault.way !== way) return to.write(bytes);
    const left = Math.max(0, fault.bytes - pair.passed);
    pair.passed += bytes.length;
    if (bytes.length < left) return to.write(bytes);
    // The end comes after these bytes, not in place of them.
    return to.write(bytes.subarray(0, left), () => end(pair));
  }

  function end({ client, upstream }: Pair): void {
    client.destroy();
    upstream.destroy();
  }
  function endAll(): void {
    for (const pair of pairs) end(pair);
    for (const client of deaf) client.destroy();
    pairs.clear();
    deaf.clear();
  }

  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
    },
    join() {
      endAll();
      isCut = false;
    },
    breaks(next) {
      fault = next;
      for (const pair of pairs) Object.assign(pair, { passed: 0, isAsked: false });
      if (fault?.kind === 'refuses') endAll();
    },
    async close() {
      isCut = false;
      server.close();
      endAll();
      await once(server, 'close');
    },
  };
}
