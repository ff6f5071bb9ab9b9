import { checkAddress } from './checks/address.ts';
import { askAddresses } from './checks/ask-address.ts';
import { checkBackups } from './checks/backups.ts';
import { checkCertificate } from './checks/certificate.ts';
import { checkChain } from './checks/chain.ts';
import { checkClock } from './checks/clock.ts';
import type { Check, Context, Examined } from './checks/context.ts';
import { checkDatabase } from './checks/database.ts';
import { checkDisk } from './checks/disk.ts';
import { checkFiles } from './checks/files.ts';
import { broken, type CheckName, type Finding, found, words } from './checks/finding.ts';
import { checkKeys } from './checks/keys.ts';
import { checkMail } from './checks/mail.ts';
import { checkMaintenance } from './checks/maintenance.ts';
import { checkPi } from './checks/pi.ts';
import { checkProcess } from './checks/process.ts';
import { checkProxy } from './checks/proxy.ts';
import { checkReserves } from './checks/reserves.ts';
import { checkSecurityContact } from './checks/security-contact.ts';
import { checkStamps } from './checks/stamps.ts';
import { checkStandby } from './checks/standby.ts';
import { checkWebhooks } from './checks/webhooks.ts';
import { levels } from './checks/words.ts';

const checks: Record<CheckName, Check> = {
  // What has wrong settings is never examined as a whole.
  configuration: async () => [found('configuration', 'ok')],
  process: checkProcess,
  files: checkFiles,
  disk: checkDisk,
  database: checkDatabase,
  maintenance: checkMaintenance,
  stamps: checkStamps,
  backups: checkBackups,
  reserves: checkReserves,
  keys: checkKeys,
  security_contact: checkSecurityContact,
  address: checkAddress,
  certificate: checkCertificate,
  proxy: checkProxy,
  clock: checkClock,
  standby: checkStandby,
  chain: checkChain,
  pi: checkPi,
  mail: checkMail,
  webhooks: checkWebhooks,
};

export const checkNames = Object.keys(words) as CheckName[];

const limitMs = 10_000;
const longestMessage = 300;

export type ExamineOptions = {
  /** Called when a check has ended, with how many have. */
  onDone?: (done: number) => void;
  /** How long each check may take. */
  limitMs?: number;
};

/** Makes all checks at once, each for ten seconds at most, and returns what they found, the gravest first. Never rejects. */
export async function examine(examined: Examined, options: ExamineOptions = {}): Promise<Finding[]> {
  const ending = new AbortController();
  const ownLimitMs = options.limitMs ?? limitMs;
  const isMigrated = once(async () => examined.db !== null && (await examined.isMigrated()));
  const context: Context = {
    ...{ ...examined, isMigrated, signal: ending.signal, limitMs: ownLimitMs },
    answers: once(async () => {
      const { config, db } = examined;
      return db && (await isMigrated()) ? await askAddresses(config, db, ending.signal) : [];
    }),
  };
  let done = 0;
  const findings = await Promise.all(
    checkNames.map(async (name) => {
      const ended = await bounded(name, checks[name](context), ownLimitMs);
      done += 1;
      options.onDone?.(done);
      return ended;
    }),
  );
  ending.abort();
  return byLevel(findings.flat());
}

/** Asks once for all checks. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}

/** The findings of a check, or that it failed or took too long. */
async function bounded(name: CheckName, work: Promise<Finding[]>, ms: number): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<Finding[]>((resolve) => {
    timer = setTimeout(() => resolve([broken(name, 'timed_out', null)]), ms);
  });
  try {
    return await Promise.race([work, over]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [broken(name, 'failed', message.slice(0, longestMessage))];
  } finally {
    clearTimeout(timer);
  }
}

/** Of one level in the order of the checks. */
function byLevel(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
}

/** How many findings of each level there are. */
export function countsOf(findings: readonly Finding[]): Record<Finding['level'], number> {
  const count = (level: Finding['level']) => findings.filter((each) => each.level === level).length;
  return {
    fault: count('fault'),
    warning: count('warning'),
    unknown: count('unknown'),
    ok: count('ok'),
  };
}
