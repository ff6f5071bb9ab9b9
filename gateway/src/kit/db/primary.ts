import type { Socket } from 'node:net';
import pg from 'pg';
import { serversOf } from './servers.ts';

/** How long a server may take to say whether it takes writes, and how often the one in use is asked, in milliseconds. */
type Limits = { answerMs: number; everyMs: number };

const usualLimits: Limits = { answerMs: 3_000, everyMs: 1_000 };

/** None of several servers takes writes at the moment. */
class NoPrimary extends Error {
  /** As a server that follows another one answers a write. */
  readonly code = '25006';

  constructor(faults: readonly string[]) {
    super(`No server of the database takes writes: ${faults.join('; ')}`);
    this.name = 'NoPrimary';
  }
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);
type Server = { host: string; port: number; connectionString: string };

const isStandby = 'SELECT pg_is_in_recovery() AS follows';

/** How long a server may take to close its side of a connection that is ended here. */
const endMs = 2_000;

/** A client that ends by itself: a server that stands still, or a line that is cut, never closes the other side. */
class EndingClient extends pg.Client {
  override end(): Promise<void>;
  override end(done: (error: Error) => void): void;
  override end(done?: (error: Error) => void): Promise<void> | void {
    const late = setTimeout(() => streamOf(this).destroy(), endMs);
    late.unref();
    this.once('end', () => clearTimeout(late));
    return done ? super.end(done) : super.end();
  }
}

/**
 * The class of the clients of `connection`: where its address names several servers, each client connects to the one that
 * takes writes. That one is asked every second as long as a client is connected. Where it says nothing, or follows another
 * one, and another one takes writes, the connections to it are broken: what waits on them is told at once.
 */
export function clientOf(
  connection: pg.PoolConfig,
  limits: Limits = usualLimits,
): { Client: typeof pg.Client; connectionString?: string } {
  const { connectionString } = connection;
  if (connectionString === undefined) return { Client: EndingClient };
  const [first = connectionString, ...others] = serversOf(connectionString);
  if (others.length === 0) return { Client: EndingClient, connectionString };
  return { Client: clientOfPrimary([first, ...others].map(serverAt), limits), connectionString: first };
}

/** A client of `connection` that belongs to no pool; of several servers it connects to the one that takes writes. */
export function newClient(connection: pg.PoolConfig): pg.Client {
  const { Client, ...address } = clientOf(connection);
  return new Client({ ...connection, ...address });
}

function serverAt(connectionString: string): Server {
  const { host, port } = new pg.Client({ connectionString });
  return { host, port, connectionString };
}

function clientOfPrimary(servers: readonly Server[], limits: Limits): typeof pg.Client {
  const open = new Map<pg.Client, Server>();
  let known: Server | undefined;
  let search: Promise<Server> | undefined;
  let watch: Watch | undefined;

  /** The server that takes writes: the one in use, unless it is in doubt. Throws NoPrimary. */
  async function find(): Promise<Server> {
    if (known) return known;
    search ??= findPrimary(servers, limits).finally(() => {
      search = undefined;
    });
    known = await search;
    for (const [client, server] of open) if (server !== known) breakOff(client);
    return known;
  }

  /** Looks for another one, as long as there is a client that may need it. */
  async function doubt(server: Server): Promise<void> {
    if (known === server) known = undefined;
    await find().catch(() => {});
  }

  function add(client: pg.Client, server: Server): void {
    open.set(client, server);
    watch ??= startWatch(limits, { find, doubt });
  }

  function remove(client: pg.Client): void {
    open.delete(client);
    if (open.size > 0) return;
    watch?.stop();
    watch = undefined;
  }

  return class extends EndingClient {
    override connect(): Promise<pg.Client>;
    override connect(done: Connected): void;
    override connect(done?: Connected): Promise<pg.Client> | undefined {
      const connected = this.connectToPrimary();
      if (!done) return connected;
      const tell = done as (error: Error | null, client?: pg.Client) => void;
      connected.then(
        (client) => tell(null, client),
        (error: Error) => tell(error),
      );
      return undefined;
    }

    private async connectToPrimary(): Promise<pg.Client> {
      const server = await find();
      Object.assign(this, { host: server.host, port: server.port });
      this.once('end', () => remove(this));
      add(this, server);
      try {
        return await super.connect();
      } catch (error) {
        remove(this);
        void doubt(server);
        throw error;
      }
    }
  };
}

/** Breaks a connection at once: its server may never answer. */
export function breakOff(
  client: pg.Client,
  why = 'Connection terminated: its server takes no writes any more',
): void {
  streamOf(client).destroy(new Error(why));
}

function streamOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Asks all servers at once, and takes the first that takes writes. Throws NoPrimary with what each said. */
async function findPrimary(servers: readonly Server[], { answerMs }: Limits): Promise<Server> {
  const faults: string[] = [];
  const ask = async (server: Server): Promise<Server> => {
    const fault = await faultOf(server, answerMs);
    if (fault === null) return server;
    faults.push(`${server.host}:${server.port} ${fault}`);
    throw new Error(fault);
  };
  return await Promise.any(servers.map(ask)).catch(() => {
    throw new NoPrimary(faults);
  });
}

/** Why a server takes no writes; null where it does. */
async function faultOf({ connectionString }: Server, answerMs: number): Promise<string | null> {
  const client = askingClient(connectionString, answerMs);
  try {
    await client.connect();
    return (await follows(client)) ? 'follows another server' : null;
  } catch (error) {
    return `does not answer: ${(error as Error).message || (error as Error).name}`;
  } finally {
    breakOff(client);
  }
}

/** A client that asks a server what it is, and waits `answerMs` for each answer. */
export function askingClient(connectionString: string, answerMs: number, name = 'florin primary'): pg.Client {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    application_name: name,
  });
  client.on('error', () => {});
  return client;
}

async function follows(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ follows: boolean }>(isStandby);
  return rows[0]?.follows ?? true;
}

type Watch = { stop(): void };
type Watched = { find(): Promise<Server>; doubt(server: Server): Promise<void> };

/** Asks the server in use on a connection of its own, and has another one looked for where it is in doubt. */
function startWatch({ everyMs, answerMs }: Limits, { find, doubt }: Watched): Watch {
  let asking: { server: Server; client: pg.Client } | undefined;
  let isBusy = false;

  async function ask(): Promise<void> {
    const server = await find();
    if (asking?.server !== server) {
      leave();
      asking = { server, client: askingClient(server.connectionString, answerMs) };
      await asking.client.connect();
    }
    if (await follows(asking.client)) throw new Error('It follows another server');
  }

  function leave(): void {
    if (asking) breakOff(asking.client);
    asking = undefined;
  }

  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    ask()
      .catch(async () => {
        const doubted = asking?.server;
        leave();
        if (doubted) await doubt(doubted);
      })
      .finally(() => {
        isBusy = false;
      });
  }, everyMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      leave();
    },
  };
}
