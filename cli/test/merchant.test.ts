import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { childEnvironment } from '../../gateway/test/suite/child-environment.ts';
import { startApp } from '../../gateway/test/support/running.ts';
import { openReceiver } from '../../gateway/test/webhooks/receiver.ts';
import { type Ended, emptyDirectory, runFlorin } from './florin.ts';

/** Many processes, on a machine that also runs other tests. */
const timeout = 240_000;

const [app, shop] = await Promise.all([startApp(), openReceiver()]);
const env = { FLORIN_URL: app.baseUrl, FLORIN_SECRET_KEY: app.secretKey };
afterAll(shop.close);

const florin = (words: string): Promise<Ended> => runFlorin(words.split(' '), env);

/** What a command prints with --json, each line parsed; it must succeed. */
async function json(words: string): Promise<Record<string, unknown>[]> {
  const { code, output, errors } = await florin(`${words} --json`);
  expect([code, errors]).toEqual([0, '']);
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe.concurrent('florin payments', { timeout }, () => {
  test('makes a payment, simulates outcomes of it, and shows it', async () => {
    const [made] = await json('payments create --amount 25.50 --currency USDC --payment-reference CLI-1');
    expect(made).toMatchObject({ PaymentData: { payment_reference: 'CLI-1', amount: 25.5 } });

    const script = await florin('payments simulate CLI-1 split slow --dry-run');
    expect(script.output).toMatch(/^after {2}what +transfer +amount +asset +confirmations\n/);
    expect((await json('payments simulate CLI-1 underpaid'))[0]).toMatchObject({ payment_status: 'pending' });
    expect((await json('payments simulate CLI-1 success'))[0]).toMatchObject({ payment_status: 'completed' });

    const { code, output } = await florin('payments show CLI-1');
    expect(code).toBe(0);
    expect(output).toMatch(/^payment +CLI-1\nstatus +completed\namount +25\.5 USDC\n/);
    expect(output).toMatch(/\nTimeline\ntime +status +reason\n(.+\n){3}\nTransfers\n/);
    expect(output).not.toContain('\x1b');
  });

  test('cancels one, and shows the message of the gateway the second time', async () => {
    await json('payments create --amount 5 --currency PI --payment-reference CLI-2');
    expect((await florin('payments cancel CLI-2')).output).toBe('CLI-2 is cancelled\n');
    const { code, output, errors } = await florin('payments cancel CLI-2');
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^florin: Payment can no longer be cancelled\nRequest id [\w-]+: quote it/);
  });

  test('lists as many as asked for, as a table or one line of JSON each', async () => {
    const references = Array.from({ length: 105 }, (_, index) => `CLI-LIST-${index}`);
    for (const payment_reference of references) {
      const body = {
        amount: 5,
        currency: 'CSK',
        payment_type: 'deposit',
        payment_reference,
        customer_reference: '\x1b[31mred\x07',
      };
      await app.api('PUT', '/payment/create', { body });
    }
    const all = await json('payments list --currency CSK --all');
    expect(all.map((each) => each.payment_reference)).toEqual(references.toReversed());
    const three = await florin('payments list --currency CSK --limit 3');
    expect(three.output.split('\n')).toHaveLength(5);
    expect(three.output).toMatch(/^created +payment +amount +status +customer\n/);
    expect(three.output).not.toMatch(/[\x07\x1b]/);
    expect(three.errors).toBe('There are more than these 3. --limit 15 shows more, --all shows all.\n');
  });

  test.each([
    [
      'payments show NOBODY',
      'florin: Not found\nA key reads only what belongs to its own integration and mode',
    ],
    ['payments create --amount 0.5 --currency USDC', 'amount is below the minimum of 1.00 USD for USDC'],
  ])('refuses %j', async (words, message) => {
    const { code, output, errors } = await florin(words);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain(message);
  });
});

