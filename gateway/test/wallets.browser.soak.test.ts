// What people do with a wallet on a phone, on the demo networks: with scripts and a passkey, without them and by password.
import { Keypair } from '@stellar/stellar-sdk';
import type { Browser } from 'playwright-core';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { type WalletPerson, walletPerson } from './browser/wallet-person.ts';
import { has, openPhone, type Phone, patience } from './browser/wallet-story.ts';
import { auditFindingsOf, createLive, demoChain, reservesOf, stateOf } from './chain/demo-chain.ts';
import { demoPi } from './pi/demo-pi.ts';
import { atFileEnd } from './suite/endings.ts';
import { createApi } from './support/api.ts';
import { type Mailbox, openMailbox } from './support/mailbox.ts';
import { type RunningGateway, startGateway } from './support/running.ts';

const story = { timeout: 900_000 };
const password = 'correct horse battery staple';
let gateway: RunningGateway;
let mailbox: Mailbox;
let browser: Browser;
/** Somebody else, who has a wallet from before. */
let john: WalletPerson;
/** Who has no scripts, after their story. */
let plain: Phone;

beforeAll(async () => {
  mailbox = await openMailbox();
  atFileEnd(() => mailbox.close());
  [gateway, browser] = await Promise.all([
    startGateway({ chain: true, pi: Boolean(process.env.SOAK), env: { SMTP_URL: mailbox.url } }),
    openBrowser(),
  ]);
  const [user] = gateway.demo.users;
  john = walletPerson(gateway.baseUrl);
  expect((await john.send('sign-in', { ...user! })).status).toBe(303);
}, 900_000);

/** A network as its people see it, and what the pages call it. */
type Network = {
  asset: string;
  currency: string;
  name: string;
  freshAddress(): Promise<string>;
  send(to: string, amount: string, memo: string | null): Promise<unknown>;
  /** What came to a fresh address since it was made. */
  cameTo(address: string): Promise<string>;
};

function evm(): Network {
  const chain = demoChain(gateway.demo.chain!);
  const asset = 'usdc-bep20';
  return {
    ...{ asset, currency: 'USDC', name: 'Florin demo chain' },
    freshAddress: async () => privateKeyToAddress(generatePrivateKey()),
    send: (to, amount) => chain.send(asset, to, amount),
    cameTo: async (address) => `${Number(await chain.balanceOf(asset, address)) / 1e18}`,
  };
}

/** An account on this network begins with a PI of its own. */
function pi(): Network {
  const network = demoPi(gateway.demo.pi!);
  return {
    ...{ asset: 'pi', currency: 'PI', name: 'Florin demo Pi' },
    async freshAddress() {
      const address = Keypair.random().publicKey();
      await network.open(address, '1');
      return address;
    },
    send: network.send,
    cameTo: async (address) => `${Number(await network.balanceOf(address)) / 1e7 - 1}`,
  };
}

const johnHas = async (asset: string): Promise<number> => {
  const { balances } = JSON.parse((await john.get('state')).text);
  return Number(balances.find((each: { asset: string }) => each.asset === asset).available);
};
const mailsTo = (email: string) => mailbox.mails.filter(({ to }) => to.includes(email));
const subjectsTo = (email: string) => mailsTo(email).map(({ subject }) => subject.replaceAll('\u00a0', ' '));

/** Makes a wallet with a mail address, which the mailed link confirms. */
async function signUp(phone: Phone, { username, scripts }: { username: string; scripts: boolean }) {
  const { page, open, press, look } = phone;
  const email = `${username}@example.com`;
  await open('/wallet/');
  await page.getByText('Sign in to your wallet').first().waitFor();
  await page.getByRole('link', { name: 'Make a wallet' }).click();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('E-mail (optional)').fill(email);
  await look('sign-up');
  if (scripts) await press('Use a passkey in place of a password');
  else {
    await page.getByLabel('Password').fill(password);
    await press('Make my wallet');
  }
  await page.getByText('There is nothing here yet.').waitFor();
  await look('empty');
  await expect.poll(() => subjectsTo(email), patience).toContain('Confirm your e-mail address');
  const [mail] = mailsTo(email);
  await open(/https?:\S+\/wallet\/confirm\S*/.exec(mail?.source ?? '')?.[0] ?? '');
  await look('confirm');
  await press('Confirm my address');
  await page.getByText('Your address is confirmed.').waitFor();
}

