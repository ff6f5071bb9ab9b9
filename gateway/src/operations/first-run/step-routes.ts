import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { isLocalGateway } from '../../identity/accounts/second-factor.ts';
import type { Console } from '../../identity/console/console.ts';
import { identityErrors } from '../../identity/errors.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import { finishStep, isSaidStep, noteShown, readSteps, type SetupStep } from '../../identity/setup/steps.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { transaction } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader, invalid } from '../../kit/http/fields.ts';
import { nameOfSecret } from '../../kit/secret.ts';
import { judgeAddress, openAddressCheck, readSeen } from './address-check.ts';
import { AddressCheck, AddressSeen, MailCheck, Setup, ShownMasterKey, StepDone } from './answers.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { isMailCode, openMailCheck } from './mail-check.ts';
import { type Environment, settingsOf } from './settings-shown.ts';
import { activeKeyId, hasCopy, keyText } from './shown-key.ts';

export type StepRouteDeps = {
  db: Database;
  guards: Guards;
  config: Config;
  /** What the settings are read from; the environment of this process where it is left out. */
  env?: Environment;
  now: Clock;
};

const readCheck = fieldReader(Type.Object({ id: Type.String({ format: 'uuid' }) }));
const readCode = fieldReader(Type.Object({ code: Type.String({ maxLength: 20, format: 'text' }) }));
const nullable = Type.Union([Type.String({ maxLength: 64, format: 'text' }), Type.Null()]);
const readCopy = fieldReader(Type.Object({ key_id: nullable, begins: nullable }));

/** What an operator finishes after the first run, and how each is shown to be done (contract.md#first-run). */
export function stepRoutes(dashboard: Console, deps: StepRouteDeps): void {
  overview(dashboard, deps);
  saidSteps(dashboard, deps);
  addressStep(dashboard, deps);
  mailStep(dashboard, deps);
  masterKeyStep(dashboard, deps);
  const { host, baseUrl, trustProxy } = deps.config;
  endpointRoutes(dashboard, { ...deps, isLocal: isLocalGateway({ host, baseUrl }) && !trustProxy });
}

function overview(dashboard: Console, { db, config, env = process.env }: StepRouteDeps): void {
  dashboard.get('operator', '/setup', { answer: Setup }, async () => {
    const steps = await readSteps(db);
    const { masterKey, chains, rates } = config;
    const data = {
      steps: steps.map(({ step, done_at }) => ({
        ...{ step, done_at: done_at?.toISOString() ?? null },
        settings: settingsOf(step, config, env),
      })),
      open: steps.filter(({ done_at }) => done_at === null).length,
      master_key: {
        place: nameOfSecret(masterKey),
        is_file: typeof masterKey === 'string',
        id: await activeKeyId(db),
        shown_at: steps.find(({ step }) => step === 'master_key')?.shown_at?.toISOString() ?? null,
      },
      chains: chains.map(({ id, name, isTest = false, receiving, vault, paysByHand }) => ({
        ...{ id, name, is_test: isTest, pays_by_hand: paysByHand },
        treasury: receiving.kind === 'forwarder' ? receiving.treasury : null,
        vault: vault?.address ?? null,
        has_signer: (vault?.signer ?? null) !== null,
      })),
      endpoints: chains.flatMap(({ id, rpcUrls }) =>
        rpcUrls.map((url, at) => ({ chain: id, at, host: new URL(url).host })),
      ),
      rate_sources:
        rates.kind === 'sources' ? rates.sources.map((each) => URL.parse(each)?.host ?? each) : [],
      sends_mail: config.smtpUrl !== null,
    };
    return { message: 'What is left to set up', data };
  });
}

/** Finishes a step and tells the audit log. */
async function done(tx: Tx, step: SetupStep, { by, now }: { by: string; now: Date }) {
  const isNew = await finishStep(tx, step, { by, now });
  const change = isNew
    ? { action: 'finished a step of the first run', subject: { kind: 'setup step', id: step } }
    : null;
  return { message: 'Done', data: { step }, change };
}

