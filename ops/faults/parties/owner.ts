import { randomBytes } from 'node:crypto';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { OwnAddress } from '../model/own-address.ts';
import { fineOf, unitsOfFine } from '../model/units.ts';
import type { Hex, Merchant, World } from '../world/world.ts';
import { openBrowser } from './ask.ts';
import type { Journal } from './journal.ts';
import type { Purses } from './purse.ts';

/** The person of the merchant who settles directly, in the dashboard without a browser. */
export type Owner = {
  /** All addresses of the merchant's own that there were in this world, oldest first. */
  addresses: OwnAddress[];
  /** Has new payments settle to a new address, which rests for a day. Rejects where it was refused for good. */
  turn(): Promise<void>;
  /** By asset code what the dashboard says is on the way to both sides; null: it was not answered. */
  onTheWay(): Promise<Map<string, bigint> | null>;
};

/** The one merchant of a world who settles directly. */
export function directMerchant({ merchants }: Pick<World, 'merchants'>): Merchant & { ownAsset: string } {
  for (const merchant of merchants) {
    const { ownAsset } = merchant;
    if (ownAsset !== null) return { ...merchant, ownAsset };
  }
  throw new Error('Nobody settles directly');
}

/** `addresses`: those that there were, to which new ones are added. */
export type OwnerDeps = { addresses: OwnAddress[]; purses: Purses };

type Shown = {
  items: { asset: string; next: { from: string } | null; on_the_way: string }[];
};

/** Time may pass between a sign-in and what needs a fresh one. */
const tries = 5;
/** What a new wallet is given, so that it can send refunds before anything was released to it. */
const given = { coins: 10n ** 18n, fine: fineOf('1000'), gas: 21_000n };

export function openOwner(world: World, journal: Journal, { addresses, purses }: OwnerDeps): Owner {
  const { integrationId, person, ownAsset } = directMerchant(world);
  const browse = openBrowser(world, journal, person.email);
  const path = `/console/integrations/${integrationId}/live/own-addresses`;
  let cookie = '';

  async function ask<T>(method: string, to: string, body?: object): Promise<{ status: number; data: T }> {
    const answer = await browse(to, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const set = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
    if (set.length > 0) cookie = set.join('; ');
    world.log.note(person.email, `${method} ${to}: ${answer.status} ${answer.text.slice(0, 300)}`);
    const { data } = (answer.status === 0 ? {} : JSON.parse(answer.text)) as { data: T };
    return { status: answer.status, data };
  }
  const signIn = () => ask('POST', '/console/auth/sign-in', person);

  async function put(account: PrivateKeyAccount): Promise<Shown | null> {
    const { address } = account;
    const query = new URLSearchParams({ asset: ownAsset, address });
    const stated = await ask<{ statement: string }>('GET', `${path}/statement?${query}`);
    if (stated.status !== 200) return null;
    const signature = await account.signMessage({ message: stated.data.statement });
    const { status, data } = await ask<Shown>('PUT', path, { asset: ownAsset, address, signature });
    return status === 200 ? data : null;
  }

  async function fill(to: Hex): Promise<void> {
    const token = world.chain.tokens[ownAsset];
    if (!token) throw new Error(`The chain has no ${ownAsset}`);
    await purses.call(0, { to, data: '0x', gas: given.gas, value: given.coins });
    await purses.send(0, { token: token.address, to, units: unitsOfFine(given.fine, token.scale) });
  }

  return {
    addresses,
    async turn() {
      const key: Hex = `0x${randomBytes(32).toString('hex')}`;
      const account = privateKeyToAccount(key);
      for (let n = 0; n < tries; n++) {
        await signIn();
        const from = (await put(account))?.items.find(({ asset }) => asset === ownAsset)?.next?.from;
        if (from === undefined) continue;
        const address = account.address.toLowerCase() as Hex;
        addresses.push({ address, key, fromMs: Date.parse(from) });
        return await fill(address);
      }
      throw new Error(`${person.email} could not set an address`);
    },
    async onTheWay() {
      let read = await ask<Shown>('GET', path);
      if (read.status === 401) {
        await signIn();
        read = await ask<Shown>('GET', path);
      }
      if (read.status !== 200) return null;
      return new Map(read.data.items.map(({ asset, on_the_way }) => [asset, fineOf(on_the_way)]));
    },
  };
}