async function bringIn(phone: Phone, network: Network, amount: number): Promise<void> {
  const { page, open, press, look } = phone;
  const { asset, currency, name, send } = network;
  await open('/wallet/');
  await page.getByRole('link', { name: 'Receive', exact: true }).click();
  await look('receive');
  await page.getByLabel('Coin and network').selectOption(`${currency} · ${name}`);
  await press('Show my address');
  const place = page.locator('[data-address]');
  const address = (await place.getAttribute('data-address')) ?? '';
  await look('address');
  await send(address, `${amount}`, await place.getAttribute('data-memo'));
  await expect.poll(() => has(phone, asset), patience).toEqual([`${amount}`, '0']);
  await open('/wallet/');
  await page.getByText(`+${amount}.00 ${currency}`).waitFor();
  await page.getByText(`Brought in on ${name}`).waitFor();
  await look('money');
}

/** By the page of the payment, which leads to the wallet and back. */
async function pay(phone: Phone, { currency }: Network, amount: number): Promise<void> {
  const { page, open, press, look } = phone;
  const { url } = await createLive(gateway, { amount, currency });
  await open(url);
  await page.getByText('Florin wallet').first().click();
  await press('Continue');
  await page.getByRole('link', { name: 'Pay in my wallet' }).click();
  await page.getByRole('heading', { name: `Pay ${amount}.00 ${currency} to Nib & Folio?` }).waitFor();
  await look('pay');
  await press(`Pay ${amount}.00 ${currency}`);
  await page.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor();
  await look('paid');
  expect((await stateOf(url)).payment_status).toBe('completed');
}

async function sendToJohn({ page, open, press, look }: Phone, network: Network, amount: number) {
  const { currency, asset } = network;
  const before = await johnHas(asset);
  await open('/wallet/send?to=JOHN_DOE');
  await page.getByLabel('Coin and network').selectOption({ value: asset });
  await page.getByLabel('Amount').fill(`${amount}`);
  await page.getByLabel('Note (optional)').fill('For lunch');
  await look('send');
  await press('Continue');
  await page.getByRole('heading', { name: `Send ${amount}.00 ${currency} to john_doe?` }).waitFor();
  await look('send-check');
  await press('Send now');
  await page.getByText('Sent.', { exact: true }).waitFor();
  expect(await johnHas(asset)).toBe(before + amount);
}

async function takeOut(phone: Phone, network: Network, amount: number): Promise<void> {
  const { page, open, press, look } = phone;
  const { currency, asset, cameTo } = network;
  const [before = ''] = await has(phone, asset);
  const to = await network.freshAddress();
  await open('/wallet/');
  await page.getByRole('link', { name: 'Withdraw', exact: true }).click();
  await page.locator('#asset').selectOption({ value: asset });
  await page.locator('#amount').fill(`${amount}`);
  await page.locator('#to').fill(to);
  await look('withdraw');
  await press('Continue');
  await page.getByRole('heading', { name: `Withdraw ${amount}.00 ${currency}?` }).waitFor();
  await look('withdraw-check');
  await press('Withdraw now');
  await page.getByText('Your withdrawal is on its way.').waitFor();
  await expect.poll(() => cameTo(to), patience).toBe(`${amount}`);
  await expect.poll(() => has(phone, asset), patience).toEqual([`${Number(before) - amount}`, '0']);
  await open('/wallet/withdraw');
  await page.locator('.lines .line-words').filter({ hasText: /^Sent/ }).first().waitFor();
  await look('withdrawn');
}

const kindsIn = async ({ state }: Phone) =>
  (await state()).entries.map(({ kind, amount }) => `${kind} ${amount}`);

/** `npm test` plays one: passkeys and PI have tests of their own, in a browser too. */
const stories: [manner: string, network: string, scripts: boolean, on: () => Network][] = [
  ['without scripts, by password', 'USDC on the demo chain', false, evm],
];
if (process.env.SOAK) {
  stories.push(
    ['with scripts and a passkey', 'USDC on the demo chain', true, evm],
    ['with scripts and a passkey', 'PI on the demo network', true, pi],
    ['without scripts, by password', 'PI on the demo network', false, pi],
  );
}
const inUsdc = stories.filter(([, , , on]) => on === evm).length;

