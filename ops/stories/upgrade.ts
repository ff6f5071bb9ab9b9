// Upgrades an installation of the Debian package with many payments, to a version with one more migration; then to two that are
// broken, which go back; then to one whose upgrade is killed in the middle. It runs on a bare Debian with systemd.
// node ops/stories/upgrade.ts [--debian FOLDER] [--payments 200000]
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { makeArtefact } from '../../scripts/artefact/make.ts';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { root } from '../../scripts/programs.ts';
import { debianName, debianPackage } from '../debian/package.ts';
import { type Machine, makeDebian, startMachine } from './machine.ts';
import { assertInstalled, type Ends, type Say, undo } from './tools.ts';

const cpu = process.arch;
const readyMs = 120_000;

/** The next versions, each by the migration that it adds. */
const next = {
  '9.1.0':
    'ALTER TABLE payments ADD COLUMN next_note text; CREATE TABLE next_things (id bigint PRIMARY KEY);',
  // Its migrations are right, and lose money.
  '9.2.0':
    "ALTER TABLE payments ADD COLUMN lost_note text; UPDATE ledger_accounts SET balance = balance + 1 WHERE stored AND kind = 'business';",
  '9.3.0': 'ALTER TABLE payments ADD COLUMN ill_note text;',
  '9.4.0': 'ALTER TABLE payments ADD COLUMN last_note text;',
} as const;

export type UpgradeOptions = {
  /** Where the files of the bare Debian are, or are kept once they are made. */
  debian?: string | undefined;
  /** How many are made before. */
  payments?: number | undefined;
};

/** Plays the whole story. Throws where something is not as it should be. */
export async function playUpgrade(
  say: Say,
  { debian, payments = 200_000 }: UpgradeOptions = {},
): Promise<void> {
  await assertInstalled('debootstrap', 'systemd-nspawn');
  const home = await mkdtemp(join(tmpdir(), 'florin-upgrade-'));
  const ends: Ends = [() => rm(home, { recursive: true, force: true })];
  try {
    const [packages, data] = [join(home, 'packages'), join(home, 'data')];
    for (const folder of [packages, data]) await mkdir(folder);
    const before = await makePackages(home, packages);
    say('The packages are made.');
    const base = debian ?? join(home, 'debian');
    await makeDebian(base);
    const machine = await startMachine(base, { shown: packages, data });
    ends.push(machine.stop);
    await install(machine, before, payments);
    say(`${payments.toLocaleString('en')} payments are made in Florin ${before}.`);
    const kept = await countsOf(machine);

    await timed(say, 'florin upgrade --check', () =>
      machine.run(`florin upgrade --check /shown/${debianName('9.1.0', cpu)}`),
    );
    await timed(say, 'florin upgrade', () =>
      machine.run(`florin upgrade /shown/${debianName('9.1.0', cpu)}`),
    );
    say(`  of that the pause: ${await pauseOf(machine)} s`);
    await assertServes(machine, '9.1.0', kept);

    for (const version of ['9.2.0', '9.3.0'] as const) {
      const line = `florin upgrade --skip-check /shown/${debianName(version, cpu)}`;
      const printed = await timed(say, `a broken ${version}, which goes back`, () =>
        machine.run(`! ${line}`),
      );
      if (!printed.includes('Florin 9.1.0 serves as before.')) throw new Error(printed);
      say(`  of that the pause: ${await pauseOf(machine)} s`);
      await assertServes(machine, '9.1.0', kept);
    }

    const child = await machine.start(
      `florin upgrade --skip-check /shown/${debianName('9.4.0', cpu)} > /run/upgrade.out 2>&1`,
    );
    const ended = once(child, 'exit');
    while (!(await machine.run('cat /var/lib/florin-upgrade/upgrade.json || true')).includes('"trying"')) {
      if (child.exitCode !== null) throw new Error(await machine.run('cat /run/upgrade.out'));
      await sleep(100);
    }
    await machine.run(
      'kill -9 $(grep -o \'"pid":[0-9]*\' /var/lib/florin-upgrade/upgrade.json | cut -d: -f2)',
    );
    await ended;
    say('An upgrade was killed while it tried the new version.');
    await timed(say, 'florin upgrade --resume', () => machine.run('florin upgrade --resume'));
    await assertServes(machine, '9.4.0', kept);
  } finally {
    await undo(ends);
  }
}

