import { Type } from 'typebox';
import type { Call, Console } from '../../identity/console/console.ts';
import { ownTimeOf } from '../../identity/integration.ts';
import { addressAddedLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { addressesOf, countMembers } from '../../identity/merchants/people.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader, nameField } from '../../kit/http/fields.ts';
import type { Assets } from '../../money/assets.ts';
import { addAddress, type KnownAddress, knownAddresses, stopAddress } from '../rules/addresses.ts';
import { assertApprovers } from '../rules/approvers.ts';
import { changePayoutSettings, type PayoutSettings, payoutSettingsOf } from '../rules/settings.ts';
import { PayoutAddress, PayoutAddresses, PayoutSettingsData } from './console-answers.ts';
import type { PayoutConsoleDeps } from './console-routes.ts';
import { amountsFault, destinationParsers, moneyParsers, PayoutBody } from './schema.ts';

const SettingsBody = Type.Object({
  enabled: Type.Boolean(),
  approvals: Type.Integer({ minimum: 0, maximum: 2 }),
  approve_above: Type.Record(Type.String(), Type.String()),
  known_addresses_only: Type.Boolean(),
});

const AddressBody = Type.Object({
  asset: PayoutBody.properties.asset,
  to: PayoutBody.properties.to,
  memo: PayoutBody.properties.memo,
  label: nameField(100),
});

export type PayoutSettingsDeps = PayoutConsoleDeps & { baseUrl: string };

/** What owners decide about payouts, and the addresses that money may be paid out to. */
export function payoutSettingsRoutes(dashboard: Console, deps: PayoutSettingsDeps): void {
  settingsRoutes(dashboard, deps);
  addressRoutes(dashboard, deps);
}

function settingsRoutes(dashboard: Console, { db, assets, now }: PayoutSettingsDeps): void {
  const readSettings = settingsReader(assets);
  const dataOf = async (reader: Reader, { owner, merchant }: Call<'mode'>) => ({
    ...settingsView(await payoutSettingsOf(reader, owner)),
    approvers: merchant === null ? 0 : await countMembers(reader, merchant.id, 'make payouts'),
    assets: assets.of(owner.mode).all.map(({ code }) => code),
  });

  dashboard.get('mode', '/payout-settings', { may: 'read', answer: PayoutSettingsData }, async (call) => ({
    message: 'Payout settings',
    data: await dataOf(db, call),
  }));

  dashboard.write(
    'PUT',
    'mode',
    '/payout-settings',
    { may: 'manage payouts', fresh: true, answer: PayoutSettingsData },
    async (tx, call) => {
      const settings = readSettings(call.body);
      const { owner, merchant, integration } = call;
      // Payouts that are off need no approvers; turning them on checks again.
      const isOn = settings.enabled || owner.mode === 'test';
      if (merchant && isOn) await assertApprovers(tx, merchant.id, settings.approvals);
      const before = await changePayoutSettings(tx, owner, settings, now());
      const change = {
        action: 'changed payout settings',
        subject: { kind: 'integration', id: integration.id },
        before: { mode: owner.mode, ...settingsView(before) },
        after: { mode: owner.mode, ...settingsView(settings) },
      };
      return { message: 'Payout settings changed', data: await dataOf(tx, call), change };
    },
  );
}

function addressRoutes(dashboard: Console, deps: PayoutSettingsDeps): void {
  const { db, assets, now } = deps;
  const readAddress = (mode: 'test' | 'live') =>
    fieldReader(
      AddressBody,
      {},
      {
        asset: moneyParsers(assets.of(mode)).asset,
        ...destinationParsers(assets, deps.faultOf(mode)),
      },
    );
  const readers = { test: readAddress('test'), live: readAddress('live') };
  const ownTime = ({ integration, owner: { mode } }: Call<'mode'>) => ownTimeOf({ integration, mode }, now());

  dashboard.get('mode', '/payout-addresses', { may: 'read', answer: PayoutAddresses }, async (call) => {
    const items = (await knownAddresses(db, call.owner)).map((known) => addressView(known, ownTime(call)));
    return { message: 'Payout addresses', data: { items, next_cursor: null } };
  });

  dashboard.write(
    'POST',
    'mode',
    '/payout-addresses',
    { may: 'make payouts', fresh: true, answer: PayoutAddress },
    async (tx, call) => {
      const { owner, session } = call;
      const { to: address, memo = null, label } = readers[owner.mode](call.body);
      const at = ownTime(call);
      const added = await addAddress(tx, owner, { address, memo, label, by: session.account.email }, at);
      await mailAdded(tx, deps, call, added);
      const change = {
        action: 'added a payout address',
        subject: { kind: 'payout address', id: added.id },
        after: { mode: owner.mode, address: added.address, memo, label },
      };
      return { message: 'Address added', data: addressView(added, at), change };
    },
  );

  dashboard.write(
    'DELETE',
    'mode',
    '/payout-addresses/:address',
    { may: 'make payouts', answer: Nothing },
    async (tx, { owner, params, session }) => {
      const id = params.address ?? '';
      const { address, memo, label } = await stopAddress(tx, owner, { id, by: session.account.email }, now());
      const change = {
        action: 'stopped a payout address',
        subject: { kind: 'payout address', id },
        before: { mode: owner.mode, address, memo, label },
      };
      return { message: 'Address stopped', data: null, change };
    },
  );
}

/** Everybody who may stop the address is told, also the person who added it: somebody else may have used their account. */
async function mailAdded(
  tx: Tx,
  { baseUrl }: PayoutSettingsDeps,
  { integration, owner: { mode } }: Call<'mode'>,
  added: KnownAddress,
): Promise<void> {
  const { label, address, memo, usableAt, addedBy: by } = added;
  const url = `${baseUrl}/app/i/${integration.id}/${mode}/settings?tab=payouts`;
  const letter = addressAddedLetter({
    ...{ integration: integration.name, mode, by, label, address, memo, usableAt, url },
  });
  await queueMail(tx, { to: await addressesOf(tx, integration.id, 'make payouts'), ...letter });
}

function settingsReader(assets: Assets): (body: unknown) => PayoutSettings {
  const read = fieldReader(SettingsBody, {
    approve_above: (value) => amountsFault(assets, 'approve_above', value),
  });
  return (body) => {
    const { enabled, approvals, approve_above, known_addresses_only } = read(body);
    return { enabled, approvals, approveAbove: approve_above, knownAddressesOnly: known_addresses_only };
  };
}

function settingsView({ enabled, approvals, approveAbove, knownAddressesOnly }: PayoutSettings) {
  return { enabled, approvals, approve_above: approveAbove, known_addresses_only: knownAddressesOnly };
}

function addressView({ addedBy, createdAt, usableAt, ...rest }: KnownAddress, ownTime: Date) {
  const isUsable = usableAt <= ownTime;
  return { ...rest, added_by: addedBy, created_at: createdAt, usable_at: usableAt, is_usable: isUsable };
}
