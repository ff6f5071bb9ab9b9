// Plays merchants: creates payments, and pays those that it created. Keep-alive connections, each of which sends its
// next request when it has the answer.
import { answer } from './child.ts';
import { type Driven, driveClosed } from './closed-load.ts';
import { createBody } from './create-body.ts';

export type LivesRequest = {
  port: number;
  /** The merchants' secret keys, used in turn. */
  keys: string[];
  connections: number;
  /** create: makes payments; complete: pays those that were created before; live: each is paid once it was created. */
  task: 'create' | 'complete' | 'live';
} & ({ seconds: number } | { count: number });

/** Also when the first payment was sent, by the system's monotonic clock. */
export type LivesReply = Driven & { startedAt: string };

const payBody = JSON.stringify({ outcome: 'success' });

type Created = { reference: string; key: string };
type Send = (method: 'PUT' | 'POST', path: string, key: string, body: string) => Promise<string>;

/** Payments that are created and not paid yet. */
const unpaid: Created[] = [];
let turn = 0;

answer<LivesRequest, LivesReply>(async (request) => {
  const startedAt = process.hrtime.bigint();
  let left = 'count' in request ? request.count : Number.POSITIVE_INFINITY;
  const end = 'seconds' in request ? performance.now() + request.seconds * 1000 : Number.POSITIVE_INFINITY;
  const driven = await driveClosed(
    request,
    () => left-- > 0 && performance.now() < end,
    async (pool) => {
      const send: Send = async (method, path, key, body) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const response = await pool.request({ path, method, headers, body });
        const text = await response.body.text();
        if (response.statusCode !== 200) throw new Error(`Answered ${text}`);
        return text;
      };
      return await play(send, request);
    },
  );
  return { ...driven, startedAt: `${startedAt}` };
});

/** Creates or pays one payment; false where there is none left to pay. */
async function play(send: Send, { task, keys }: LivesRequest): Promise<boolean> {
  if (task === 'complete') {
    const payment = unpaid.pop();
    if (payment) await pay(send, payment);
    return payment !== undefined;
  }
  turn += 1;
  const payment = await create(send, keys[turn % keys.length] ?? '');
  if (task === 'live') await pay(send, payment);
  else unpaid.push(payment);
  return true;
}

async function create(send: Send, key: string): Promise<Created> {
  const answered = JSON.parse(await send('PUT', '/payment/create', key, createBody)) as {
    data: { PaymentData: { payment_reference: string } };
  };
  return { reference: answered.data.PaymentData.payment_reference, key };
}

async function pay(send: Send, { reference, key }: Created): Promise<void> {
  const answered = await send('POST', `/test/payments/${reference}/simulate`, key, payBody);
  if (!answered.includes('"payment_status":"completed"')) throw new Error(`Not completed: ${answered}`);
}
