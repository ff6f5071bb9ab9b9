import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What goes wrong with a call: before the remote did what it was asked for, or after. */
export type Fault =
  | 'dropped'
  | 'silent'
  | 'error'
  /** Not now, but once the next cancellation has been through: the request was stuck on its way. */
  | 'overtaken'
  | 'done, then dropped'
  | 'done, then silent'
  | 'done, then error'
  | 'done, then garbage';

export type Call = 'user' | 'credit' | 'cancel';

export type BookedCredit = {
  username: string;
  asset: string;
  amount: string;
  mode: string;
  /** `barred`: cancelled before it came. */
  state: 'applied' | 'reversed' | 'barred';
};

export type RemoteServer = {
  url: string;
  token: string;
  /** Every credit that was ever asked for or cancelled here, by its id. */
  book: Map<string, BookedCredit>;
  /** Asked before every call. */
  faultOf: (call: Call) => Fault | null;
  /** Whether an applied credit can no longer be taken back. */
  irreversible: boolean;
  /** Awaited before a credit is booked. */
  gate: Promise<void>;
  calls: Call[];
  /** Refuses connections, or takes them again at the same address. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
};

type Reply = { status: number; body: object };

/** Another system that holds wallets, over real HTTP, with every fault that such a system may have. */
export async function startRemoteServer(usernames: string[]): Promise<RemoteServer> {
  const users = new Set(usernames);
  let stuck: (() => void)[] = [];
  let port = 0;
  const server = createServer((request, response) => void answer(request, response).catch(() => {}));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, what, name = '', verb] = request.url!.split('/');
    const call: Call = what === 'users' ? 'user' : verb === 'cancel' ? 'cancel' : 'credit';
    const body = call === 'credit' ? ((await json(request)) as Omit<BookedCredit, 'state'>) : null;
    remote.calls.push(call);
    const act = (): Reply => {
      if (request.headers.authorization !== `Bearer ${remote.token}`) return { status: 401, body: {} };
      if (call === 'user') return userReply(decodeURIComponent(name));
      return call === 'credit' ? credit(name, body!) : cancel(name);
    };
    if (call === 'credit') await remote.gate;
    const fault = remote.faultOf(call);
    if (fault === 'dropped') request.socket.destroy();
    else if (fault === 'error') send(response, { status: 500, body: { status: 'applied' } });
    else if (fault === 'overtaken') stuck.push(act);
    else if (fault !== 'silent') reply(request, response, act(), fault);
    if (call === 'cancel') for (const late of stuck.splice(0)) late();
  }

  function reply(request: IncomingMessage, response: ServerResponse, done: Reply, fault: Fault | null): void {
    if (fault === null) send(response, done);
    else if (fault === 'done, then dropped') request.socket.destroy();
    else if (fault === 'done, then error') send(response, { status: 502, body: {} });
    else if (fault === 'done, then garbage') response.end('<html>OK</html>');
  }

  const userReply = (name: string): Reply =>
    users.has(name) ? { status: 200, body: { status: 'found' } } : { status: 404, body: {} };

  function credit(id: string, body: Omit<BookedCredit, 'state'>): Reply {
    const known = remote.book.get(id);
    if (known && known.state !== 'applied') return { status: 409, body: { status: 'cancelled' } };
    if (!users.has(body.username)) return { status: 404, body: { status: 'user_not_found' } };
    remote.book.set(id, { ...body, state: 'applied' });
    return { status: 200, body: { status: 'applied' } };
  }

  function cancel(id: string): Reply {
    const known = remote.book.get(id);
    if (known?.state === 'applied' && remote.irreversible) {
      return { status: 409, body: { status: 'irreversible' } };
    }
    if (!known) remote.book.set(id, { username: '', asset: '', amount: '', mode: '', state: 'barred' });
    else if (known.state === 'applied') known.state = 'reversed';
    return { status: 200, body: { status: 'cancelled' } };
  }

  const remote: RemoteServer = {
    url: '',
    token: 'wallet-token',
    book: new Map(),
    faultOf: () => null,
    irreversible: false,
    gate: Promise.resolve(),
    calls: [],
    async refuse() {
      stuck = [];
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
    async accept() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
  await remote.accept();
  ({ port } = server.address() as AddressInfo);
  remote.url = `http://127.0.0.1:${port}`;
  return remote;
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
