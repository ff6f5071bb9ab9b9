import { withCpu } from '../cpu.ts';
import { createBody, openBody, quotedBody } from '../create-body.ts';
import { connectionCounts, isShort, type RowOptions, withHttpRig } from '../http-row.ts';
import type { Load } from '../load.ts';
import { measurePairs } from '../pairs.ts';
import type { Case, RowResult } from '../result.ts';

const warmUpSeconds = 2;
/** Each of the six orders of three kinds four times. */
const rounds = 24;
const shortRounds = 2;
/** So many requests are a round for each second of a measurement: CPU is counted in hundredths of a second. */
const countASecond = 600;
const mostSeconds = 60;

/** Payments with a price in turns with payments of an amount, at the same gateway. */
export async function createPriced({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withHttpRig(async ({ gateway, load }) => {
    const cases: Case[] = [];
    for (const connections of connectionCounts(seconds)) {
      const drive = (body: string, length: Pick<Load, 'seconds' | 'count'>) =>
        withCpu(gateway.processes, () =>
          load.ask({
            method: 'PUT',
            headers: {
              authorization: `Bearer ${gateway.demo.secret_key}`,
              'content-type': 'application/json',
            },
            requests: [{ path: '/payment/create', body }],
            connections,
            port: gateway.port,
            ...length,
          }),
        );
      const each = isShort(seconds) ? { seconds } : { seconds: mostSeconds, count: seconds * countASecond };
      const kind = (name: string, body: string) => ({ name, measure: () => drive(body, each) });
      for (const body of [createBody, quotedBody, openBody]) {
        await drive(body, { seconds: Math.min(seconds, warmUpSeconds) });
      }
      const pairs = {
        name: `${connections} connections`,
        base: kind('an amount', createBody),
        others: [kind('quoted at once', quotedBody), kind('its customer chooses', openBody)],
        rounds: isShort(seconds) ? shortRounds : rounds,
        most: 1.15,
      };
      cases.push(...(await measurePairs(pairs, progress)));
    }
    return { row: 'create-priced', title: 'Payments created with a price', cases };
  });
}