function saidSteps(dashboard: Console, { now }: StepRouteDeps): void {
  dashboard.write('POST', 'operator', '/setup/:step/done', { answer: StepDone }, async (tx, call) => {
    const { step = '' } = call.params;
    if (!isSaidStep(step)) throw refuse(kitErrors.not_found);
    return await done(tx, step, { by: call.session.account.id, now: now() });
  });
}

function addressStep(dashboard: Console, { db, config, now }: StepRouteDeps): void {
  const { baseUrl } = config;
  dashboard.write('POST', 'operator', '/setup/address', { answer: AddressCheck }, async (tx, { session }) => {
    const data = await openAddressCheck(tx, { by: session.account.id, baseUrl, now: now() });
    return { message: 'Call the address', data, change: null };
  });

  dashboard.act('POST', 'operator', '/setup/address/seen', { answer: AddressSeen }, async (call, record) => {
    const by = call.session.account.id;
    const data = judgeAddress(await readSeen(db, { id: readCheck(call.body).id, by }), config);
    if (data.faults.length === 0) {
      await transaction(db, async (tx) => {
        const { change } = await done(tx, 'address', { by, now: now() });
        if (change) await record(tx, change);
      });
    }
    return { message: 'What the gateway saw', data };
  });
}

function mailStep(dashboard: Console, { db, guards, now }: StepRouteDeps): void {
  dashboard.write('POST', 'operator', '/setup/mail', { answer: MailCheck }, async (tx, call) => {
    const { id: by, email: to } = call.session.account;
    await guards.rare(call.request, `${by} tries mails`);
    const id = await openMailCheck(tx, { by, to, now: now() });
    const change = { action: 'sent a test mail', subject: { kind: 'mail', id: 'test' }, after: { to } };
    return { message: 'Test mail queued', data: { id, to }, change };
  });

  dashboard.act('POST', 'operator', '/setup/mail/code', { answer: StepDone }, async (call, record) => {
    const by = call.session.account.id;
    const { code } = readCode(call.body);
    // The wrong try is counted in a commit of its own, which the refusal does not take back.
    const isRight = await transaction(db, (tx) => isMailCode(tx, { by, code, now: now() }));
    if (!isRight) throw refuse(identityErrors.code_wrong);
    await transaction(db, async (tx) => {
      const { change } = await done(tx, 'mail', { by, now: now() });
      if (change) await record(tx, change);
    });
    return { message: 'Mails arrive', data: { step: 'mail' as const } };
  });
}

function masterKeyStep(dashboard: Console, { db, guards, config, now }: StepRouteDeps): void {
  const { masterKey } = config;
  const terms = { fresh: true, secrets: true, answer: ShownMasterKey };
  dashboard.write('POST', 'operator', '/setup/master-key/show', terms, async (tx) => {
    // What a store of secrets or a program gives is kept there.
    if (typeof masterKey !== 'string') throw refuse(kitErrors.not_found);
    if (!(await noteShown(tx, 'master_key', now()))) throw refuse(identityErrors.master_key_shown);
    const data = await keyText(tx, masterKey);
    const change = { action: 'was shown the master key', subject: { kind: 'master key', id: data.id } };
    return { message: 'Keep this in another place', data, change };
  });

  dashboard.act('POST', 'operator', '/setup/master-key/kept', { answer: StepDone }, async (call, record) => {
    const attempt = await guards.bySession(call.session, 'setup');
    const { key_id: keyId, begins } = readCopy(call.body);
    if (!(await hasCopy(db, masterKey, { keyId, begins })))
      throw invalid(keyId === null ? 'begins' : 'key_id', 'is not that of the master key');
    await attempt.succeeded();
    await transaction(db, async (tx) => {
      const { change } = await done(tx, 'master_key', { by: call.session.account.id, now: now() });
      if (change) await record(tx, change);
    });
    return { message: 'The master key is kept', data: { step: 'master_key' as const } };
  });
}
