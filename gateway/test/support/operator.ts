import { expect } from 'vitest';
import type { Api } from './api.ts';
import type { OpenConsole } from './console.ts';

/** Where the routes of operators are. */
export const root = '/console/operator';

/** What these tests look at in answers, whichever they are. */
type Item = {
  id: string;
  name: string;
  reference: string;
  currency: string;
  default_asset: string;
  amount_due: string;
  asset: string;
  sum: string;
  state: string;
  is_alive: boolean;
  pid: number;
  loops: { name: string }[];
};
export type Data = Item & {
  items: Item[];
  next_cursor: string | null;
  examples: object[];
  fee: object;
  text: string;
  minimum_usd: string;
  suspension: { reason: string };
  announcement: object | null;
  has_server: boolean;
  PaymentData: { payment_reference: string };
};

export type OperatorDesk = {
  /** Calls as the operator, from the root of the gateway. */
  call: Api;
  /** Reads below `root`, which must succeed. */
  get(path: string): Promise<Data>;
  /** The newest entry of the staff log. */
  lastChange(): Promise<object>;
};

/** An operator at work in the console that was opened. */
export async function operatorDesk(people: OpenConsole): Promise<OperatorDesk> {
  return deskOf(await people.as('operator'));
}

/** The same with a session that is there. */
export function deskOf(call: Api): OperatorDesk {
  async function get(path: string): Promise<Data> {
    const { status, body } = await call<Data>('GET', `${root}${path}`);
    expect({ path, status }).toEqual({ path, status: 200 });
    return body.data;
  }
  return { call, get, lastChange: async () => (await get('/audit?limit=1')).items[0]! };
}
