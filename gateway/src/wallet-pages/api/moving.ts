import type { Mode } from '../../identity/integration.ts';
import { transaction } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { Asset } from '../../money/assets.ts';
import { unitsOfDecimal } from '../../money/money.ts';
import { type AddressDeps, makeReusableAddress } from '../../payouts/arrivals/addresses.ts';
import { deposits } from '../../wallets/deposits/deposits.ts';
import { isProved } from '../../wallets/second-factor.ts';
import { previewSend, type SendRequest, send } from '../../wallets/sends/send.ts';
import { amountOf, type View } from '../context.ts';
import { Fault, type FaultKey, faultOf } from '../notices.ts';
import { checkView, type MoveFields, moveView, receiveView } from '../views/moving.ts';
import type { Frame, OwnExchange } from './frame.ts';
import { isFactorRecent, shownBy } from './prove.ts';
import type { EntranceDeps } from './sign-in.ts';

export type MovingDeps = EntranceDeps & {
  rail: AddressDeps['rail'];
  /** Whether money of this asset is taken in live mode. */
  isTaken: (asset: string) => boolean;
};

/** The fields of a form that moves money. */
export function moveFields({ field }: OwnExchange): MoveFields {
  const read = (name: string): string => (field(name) ?? '').trim();
  return {
    to: read('to'),
    asset: read('asset'),
    amount: read('amount'),
    note: read('note'),
    memo: read('memo'),
  };
}

/** The asset and the units of a form; throws a fault. A comma that cannot separate thousands is a decimal comma. */
export function moneyOf(
  { context }: OwnExchange,
  { asset: given, amount }: MoveFields,
): { asset: Asset; units: bigint } {
  const asset = context.site.assets.of(context.mode).find(given);
  if (!asset) throw new Fault('faultNetwork', 400);
  const plain = /^\d+,(?:\d{1,2}|\d{4,})$/.test(amount) ? amount.replace(',', '.') : amount;
  const units = /^\d+(?:\.\d+)?$/.test(plain) ? unitsOfDecimal(plain, asset.scale) : null;
  if (units === null || units <= 0n) throw new Fault('faultAmount', 400);
  return { asset, units };
}

/** The key of the form: a form that is sent several times has one effect. */
export function formKeyOf({ field }: OwnExchange): string {
  return field('form') || newId();
}

/** Whether the page has to ask for a code before money leaves. */
export function needsCode({ session }: OwnExchange, now: Date): boolean {
  return session.user.hasFactor && !isFactorRecent(session, now);
}

/** What a user without a fresh second factor must do. */
export function factorFault({ session: { user } }: OwnExchange): FaultKey {
  if (user.hasFactor) return 'faultFactor';
  return user.hasPasskey ? 'faultFresh' : 'faultFactorNeeded';
}

/** Bringing money in, and sending it to others. */
export function movingForms(frame: Frame, deps: MovingDeps): void {
  const { db, now, rail, site, isTaken } = deps;
  const balances = ({ session, context: { mode } }: OwnExchange) =>
    balancesOf(db, { kind: 'user', owner: session.user.id, mode });
  const choicesIn = (mode: Mode) =>
    site.assets.of(mode).all.filter(({ code }) => mode === 'test' || isTaken(code));

  frame.ownPage('receive', async (exchange) => {
    const { context, session, field } = exchange;
    const { mode } = context;
    const wanted = field('asset');
    const asset = wanted === undefined ? undefined : site.assets.of(mode).find(wanted);
    if (!asset) return receiveView(context, { choices: choicesIn(mode), chosen: '', address: null });
    const choices = choicesIn(mode);
    const wallet = { kind: deposits, id: session.user.id, mode };
    const address = await transaction(db, (tx) =>
      makeReusableAddress(tx, { rail, now }, wallet, asset),
    ).catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    });
    const shown = { choices, chosen: asset.code, address: address instanceof Refusal ? null : address };
    const view = receiveView(context, shown);
    if (!(address instanceof Refusal)) return view;
    return { ...view, fault: faultOf(address), status: address.row.status };
  });

  function requestOf(exchange: OwnExchange, formKey: string): SendRequest {
    const fields = moveFields(exchange);
    const { asset, units } = moneyOf(exchange, fields);
    return { mode: exchange.context.mode, to: fields.to, asset, units, note: fields.note || null, formKey };
  }

  async function preview(exchange: OwnExchange): Promise<View> {
    const { context, session } = exchange;
    const { say, t } = context;
    const form = formKeyOf(exchange);
    const planned = await previewSend(db, deps, session.user.id, requestOf(exchange, form));
    const amount = amountOf(context, planned.asset, planned.units);
    const { network } = site.assets.get(planned.asset);
    return checkView(context, 'send', {
      title: say('sendCheck', { amount, username: planned.receiver }),
      rows: [
        [say('sendTo'), planned.receiver],
        [say('amount'), amount],
        [t('network'), network],
        planned.note === null ? null : [say('sendNote'), planned.note],
      ],
      fields: moveFields(exchange),
      form,
      needsCode: needsCode(exchange, now()),
      label: say('sendNow'),
    });
  }

  const formView = async (exchange: OwnExchange): Promise<View> =>
    moveView(exchange.context, 'send', { fields: moveFields(exchange), balances: await balances(exchange) });

  frame.ownPage('send', formView);
  frame.ownForm(
    'send',
    async (exchange) => {
      if (exchange.field('confirm') !== 'yes') return await preview(exchange);
      const { user } = exchange.session;
      const request = requestOf(exchange, formKeyOf(exchange));
      const proof = await shownBy(deps, exchange);
      if (user.hasFactor && !isProved(proof, user.id, now())) throw new Fault('faultFactor', 403);
      await transaction(db, (tx) => send(tx, deps, user.id, request));
      return { to: '', notice: 'sent' };
    },
    (exchange) => drawnAgain(exchange, preview, formView),
  );
}

/** The last step again if only its code was refused, else the form. */
export async function drawnAgain(
  exchange: OwnExchange,
  preview: (exchange: OwnExchange) => Promise<View>,
  form: (exchange: OwnExchange) => Promise<View>,
): Promise<View> {
  if (exchange.field('confirm') !== 'yes') return await form(exchange);
  return await preview(exchange).catch((error: unknown) => {
    if (error instanceof Fault || error instanceof Refusal) return form(exchange);
    throw error;
  });
}
