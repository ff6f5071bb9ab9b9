import { createServer } from 'node:http';
import {
  type RemoteServer,
  startRemoteServer,
} from '../../../gateway/test/remote-wallets/remote-wallets-server.ts';
import { type Mailbox, openMailbox } from '../../../gateway/test/support/mailbox.ts';
import type { Ends } from '../../stories/tools.ts';
import type { WorldClock } from './clock.ts';
import { listen } from './listen.ts';
import { openRelay, type Relay } from './relay.ts';
import type { World } from './world.ts';

/** The mail server, two sources of rates and the wallet backend, with a relay before each. */
export type Around = {
  mailbox: Mailbox;
  mails: World['mails'];
  mail: Relay;
  rates: readonly Relay[];
  backend: { server: RemoteServer; relay: Relay } | null;
};

/** What one of each is worth, as both sources say. */
const rates = {
  ...{ PI: '0.5', CSK: '2' },
  ...{ USDC: { USD: '1', EUR: '0.9' }, USDT: { USD: '1', EUR: '0.9' }, USD: { EUR: '0.9' } },
};

export async function openAround(
  { usernames, clock }: { usernames: string[] | null; clock: WorldClock },
  ends: Ends,
): Promise<Around> {
  const before = async (url: string): Promise<Relay> => {
    const relay = await openRelay(0, Number(new URL(url).port));
    ends.push(relay.close);
    return relay;
  };
  const mails: World['mails'][number][] = [];
  const mailbox = await openMailbox();
  ends.push(mailbox.close);
  const { push } = mailbox.mails;
  mailbox.mails.push = (...came) => {
    mails.push(...came.map((mail) => ({ atMs: clock.now(), ...mail })));
    return push.apply(mailbox.mails, came);
  };
  const sources = [];
  for (let nth = 1; nth <= 2; nth++) {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rates));
    });
    sources.push(await before(`http://127.0.0.1:${await listen(server, ends)}`));
  }
  const server = usernames && (await startRemoteServer(usernames));
  if (server) ends.push(server.refuse);
  return {
    ...{ mailbox, mails, mail: await before(mailbox.url), rates: sources },
    backend: server && { server, relay: await before(server.url) },
  };
}
