import type { StartPlay, Verdict, World } from './world/world.ts';

/** A merchant's program that asks again, with its key, what was not answered. */
async function ask(world: World, path: string, key: string, body: object) {
  const method = path === '/payment/create' ? 'PUT' : 'POST';
  for (let turn = 0; turn < 100; turn++) {
    const { url } = world.gateways[turn % world.gateways.length] ?? { url: '' };
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': JSON.stringify([path, body])
          .replaceAll(/[^\w-]/g, '')
          .slice(0, 200),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null);
    const text = await response?.text().catch(() => null);
    world.log.note('merchant', `${method} ${path} ${response?.status} ${text?.slice(0, 100)}`);
    if (response?.status === 200 && text) return JSON.parse(text).data;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${path} was never answered 200`);
}

export const startPlay: StartPlay = async (world, seed, run) => {
  const [merchant] = world.merchants;
  if (!merchant) throw new Error('There is no merchant');
  const { secretKey } = merchant.keys.test;
  const paid: string[] = [];
  let isOver = false;
  const going = (async () => {
    for (let n = 0; !isOver; n++) {
      const payment_reference = `${run}-${seed}-${n}`;
      const body = { amount: 5, currency: 'USDC', payment_type: 'deposit', payment_reference };
      await ask(world, '/payment/create', secretKey, body);
      await ask(world, `/test/payments/${payment_reference}/simulate`, secretKey, { outcome: 'success' });
      paid.push(payment_reference);
    }
  })();
  going.catch(() => {});
  return {
    check: async () => [],
    async rest() {
      isOver = true;
      await going;
    },
    async finish() {
      const verdicts: Verdict[] = [];
      for (let round = 0; round < 100; round++) {
        verdicts.length = 0;
        const came = merchant.receivers.test.arrivals.map(({ raw }) => JSON.parse(raw.toString()));
        for (const reference of paid) {
          const ids = came
            .filter((each) => each.payment_reference === reference && each.event_type === 'payment_completed')
            .map(({ event_id }) => event_id);
          const different = new Set(ids).size;
          if (different === 1) continue;
          const said = `payment_completed of ${reference} came as ${different} events`;
          verdicts.push({ kind: different === 0 ? 'lost' : 'doubled', said });
        }
        if (verdicts.length === 0) break;
        await world.clock.pass(90_000);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      return verdicts;
    },
    counts: () => ({ payments: paid.length, events: merchant.receivers.test.arrivals.length }),
  };
};