/** Pages that tell of a network. All the others are the same for each, and in the soak looked at on one. */
const ofNetwork = ['receive', 'address', 'money', 'pay', 'withdraw', 'withdraw-check'];

describe.each(stories)('a person on a phone, %s', (_, name, scripts, on) => {
  test(`signs up, receives 20 ${name}, pays 3, sends 5 to somebody, and withdraws 10`, story, async () => {
    const network = on();
    const { currency } = network;
    const username = `${scripts ? 'keys' : 'plain'}_${currency.toLowerCase()}`;
    const only = process.env.SOAK && currency === 'PI' ? ofNetwork : undefined;
    const pictures = `wallet-story-${username}`;
    const phone = await openPhone(browser, gateway.baseUrl, { name: pictures, scripts, only });
    if (!scripts && currency === 'USDC') plain = phone;
    await signUp(phone, { username, scripts });
    await bringIn(phone, network, 20);
    await pay(phone, network, 3);
    expect(await has(phone, network.asset)).toEqual(['17', '0']);
    await sendToJohn(phone, network, 5);
    expect(await has(phone, network.asset)).toEqual(['12', '0']);
    await takeOut(phone, network, 10);
    expect(await has(phone, network.asset)).toEqual(['2', '0']);
    await phone.open('/wallet/history');
    await phone.look('history');
    expect(await kindsIn(phone)).toEqual(['withdrawal -10', 'sent -5', 'paid -3', 'deposit 20']);
    await expect
      .poll(() => subjectsTo(`${username}@example.com`).toSorted(), patience)
      .toEqual([
        `10.00 ${currency} left your wallet`,
        `20.00 ${currency} came to your wallet`,
        `3.00 ${currency} left your wallet`,
        `5.00 ${currency} left your wallet`,
        `A withdrawal of 10.00 ${currency} was ordered`,
        'Confirm your e-mail address',
      ]);
    expect(phone.faults).toEqual([]);
    if (phone !== plain) await phone.page.context().close();
  });
});

test('a merchant funds a user with money that came, who is told and takes it out', story, async () => {
  const network = evm();
  const { asset, currency } = network;
  const payouts = createApi(gateway.baseUrl, gateway.demo.payout_keys?.live ?? '');
  const business = async () => {
    const { body } = await payouts<{ items: { asset: string; available: string }[] }>('GET', '/balances');
    return body.data.items.find((each) => each.asset === asset)?.available;
  };
  // What was paid out of wallets, 3 by each, less one per cent.
  const earnedBeside = (amount: number) => `${(amount * 100 + 297 * inUsdc) / 100}`;
  expect(await business()).toBe(earnedBeside(0));
  const fund = (amount: number) =>
    gateway.liveApi('POST', '/payment/fund-user', {
      body: { username: 'PLAIN_USDC', amount, currency: asset },
    });
  expect((await fund(30)).status).toBe(403);
  const { body } = await payouts<{ address: string }>('POST', '/top-up-addresses', { body: { asset } });
  await network.send(body.data.address, '40', null);
  await expect.poll(business, patience).toBe(earnedBeside(40));
  expect((await gateway.liveApi('GET', '/users/plain_usdc')).status).toBe(200);
  expect((await gateway.liveApi('GET', '/users/plain_usdd')).status).toBe(404);
  expect((await fund(30)).status).toBe(200);
  expect(await business()).toBe(earnedBeside(10));
  expect(await has(plain, asset)).toEqual(['32', '0']);
  await plain.open('/wallet/');
  await plain.page.getByText('Nib & Folio sent you money').waitFor();
  await plain.look('funded');
  const came = `30.00 ${currency} came to your wallet`;
  await expect.poll(() => subjectsTo('plain_usdc@example.com'), patience).toContain(came);
  await takeOut(plain, network, 31);
  expect(await has(plain, asset)).toEqual(['1', '0']);
  expect(plain.faults).toEqual([]);
});

test('the books are sound, what is owed is held, and nothing of all this was a fault of the gateway', async () => {
  const differing = async () => (await reservesOf(gateway)).filter(({ difference }) => difference !== '0');
  await expect.poll(differing, { ...patience, interval: 500 }).toEqual([]);
  expect(await auditFindingsOf(gateway)).toEqual([]);
  // Of a busy machine the chain may answer late, which is a warning.
  const lines = gateway
    .log()
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.filter((line) => !(JSON.parse(line).level < 50))).toEqual([]);
});
