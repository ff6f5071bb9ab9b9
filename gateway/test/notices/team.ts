import { type Tx, transaction } from '../../src/kit/db/db.ts';
import { createHints, type Hints } from '../../src/kit/db/hints.ts';
import type { Choices } from '../../src/notices/choices.ts';
import type { EventInput } from '../../src/webhooks/events/body.ts';
import { deliveriesTopic, recordEvents } from '../../src/webhooks/events/outbox.ts';
import { atFileEnd } from '../suite/endings.ts';
import { type OpenConsole, openConsole, type Person } from '../support/console.ts';
import { outbox } from '../support/mailbox.ts';
import { type AppOptions, type RunningApp, startApp } from '../support/running.ts';
import { type BotServer, startBot } from './bot-server.ts';

export const nobody: Choices = { mail: [], day: [], telegram: [], push: [] };

/** A gateway with a bot, and the team of one integration. */
export type Team = {
  app: RunningApp;
  bot: BotServer;
  people: OpenConsole;
  /** Chooses what a person is told of the integration's live payments, or those of test mode. */
  choose(person: Person, choices: Partial<Choices>, mode?: 'test' | 'live'): Promise<void>;
  /** Links a chat to a person's account by a code. */
  link(person: Person, chat: number): Promise<void>;
  /** Commits an event of a payment. */
  pay(change?: Partial<EventInput>): Promise<string>;
  /** Makes what waits for its retry due, and lets workers look at once. */
  retry(): Promise<void>;
  /** The notices by mail to a person, in the order in which they were queued. */
  mailsTo(person: Person): Promise<{ subject: string; text: string }[]>;
};

let made = 0;

export async function openTeam(options: AppOptions = {}): Promise<Team> {
  const bot = await startBot();
  const env = { TELEGRAM_BOT_TOKEN: bot.token, TELEGRAM_API_URL: bot.url, WEBHOOK_ALLOW_PRIVATE: '1' };
  const app = await startApp({ ...options, env: { ...env, ...options.env } });
  const people = await openConsole(app);
  const hints = createHints(app.db, app.connection as object);
  atFileEnd(() => hints.close());
  return {
    ...{ app, bot, people },
    async choose(person, choices, mode = 'live') {
      const call = await people.as(person);
      const body = { ...nobody, ...choices };
      const { status, text } = await call('PUT', `${people[mode]}/notices`, { body });
      if (status !== 200) throw new Error(text);
    },
    async link(person, chat) {
      const call = await people.as(person);
      const { body } = await call<{ code: string }>('POST', '/console/account/notices/telegram-code', {});
      bot.write(chat, `/start ${body.data.code}`);
    },
    pay: (change = {}) => transaction(app.db, (tx) => writePayment(tx, hints, app, change)),
    async retry() {
      const { rows } = await app.db.query<{ endpoint_id: string }>(
        "UPDATE deliveries SET next_attempt_at = now() WHERE status = 'pending' RETURNING endpoint_id",
      );
      for (const { endpoint_id } of rows) hints.send(deliveriesTopic, endpoint_id);
    },
    async mailsTo(person) {
      const call = await people.as(person);
      const { body } = await call<{ email: string }>('GET', '/console/account/notices');
      const mails = await outbox(app.db);
      return mails.filter(({ recipient }) => recipient === body.data.email);
    },
  };
}

/** A payment's event; everything in it that no notice may show has the word "secret" in it. */
async function writePayment(
  tx: Tx,
  hints: Hints,
  app: RunningApp,
  change: Partial<EventInput>,
): Promise<string> {
  made += 1;
  const payment = {
    id: crypto.randomUUID(),
    reference: `order-${made}`,
    currency: 'USDC',
    amount: 25.5,
    status: 'completed',
    serviceFee: 0,
    customerEmail: 'secret@example.com',
    customerReference: 'secret customer',
  };
  const event: EventInput = {
    integrationId: app.integrationId,
    mode: 'live',
    type: 'payment_completed',
    sequence: 1,
    at: new Date(),
    payment,
    ...change,
  };
  const [id = ''] = await recordEvents(tx, hints, [event]);
  return id;
}
