import { Type } from 'typebox';
import type { Call, Console } from '../../identity/console/console.ts';
import { getIntegration } from '../../identity/integration.ts';
import { assertPointsAlone } from '../../identity/integrations/fees.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import { ownAddressLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { addressesOf } from '../../identity/merchants/people.ts';
import { inForce } from '../../identity/own-addresses.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Reader, type Tx, transaction } from '../../kit/db/db.ts';
import { Refusal, refuse } from '../../kit/errors.ts';
import { fieldReader, invalid, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { DirectTerms } from '../../rails/direct.ts';
import { checksummed, readAddress } from '../../rails/evm/addresses/forwarders.ts';
import type { ChainConfig } from '../../rails/evm/config/chains.ts';
import type { SignedByContract } from '../../rails/evm/signatures/signed-by-contract.ts';
import type { Links } from '../../rails/links.ts';
import { DirectMovePage, OwnAddresses, OwnAddressStatement } from './console-answers.ts';
import { directErrors } from './errors.ts';
import {
  assertSigned,
  type DirectAsset,
  directAssets,
  endOwnAddress,
  ownAddressStatement,
  putOwnAddress,
} from './own-address-settings.ts';
import { directPaymentRoute } from './payment-routes.ts';
import { directMoves } from './read.ts';

export type DirectConsoleDeps = {
  db: Database;
  assets: Assets;
  chains: readonly { chain: ChainConfig }[];
  guards: Guards;
  baseUrl: string;
  directSettlement: DirectTerms;
  signedByContract: SignedByContract;
  links: Links;
  now: Clock;
};

const wanted = { asset: Type.String({ maxLength: 40 }), address: Type.String({ maxLength: 100 }) };
const readStatementQuery = queryReader(Type.Object(wanted));
const readSigned = fieldReader(
  Type.Object({ ...wanted, signature: Type.String({ minLength: 2, maxLength: 8_194 }) }),
);
const readPage = queryReader(Type.Object(pageFields));

/** The addresses of a merchant's own to which payments settle, and what was released to them. */
export function directRoutes(dashboard: Console, deps: DirectConsoleDeps): void {
  const { db, assets, now } = deps;
  const known = directAssets(
    deps.chains.map(({ chain }) => chain),
    assets,
  );
  const data = (reader: Reader, call: Call<'mode'>) => ownAddressesView(reader, deps, known, call);

  dashboard.get('mode', '/own-addresses', { may: 'read', answer: OwnAddresses }, async (call) => ({
    message: 'Own addresses',
    data: await data(db, call),
  }));

  dashboard.get(
    'mode',
    '/own-addresses/statement',
    { may: 'read', answer: OwnAddressStatement },
    async (call) => ({
      message: 'What the address signs',
      data: { statement: statedBy(deps, known, call, readStatementQuery(call.query)).statement },
    }),
  );

  dashboard.act(
    'PUT',
    'mode',
    '/own-addresses',
    { may: 'manage payouts', fresh: true, answer: OwnAddresses },
    async (call, record) => {
      const { signature, ...sent } = readSigned(call.body);
      const stated = statedBy(deps, known, call, sent);
      // The endpoints of a chain may be asked for each try.
      await deps.guards.rare(call.request, `own address of ${call.integration.id}`);
      await assertSigned(deps.signedByContract, { ...stated, asset: stated.asset.code }, signature);
      const shown = await transaction(db, async (tx) => {
        const { asset, address } = stated;
        const { mode } = call.owner;
        const integration = await getIntegration(tx, call.owner.integrationId);
        const by = call.session.account.email;
        const { before, set } = await putOwnAddress(tx, { integration, asset, mode, by }, address, now());
        await mailChange(tx, deps, call, { asset: asset.code, address, from: new Date(set.from) });
        await record(tx, {
          action: 'set an own address',
          subject: { kind: 'integration', id: integration.id },
          before: { mode, asset: asset.code, address: before },
          after: { mode, asset: asset.code, address, from: set.from },
        });
        return await data(tx, call);
      });
      return { message: 'Address set', data: shown };
    },
  );

  dashboard.write(
    'DELETE',
    'mode',
    '/own-addresses/:asset',
    { may: 'manage payouts', answer: OwnAddresses },
    async (tx, call) => {
      const { asset = '' } = call.params;
      const { integration, owner } = call;
      const ended = await endOwnAddress(tx, integration, asset, now());
      await mailChange(tx, deps, call, { asset, address: null, from: now() });
      const change = {
        action: 'ended an own address',
        subject: { kind: 'integration', id: integration.id },
        before: { mode: owner.mode, asset, address: ended.address, from: ended.from },
      };
      return { message: 'Address ended', data: await data(tx, call), change };
    },
  );
  moveRoute(dashboard, deps);
  directPaymentRoute(dashboard, deps);
}

function moveRoute(dashboard: Console, { db, assets, links }: DirectConsoleDeps): void {
  dashboard.get('mode', '/direct-moves', { may: 'read', answer: DirectMovePage }, async (call) => {
    const page = await pageById(readPage(call.query), (rows) => directMoves(db, call.owner, rows));
    const items = page.items.map(({ units, rail, state, at, target: to, receiver, ...row }) => ({
      ...{ ...row, to, receiver: checksummed(readAddress(receiver) ?? '0x') },
      network: assets.find(row.asset)?.network ?? null,
      amount: decimalOf(units, assets.find(row.asset)?.scale ?? 0),
      transaction_url: links.transaction(rail, row.transaction),
      at: at.toISOString(),
      is_gone: state === 'gone',
    }));
    return { message: 'Direct moves', data: { ...page, items } };
  });
}

/** What an address must sign. Throws `not_offered`, and `field_invalid` for what is no address. */
function statedBy(
  { baseUrl }: DirectConsoleDeps,
  known: readonly DirectAsset[],
  { integration, owner: { mode } }: Call<'mode'>,
  sent: { asset: string; address: string },
) {
  const found = known.find(({ asset, chain }) => asset.code === sent.asset && isOf(mode, chain));
  if (!found) throw refuse(directErrors.not_offered, { asset: sent.asset });
  const lower = readAddress(sent.address.trim());
  if (lower === null || /^0x0{40}$/.test(lower))
    throw invalid('address', 'must be 0x and 40 hexadecimal digits, with the right checksum');
  const { chain, asset, host } = found;
  const contracts = chain.tokens.map((token) => token.address);
  if ([...contracts, host.toLowerCase(), treasuryOf(chain)].includes(lower))
    throw invalid('address', 'must be an address of your own');
  const address = checksummed(lower);
  const of = { installation: baseUrl, integration, asset: asset.code, address };
  return { asset, address, statement: ownAddressStatement(of) };
}

const isOf = (mode: string, { isTest = false }: ChainConfig): boolean => isTest === (mode === 'test');
const treasuryOf = ({ receiving }: ChainConfig): string | null =>
  receiving.kind === 'forwarder' ? receiving.treasury : null;

async function ownAddressesView(
  reader: Reader,
  { now, directSettlement }: DirectConsoleDeps,
  known: readonly DirectAsset[],
  { owner }: Call<'mode'>,
): Promise<OwnAddresses> {
  const own = known.filter(({ chain }) => isOf(owner.mode, chain));
  const { ownAddresses, fee } = await getIntegration(reader, owner.integrationId);
  const held = await balancesOf(reader, { kind: 'direct', owner: owner.integrationId, mode: owner.mode });
  const at = now();
  return {
    settlement: own.length === 0 ? 'off' : directSettlement,
    basis_points: fee.bps,
    fee_fault: feeFault(fee),
    items: own.map(({ asset: { code, network, scale }, host }) => {
      const set = ownAddresses[code];
      const rests = set && new Date(set.from) > at;
      return {
        ...{ asset: code, network, host, set_by: set?.by ?? null },
        address: set ? inForce(set, at) : null,
        next: rests ? { address: set.address, from: set.from } : null,
        on_the_way: decimalOf(held.find(({ asset }) => asset === code)?.available ?? 0n, scale),
      };
    }),
  };
}

function feeFault(fee: Parameters<typeof assertPointsAlone>[0]): string | null {
  try {
    assertPointsAlone(fee);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Everybody who may stop the change is told, also the person who made it: somebody else may have used their account. */
async function mailChange(
  tx: Tx,
  { baseUrl }: DirectConsoleDeps,
  { integration, owner: { mode }, session }: Call<'mode'>,
  change: { asset: string; address: string | null; from: Date },
): Promise<void> {
  const url = `${baseUrl}/app/i/${integration.id}/${mode}/settings?tab=payouts`;
  const by = session.account.email;
  const letter = ownAddressLetter({ integration: integration.name, mode, by, url, ...change });
  await queueMail(tx, { to: await addressesOf(tx, integration.id, 'make payouts'), ...letter });
}