describe.concurrent('florin endpoints and events', { timeout }, () => {
  // The test's own expect: the global one does not know for which of several concurrent tests it polls.
  test('makes an endpoint, tries it, changes it and removes it', async ({ expect }) => {
    const [made] = await json(`endpoints create ${shop.url}?one --events payment_refunded`);
    const id = `${made!.id}`;
    expect(made).toMatchObject({ secret: expect.stringMatching(/^whsec_/), events: ['payment_refunded'] });

    const [sent] = await json(`endpoints test ${id} --type payment_failed`);
    await shop.next(({ body }) => body.event_id === sent!.event_id, 'the made-up event');
    const path = `/webhook-endpoints/${id}/deliveries`;
    const statuses = async () =>
      (await app.api<{ items: { status: string }[] }>('GET', path)).body.data.items.map(
        ({ status }) => status,
      );
    await expect.poll(statuses).toEqual(['delivered']);
    expect((await florin(`endpoints deliveries ${id}`)).output).toMatch(
      new RegExp(`\\d {2}${sent!.event_id} {2}delivered +1 {2}200 in \\d+ ms\n`),
    );
    expect((await florin(`events resend ${sent!.event_id}`)).output).toBe(
      `${sent!.event_id} is sent again to 1 endpoint\n`,
    );
    expect((await json(`endpoints update ${id} --pause`))[0]).toMatchObject({ status: 'paused' });
    expect((await florin(`endpoints roll-secret ${id}`)).output).toMatch(
      /\nold secret +signs too until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/,
    );
    expect((await florin(`endpoints roll-secret ${id} --overlap 0`)).output).toMatch(
      /\nsecret +whsec_\S+\nold secret +no longer signs\n$/,
    );
    expect((await json(`endpoints roll-secret ${id} --overlap 0`))[0]!.secret).not.toBe(made!.secret);
    expect((await json(`endpoints chaos ${id} --drop 50 --delay-seconds 1m`))[0]).toMatchObject({
      drop: 50,
      delay_seconds: 60,
    });
    expect((await florin(`endpoints chaos ${id}`)).output).toMatch(
      /^duplicate +0 %\nreorder +0 %\ndelay +0 %\ndrop +50 %\nbad signature .*\nstale timestamp .*\nold secret .*\nheld back +60 s\n$/,
    );
    expect((await json(`endpoints chaos ${id} --off`))[0]).toMatchObject({ drop: 0 });

    const careless = await florin(`endpoints delete ${id}`);
    expect([careless.code, careless.errors]).toEqual([1, expect.stringContaining('confirm with --yes')]);
    expect((await florin(`endpoints delete ${id} --yes`)).output).toBe(`${id} is removed\n`);
    expect(JSON.stringify(await json('endpoints list'))).not.toContain(id);
  });

  test('shows an event with its exact body', async () => {
    const [{ events }] = (await json('trigger payment_failed --with amount=3 --with payment_note=a=b')) as [
      { events: { event_id: string; body: string }[] },
    ];
    const { event_id, body } = events[0]!;
    expect(JSON.parse(body)).toMatchObject({ amount: 3, event_type: 'payment_failed' });
    expect((await florin(`events show ${event_id}`)).output).toContain(`\n\n${body}\n`);
    expect(
      (await json('events list --type payment_failed --limit 100')).map((each) => each.event_id),
    ).toContain(event_id);
  });
});

describe.concurrent('florin trigger', { timeout }, () => {
  test('makes the event that was meant, and says which', async () => {
    const { code, output, errors } = await florin('trigger abandonned');
    expect([code, errors]).toEqual([0, 'Taken as payment_abandoned.\n']);
    expect(output).toContain('\npayment_abandoned  ');
  });

  test.each([
    ['payment_completed', ['payment_completed']],
    ['payment_failed', ['payment_failed']],
    ['payment_abandoned', ['payment_abandoned']],
    ['payment_linked', ['payment_linked']],
    ['payment_pending', ['payment_pending']],
    ['payment_cancelled', ['payment_cancelled']],
    ['payment_in_appeal', ['payment_completed', 'payment_in_appeal']],
  ])('makes %s', async (type, events) => {
    const [made] = await json(`trigger ${type}`);
    expect((made!.events as { event_type: string }[]).map(({ event_type }) => event_type)).toEqual(events);
  });

  test('shows to which endpoints the webhook was sent, and what they answered', async () => {
    const [endpoint] = await json(`endpoints create ${shop.url}?trigger --events payment_abandoned`);
    const { code, output, errors } = await florin('trigger payment_abandoned');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/^Made the test payment PAY_\w+ of 25 USDC\npayment_abandoned {2}[\w-]{36}\n/);
    expect(output).toMatch(/\n {2}to http:\S+\?trigger {2}200 in \d+ ms\n$/);
    await florin(`endpoints delete ${endpoint!.id} --yes`);
  });

  test.each(['payment_appeal_closed', 'webhook_endpoint_disabled'])(
    'says why nothing triggers %s',
    async (type) => {
      const { code, errors } = await florin(`trigger ${type}`);
      expect([code, errors]).toEqual([1, expect.stringMatching(/^florin: \w+ cannot be triggered: \w+/)]);
    },
  );
});

