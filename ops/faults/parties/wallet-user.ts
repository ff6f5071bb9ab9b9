import type { Mode, World } from '../world/world.ts';
import { type Browse, openBrowser } from './ask.ts';
import type { Journal } from './journal.ts';

export type Balance = { asset: string; available: string; held: string };

/** A person with a wallet of Florin's own, at its pages without a browser. */
export type WalletUser = {
  username: string;
  /** Sends the form that moves money; a form that is sent again has one effect. True: it was done. */
  move(
    form: 'send' | 'withdraw',
    fields: { mode: Mode; to: string; asset: string; amount: string; form: string },
  ): Promise<boolean>;
  balances(mode: Mode): Promise<Balance[] | null>;
};

export function openWalletUser(
  world: World,
  journal: Journal,
  { username, password }: { username: string; password: string },
): WalletUser {
  const browse = openBrowser(world, journal, username);
  const cookies = new Map<string, string>();

  async function ask(path: string, init: RequestInit = {}): ReturnType<Browse> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await browse(`/wallet/${path}`, { ...init, headers: { ...(cookie && { cookie }) } });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (line.includes('Max-Age=0')) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }
  const post = (path: string, fields: Record<string, string>) =>
    ask(path, { method: 'POST', body: new URLSearchParams(fields) });

  /** Signs in, also again where the session has ended. */
  async function signed(request: () => ReturnType<Browse>): ReturnType<Browse> {
    const answer = cookies.size === 0 ? null : await request();
    const to = answer?.headers.get('location') ?? '';
    const isOut = answer?.status === 401 || to.startsWith('/wallet/sign-in');
    if (answer && !isOut) return answer;
    await post('sign-in', { username, password });
    return await request();
  }

  return {
    username,
    async move(form, fields) {
      const { status, headers } = await signed(() => post(form, { ...fields, confirm: 'yes' }));
      const to = headers.get('location') ?? '';
      world.log.note(username, `${form} ${JSON.stringify(fields)}: ${status} ${to}`);
      return status === 303 && !to.startsWith('/wallet/sign-in');
    },
    async balances(mode) {
      const { status, text } = await signed(() => ask(`state?mode=${mode}`));
      return status === 200 ? (JSON.parse(text) as { balances: Balance[] }).balances : null;
    },
  };
}
