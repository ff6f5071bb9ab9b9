import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { unitsOfDecimal } from '../../src/money/money.ts';
import type { Fault } from './remote-wallets-server.ts';

export type PaymentCall = 'authorize' | 'ask' | 'capture' | 'void';

type Authorization = {
  username: string;
  asset: string;
  /** At 18 decimals. */
  units: bigint;
  state: 'waiting' | 'authorized' | 'refused' | 'captured' | 'voided';
};

type Asked = {
  username: string;
  password: string;
  mode: string;
  payment: string;
  merchant: string;
  choices: { asset: string; amount: string }[];
};

type Reply = { status: number; body: object };

/** Another system whose users pay, over real HTTP. Each user has the password `secret` and money in each asset. */
export type PayingServer = {
  url: string;
  token: string;
  /** What users can spend, by `name asset`, at 18 decimals. */
  purses: Map<string, bigint>;
  book: Map<string, Authorization>;
  calls: PaymentCall[];
  /** The bodies of what was to be authorized. */
  asked: Asked[];
  /** Users have to approve each payment there. */
  approves: boolean;
  /** Asked before each call. */
  faultOf: (call: PaymentCall) => Fault | null;
  /** Awaited before a call is done. */
  gate: (call: PaymentCall) => Promise<void>;
  /** What users do there with all that waits. */
  answer(as: 'authorized' | 'refused'): void;
  close(): Promise<void>;
};

export async function startPayingServer(
  users: Record<string, Record<string, string>>,
): Promise<PayingServer> {
  const purses = new Map<string, bigint>(
    Object.entries(users).flatMap(([name, money]) =>
      Object.entries(money).map(([asset, amount]) => [`${name} ${asset}`, unitsOf(amount)] as const),
    ),
  );
  const server = createServer((request, response) => void reply(request, response).catch(() => {}));
  let stuck: (() => void)[] = [];

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , id = '', verb] = request.url!.split('/');
    const call = (verb ?? (request.method === 'PUT' ? 'authorize' : 'ask')) as PaymentCall;
    const body = call === 'authorize' ? ((await json(request)) as Asked) : null;
    backend.calls.push(call);
    if (body) backend.asked.push(body);
    const act = (): Reply => {
      if (request.headers.authorization !== `Bearer ${backend.token}`) return { status: 401, body: {} };
      if (call === 'authorize') return authorize(id, body!);
      return { ask, capture, void: release }[call](id);
    };
    await backend.gate(call);
    const fault = backend.faultOf(call);
    if (fault === 'dropped') request.socket.destroy();
    else if (fault === 'error') send(response, { status: 500, body: { status: 'captured' } });
    else if (fault === 'overtaken') stuck.push(act);
    else if (fault !== 'silent') {
      const done = act();
      if (fault === null) send(response, done);
      else if (fault === 'done, then dropped') request.socket.destroy();
      else if (fault === 'done, then error') send(response, { status: 502, body: {} });
      else if (fault === 'done, then garbage') response.end('<html>OK</html>');
    }
    if (call === 'void') for (const late of stuck.splice(0)) late();
  }

  function authorize(id: string, { username, password, choices }: Asked): Reply {
    if (backend.book.has(id)) return ask(id);
    if (password !== 'secret' || !choices.some(({ asset }) => purses.has(`${username} ${asset}`)))
      return { status: 403, body: { status: 'wrong_credentials' } };
    const choice = choices.find(
      ({ asset, amount }) => (purses.get(`${username} ${asset}`) ?? 0n) >= unitsOf(amount),
    );
    if (!choice) return { status: 403, body: { status: 'insufficient_balance' } };
    const { asset, amount } = choice;
    const units = unitsOf(amount);
    purses.set(`${username} ${asset}`, purses.get(`${username} ${asset}`)! - units);
    backend.book.set(id, { username, asset, units, state: backend.approves ? 'waiting' : 'authorized' });
    return ask(id);
  }

  function ask(id: string): Reply {
    const { state = 'unknown', asset } = backend.book.get(id) ?? {};
    const status =
      { waiting: 202, authorized: 200, refused: 403, captured: 409, voided: 409, unknown: 404 }[state] ?? 500;
    return { status, body: { status: state, asset } };
  }

  function capture(id: string): Reply {
    const known = backend.book.get(id);
    if (known?.state !== 'authorized' && known?.state !== 'captured')
      return { status: 409, body: { status: 'voided' } };
    known.state = 'captured';
    return { status: 200, body: { status: 'captured' } };
  }

  function release(id: string): Reply {
    const known = backend.book.get(id);
    if (known?.state === 'captured') return { status: 409, body: { status: 'captured' } };
    if (known) endAs(known, 'voided');
    else backend.book.set(id, { username: '', asset: '', units: 0n, state: 'voided' });
    return { status: 200, body: { status: 'voided' } };
  }

  function endAs(known: Authorization, to: 'voided' | 'refused'): void {
    const { username, asset, units, state } = known;
    const purse = `${username} ${asset}`;
    if (state === 'waiting' || state === 'authorized') purses.set(purse, (purses.get(purse) ?? 0n) + units);
    known.state = to;
  }

  const backend: PayingServer = {
    url: '',
    token: 'a token',
    purses,
    book: new Map(),
    calls: [],
    asked: [],
    approves: false,
    faultOf: () => null,
    gate: async () => {},
    answer(as) {
      for (const known of backend.book.values()) {
        if (known.state !== 'waiting') continue;
        if (as === 'refused') endAs(known, as);
        else known.state = as;
      }
    },
    async close() {
      stuck = [];
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  backend.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return backend;
}

function unitsOf(amount: string): bigint {
  const units = unitsOfDecimal(amount, 18);
  if (units === null) throw new Error(`No amount: ${amount}`);
  return units;
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
