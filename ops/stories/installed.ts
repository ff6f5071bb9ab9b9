// What an operator lives through on a rented machine: a bare Debian, one line to https, the first run in a browser, a first live
// payment, a backup, and a new machine that is restored from it.
// node ops/stories/installed.ts [--debian FOLDER], where FOLDER keeps the files of the bare Debian for the next time.
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { chainsFile, openShop, payOne, statusOf, useChains } from './live-payment.ts';
import { type Machine, makeDebian, startMachine } from './machine.ts';
import { type Operator, openOperator } from './operator.ts';
import { thisVersion, writeRelease } from './release-files.ts';
import { assertInstalled, type Ends, type Say, seconds, undo } from './tools.ts';

export type InstalledOptions = {
  /** Where the files of the bare Debian are, or are kept once they are made. */
  debian?: string | undefined;
};

/** A name that no public authority gives certificates for, so that Caddy makes them by an authority of its own. */
const domain = 'pay.florin.test';

/** Plays the whole story. Throws where something is not as it should be. */
export async function playInstalled(say: Say, { debian }: InstalledOptions = {}): Promise<void> {
  await assertInstalled('debootstrap', 'systemd-nspawn');
  const work = await mkdtemp(join(tmpdir(), 'florin-installed-'));
  const ends: Ends = [() => rm(work, { recursive: true, force: true })];
  try {
    await buildDashboard();
    const [base, shown] = [debian ?? join(work, 'debian'), join(work, 'shown')];
    await writeRelease(join(shown, 'release'), await thisVersion());
    await mkdir(join(shown, 'kept'));
    await chmod(join(shown, 'kept'), 0o777);
    await makeDebian(base);
    const start = async () => {
      const machine = await startMachine(base, { shown, data: await mkdtemp(join(work, 'data-')) });
      ends.push(machine.stop);
      return machine;
    };
    const operator = await openOperator(domain);
    ends.push(operator.close);

    const first = await start();
    const lived = await explained(first, () =>
      live({ machine: first, operator, chainFolder: join(work, 'chain'), ends, say }),
    );
    await first.stop();
    const second = await start();
    await explained(second, () => restoreOn(second, { operator, lived, kept: join(shown, 'kept'), say }));
  } finally {
    await undo(ends);
  }
}

/** Runs `work`, and adds to its fault what the gateway of the machine has logged last. */
async function explained<T>(machine: Machine, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const log = await machine.run('journalctl --unit florin --no-pager --lines 30 || true').catch(() => '');
    throw new Error(`${(error as Error).message}\n${log}`, { cause: error });
  }
}

type First = { machine: Machine; operator: Operator; chainFolder: string; ends: Ends; say: Say };
type Lived = { key: string; reference: string };

/** The life of the first machine, from its installation to the backup that is kept elsewhere. */
async function live({ machine, operator, chainFolder, ends, say }: First): Promise<Lived> {
  const link = await install(machine, say);
  let begunMs = performance.now();
  await operator.begin(link);
  say(`the first operator, with a passkey, by the link: ${seconds(begunMs)}`);
  const shop = await openShop(machine, chainFolder);
  ends.push(shop.chain.stop);
  begunMs = performance.now();
  const reference = await payOne({ machine, operator, domain }, shop);
  say(`a live payment by a plain transfer, until it is complete: ${seconds(begunMs)}`);
  begunMs = performance.now();
  await machine.run('florin backup /shown/kept/one.backup');
  await machine.run('install -m 0644 /shown/kept/one.backup /shown/kept/shown.backup');
  await machine.run('install -m 0644 /var/lib/florin/master.key /etc/florin/chains.json /shown/kept');
  say(`a backup: ${seconds(begunMs)}`);
  return { key: shop.key, reference };
}

/** Installs by the one line, and returns the link of the first run. */
async function install(machine: Machine, say: Say): Promise<string> {
  await machine.run(`echo 127.0.0.1 ${domain} >> /etc/hosts`);
  const begunMs = performance.now();
  const said = await machine.run(`sh /shown/release/install.sh --from /shown/release ${domain}`);
  const link = linkIn(said);
  say(`from a bare Debian to https and the link of the first run: ${seconds(begunMs)}`);
  return link;
}

function linkIn(said: string): string {
  const [link] = /https:\/\/\S+#\S+/.exec(said) ?? [];
  if (link === undefined) throw new Error(`No link was printed:\n${said}`);
  return link;
}

type Restored = { operator: Operator; lived: Lived; kept: string; say: Say };

/** Another machine takes the place of the first one: by its first run, in a browser. */
async function restoreOn(machine: Machine, { operator, lived, kept, say }: Restored): Promise<void> {
  await install(machine, say);
  const masterKey = (await readFile(join(kept, 'master.key'), 'utf8')).trim();
  await machine.run(`install -m 0644 /shown/kept/chains.json ${chainsFile} && ${useChains}`);
  // Each start ends the link of the one before.
  const link = linkIn(await machine.run('florin setup-link'));
  const begunMs = performance.now();
  await operator.restore(link, { path: '/shown/kept/shown.backup', masterKey });
  say(`restored by the first run, until its operator is signed in: ${seconds(begunMs)}`);
  const status = await statusOf({ machine, domain }, lived.key, lived.reference);
  if (status !== 'completed') throw new Error(`The payment is ${status} after the restore`);
  const audit = await machine.run('florin audit');
  say(`the payment is there, and florin audit says: ${audit.split('\n').at(-1)}`);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { debian: { type: 'string' } } });
  await playInstalled(console.log, values);
}