async function makePackages(home: string, packages: string): Promise<string> {
  const program = join(home, 'program');
  await buildDashboard();
  await makeArtefact(root, program);
  const manifests = ['gateway/package.json', 'cli/package.json'].map((path) => join(program, path));
  const { version } = JSON.parse(await readFile(manifests[0] ?? '', 'utf8')) as { version: string };
  const write = async (each: string): Promise<void> => {
    for (const path of manifests) {
      const manifest = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      await writeFile(path, `${JSON.stringify({ ...manifest, version: each }, null, 2)}\n`);
    }
    const made = await debianPackage({ version: each, cpu, program, root, level: 1 });
    await writeFile(join(packages, debianName(each, cpu)), made);
  };
  await write(version);
  const start = join(program, 'gateway/start.mjs');
  const healthy = `${start}.healthy`;
  await cp(start, healthy);
  const added: string[] = [];
  for (const [index, [each, sql]] of Object.entries(next).entries()) {
    const migration = join(program, 'gateway/src/operations/migrations', `${9_900 + index}_next.sql`);
    await writeFile(migration, `${sql}\n`);
    added.push(migration);
    // Its gateway ends at once.
    if (each === '9.3.0') await writeFile(start, "throw new Error('broken');\n");
    await write(each);
    await cp(healthy, start);
    // The next version has nothing of a broken one.
    if (each === '9.2.0' || each === '9.3.0') await rm(migration);
  }
  await rm(program, { recursive: true });
  return version;
}

async function install(machine: Machine, version: string, payments: number): Promise<void> {
  const [port, metricsPort] = await freePorts(2);
  await machine.run(
    `apt-get update && apt-get install --yes --no-install-recommends /shown/${debianName(version, cpu)}`,
  );
  await machine.run(`printf 'PORT=${port}\\nMETRICS_PORT=${metricsPort}\\n' >> /etc/florin/florin.env`);
  await machine.run('florin integrations create "A shop" > /dev/null');
  await machine.run(`florin seed --payments ${payments} --indexes-last`);
  await machine.run('systemctl start florin.service');
  await awaitReady(machine);
}

async function awaitReady(machine: Machine): Promise<void> {
  for (const endMs = performance.now() + readyMs; ; await sleep(500)) {
    const said = await machine.run('florin health || true');
    if (said === 'The gateway is ready.') return;
    if (performance.now() > endMs)
      throw new Error(`${said}\n${await machine.run('journalctl --unit florin --no-pager --lines 20')}`);
  }
}

/** What no upgrade may change. */
async function countsOf(machine: Machine): Promise<string> {
  const { accounts, transfers, entries, findings } = JSON.parse(await machine.run('florin audit --json')) as {
    [name: string]: unknown;
  };
  return JSON.stringify({ accounts, transfers, entries, findings });
}

async function assertServes(machine: Machine, version: string, kept: string): Promise<void> {
  await awaitReady(machine);
  const found = [
    await machine.run('florin --version'),
    await machine.run(`dpkg-query -W -f='\${Version}' florin`),
  ];
  if (found.some((each) => each !== version))
    throw new Error(`${found.join(' and ')} is there in place of ${version}`);
  const counts = await countsOf(machine);
  if (counts !== kept) throw new Error(`The ledger was ${kept} and is ${counts}`);
  if ((await machine.run('ls /var/lib/florin-upgrade/upgrade.json || true')).includes('\nNo such')) return;
}

/** How long no gateway served in the last upgrade, in seconds, by its log. */
async function pauseOf(machine: Machine): Promise<string> {
  const log = await machine.run(
    "grep -E 'Z (Stopping the gateway|Florin .* serves)' /var/lib/florin-upgrade/upgrade.log | tail -n 2",
  );
  const [from = 0, to = 0] = log.split('\n').map((line) => Date.parse(line.split(' ')[0] ?? ''));
  return ((to - from) / 1000).toFixed(1);
}

async function timed<T>(say: Say, what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  say(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return done;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { debian: { type: 'string' }, payments: { type: 'string' } } });
  const payments = values.payments === undefined ? undefined : Number.parseInt(values.payments, 10);
  await playUpgrade(console.log, { debian: values.debian, payments });
}
