import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import type { Console } from '../../identity/console/console.ts';
import { identityErrors } from '../../identity/errors.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import {
  finishStep,
  isMailCode,
  makeMailCode,
  noteKeyShown,
  readSteps,
  type SetupStep,
} from '../../identity/setup/steps.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader, invalid } from '../../kit/http/fields.ts';
import { nameOfSecret } from '../../kit/secret.ts';
import { seeAddress } from './address-check.ts';
import { AddressSeen, MailCheck, Setup, ShownMasterKey, StepDone } from './answers.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { type Environment, settingsOf } from './settings-shown.ts';
import { activeKey, beginsKey } from './shown-key.ts';

export type StepRouteDeps = {
  db: Database;
  guards: Guards;
  config: Config;
  /** What the settings are read from; the environment of this process where it is left out. */
  env?: Environment;
  now: Clock;
};

const readOrigin = fieldReader(Type.Object({ origin: Type.String({ maxLength: 300, format: 'text' }) }));
const readCode = fieldReader(Type.Object({ code: Type.String({ maxLength: 20, format: 'text' }) }));
const readCopy = fieldReader(Type.Object({ begins: Type.String({ maxLength: 100, format: 'text' }) }));

/** What an operator sets up after the first run, and how the gateway sees that it is done (contract.md#first-run). */
export function stepRoutes(dashboard: Console, deps: StepRouteDeps): void {
  overview(dashboard, deps);
  saidSteps(dashboard, deps);
  addressStep(dashboard, deps);
  mailStep(dashboard, deps);
  masterKeyStep(dashboard, deps);
  endpointRoutes(dashboard, deps);
}

function overview(dashboard: Console, { db, config, env = process.env }: StepRouteDeps): void {
  dashboard.get('operator', '/setup', { answer: Setup }, async ({ session }) => {
    const steps = await readSteps(db);
    const { masterKey, chains, rates } = config;
    const shownAt = steps.find(({ step }) => step === 'master_key')?.shown_at ?? null;
    const data = {
      steps: steps.map(({ step, done_at }) => ({
        ...{ step, done_at: done_at?.toISOString() ?? null },
        settings: settingsOf(step, config, env),
      })),
      open: steps.filter(({ done_at }) => done_at === null).length,
      master_key: {
        place: nameOfSecret(masterKey),
        is_file: typeof masterKey === 'string',
        shown_at: shownAt?.toISOString() ?? null,
      },
      chains: chains.map(({ id, name, isTest = false, receiving, vault, paysByHand, rpcUrls }) => ({
        ...{ id, name, is_test: isTest, pays_by_hand: paysByHand },
        treasury: receiving.kind === 'forwarder' ? receiving.treasury : null,
        vault: vault?.address ?? null,
        endpoints: rpcUrls.map((url) => new URL(url).host),
      })),
      rate_sources:
        rates.kind === 'sources' ? rates.sources.map((each) => URL.parse(each)?.host || each) : [],
      mails_to: config.smtpUrl === null ? null : session.account.email,
    };
    return { message: 'What is left to set up', data };
  });
}

/** Finishes a step; the change for the staff log, null where it was done before. */
async function finished(tx: Tx, step: SetupStep, by: string, now: Date) {
  if (!(await finishStep(tx, step, { by, now }))) return null;
  return { action: 'finished a step of the first run', subject: { kind: 'setup step', id: step } };
}

/** Steps that are done when a person says so. */
const saidSteps = (dashboard: Console, { config, now }: StepRouteDeps): void => {
  const said: readonly string[] = ['chains', 'treasury', 'rates', 'backups'];
  dashboard.write('POST', 'operator', '/setup/:step/done', { answer: StepDone }, async (tx, call) => {
    const { step = '' } = call.params;
    // A key that a store or a program gives is kept there, and is not typed.
    const isKeptElsewhere = step === 'master_key' && typeof config.masterKey !== 'string';
    if (!said.includes(step) && !isKeptElsewhere) throw refuse(kitErrors.not_found);
    const change = await finished(tx, step as SetupStep, call.session.account.id, now());
    return { message: 'Done', data: { step: step as SetupStep }, change };
  });
};

function addressStep(dashboard: Console, { config, now }: StepRouteDeps): void {
  dashboard.write('POST', 'operator', '/setup/address', { answer: AddressSeen }, async (tx, call) => {
    const data = seeAddress(call.request, readOrigin(call.body).origin, config);
    const isGood = data.faults.length === 0;
    const change = isGood ? await finished(tx, 'address', call.session.account.id, now()) : null;
    return { message: 'What the gateway sees', data, change };
  });
}

function mailStep(dashboard: Console, { db, guards, now }: StepRouteDeps): void {
  dashboard.write('POST', 'operator', '/setup/mail', { answer: MailCheck }, async (tx, call) => {
    const { id, email: to } = call.session.account;
    await guards.rare(call.request, `test mails of ${id}`);
    const code = await makeMailCode(tx, now());
    const text = `Mails of this installation arrive. The code for the page that sent this: ${code}\n\nIt opens nothing.\n`;
    await queueMail(tx, { to, kind: 'test', subject: `Florin: your code is ${code}`, text });
    const change = { action: 'sent a test mail', subject: { kind: 'mail', id: 'test' }, after: { to } };
    return { message: 'Test mail queued', data: { to }, change };
  });

  dashboard.act('POST', 'operator', '/setup/mail/code', { answer: StepDone }, async (call, record) => {
    const { code } = readCode(call.body);
    // In a transaction of its own: the refusal must not take the try back.
    if (!(await transaction(db, (tx) => isMailCode(tx, code, now()))))
      throw refuse(identityErrors.code_wrong);
    await transaction(db, async (tx) => {
      const change = await finished(tx, 'mail', call.session.account.id, now());
      if (change) await record(tx, change);
    });
    return { message: 'Mails arrive', data: { step: 'mail' as const } };
  });
}

function masterKeyStep(dashboard: Console, { db, guards, config, now }: StepRouteDeps): void {
  const { masterKey } = config;
  const terms = { fresh: true, secrets: true, answer: ShownMasterKey };
  dashboard.write('POST', 'operator', '/setup/master-key/show', terms, async (tx, call) => {
    if (typeof masterKey !== 'string') throw refuse(kitErrors.not_found);
    if (!(await noteKeyShown(tx, call.session.account.id, now())))
      throw refuse(identityErrors.master_key_not_shown);
    const data = await activeKey(tx, masterKey);
    const change = { action: 'was shown the master key', subject: { kind: 'master key', id: data.id } };
    return { message: 'Keep this in another place', data, change };
  });

  dashboard.act('POST', 'operator', '/setup/master-key/kept', { answer: StepDone }, async (call, record) => {
    const attempt = await guards.bySession(call.session, 'setup');
    const { begins } = readCopy(call.body);
    if (typeof masterKey !== 'string' || !(await beginsKey(db, masterKey, begins)))
      throw invalid('begins', 'is not how the master key begins');
    await attempt.succeeded();
    await transaction(db, async (tx) => {
      const change = await finished(tx, 'master_key', call.session.account.id, now());
      if (change) await record(tx, change);
    });
    return { message: 'The master key is kept', data: { step: 'master_key' as const } };
  });
}