test('florin clock advances the test clock and resets it', { timeout }, async () => {
  const own = await startApp();
  const at = async (words: string): Promise<number> => {
    const words_ = ['clock', ...words.split(' '), '--json', '--url', own.baseUrl, '--key', own.secretKey];
    const { output } = await runFlorin(words_, {});
    return new Date((JSON.parse(output) as { now: string }).now).getTime();
  };
  const before = await at('show');
  expect(await at('advance 1h30m')).toBeGreaterThanOrEqual(before + 5_400_000);
  expect(await at('reset')).toBeLessThan(before + 5_400_000);
});

describe.concurrent('the gateway and the key', { timeout }, () => {
  test('a live key is refused by commands of test mode, before anything is sent', async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1;
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const FLORIN_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const live = { FLORIN_URL, FLORIN_SECRET_KEY: `sk_live_${'0'.repeat(32)}` };
    const commands = [
      'trigger payment_completed',
      'payments simulate X success',
      'payments scenarios',
      'clock show',
      'clock advance 10m',
      'clock reset',
      'endpoints test X',
      'endpoints chaos X --drop 100',
      'endpoints check X',
    ];
    for (const { code, errors } of await Promise.all(
      commands.map((each) => runFlorin(each.split(' '), live)),
    )) {
      expect([code, errors]).toEqual([
        1,
        expect.stringMatching(/is for test mode, and the key is a live one/),
      ]);
      expect(errors).not.toContain(live.FLORIN_SECRET_KEY);
    }
    expect(connections).toBe(0);
    server.close();
  });

  test('are those of the demo in its directory, which is noted, and are sent to no other gateway', async () => {
    const directory = await emptyDirectory();
    await mkdir(join(directory, 'data'));
    const demo = { base_url: app.baseUrl, secret_key: app.secretKey };
    await writeFile(join(directory, 'data/demo.json'), JSON.stringify(demo));
    const found = await runFlorin(['balances'], {}, directory);
    expect(found).toMatchObject({ code: 0, errors: `Using the demo of data/demo.json: ${app.baseUrl}\n` });
    const elsewhere = await runFlorin(['balances'], { FLORIN_URL: 'http://127.0.0.1:1' }, directory);
    expect([elsewhere.code, elsewhere.errors]).toEqual([
      1,
      expect.stringMatching(/^florin: no secret key: set /),
    ]);
    const nowhere = await runFlorin(['balances'], {}, await emptyDirectory());
    expect([nowhere.code, nowhere.errors]).toEqual([
      1,
      expect.stringMatching(/^florin: no secret key: set /),
    ]);
  });

  test('the command line comes before the environment', async () => {
    const other = { FLORIN_URL: 'http://127.0.0.1:1', FLORIN_SECRET_KEY: `sk_test_${'0'.repeat(32)}` };
    const words = ['balances', '--url', `${app.baseUrl}/`, '--key', app.secretKey];
    expect(await runFlorin(words, other)).toMatchObject({ code: 0, errors: '' });
  });

  test('a gateway that does not run and a key that it does not have get different messages', async () => {
    const [away, unknown] = await Promise.all([
      runFlorin(['balances'], { ...env, FLORIN_URL: 'http://127.0.0.1:1' }),
      runFlorin(['balances'], { ...env, FLORIN_SECRET_KEY: `sk_test_${'0'.repeat(32)}` }),
    ]);
    expect(away.errors).toMatch(
      /^florin: Could not reach http:\/\/127\.0\.0\.1:1.*\nCheck that the gateway runs there\. /,
    );
    expect(unknown.errors).toMatch(
      /^florin: Missing or invalid Authorization header\nThat gateway does not have this key/,
    );
  });
});

test('a reader that closes the pipe ends a list without an error', { timeout }, async () => {
  for (let count = 0; count < 3; count++)
    await app.api('PUT', '/payment/create', { body: { amount: 5, currency: 'PI', payment_type: 'deposit' } });
  const main = join(import.meta.dirname, '../src/main.ts');
  // The list is read only after the pipe was closed.
  const child = spawn(process.execPath, [main, 'payments', 'list', '--all'], {
    env: { ...childEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  await once(child, 'close');
  expect([child.exitCode, errors]).toEqual([0, '']);
});
