// `npm run ops -- NAME [--debian FOLDER] [--minutes N] [--payments N]`: plays how Florin is installed and run on real machines; `all`
// plays every story. Needs root, and the programs of Debian that each story names where it lacks one.
import { parseArgs } from 'node:util';
import { playHttps } from './stories/https.ts';
import { playImage } from './stories/image.ts';
import { playInstalled } from './stories/installed.ts';
import { playRolling } from './stories/rolling.ts';
import type { Say } from './stories/tools.ts';
import { playUpgrade } from './stories/upgrade.ts';

type Options = { debian?: string; minutes?: number; payments?: number };

const stories: Record<string, { about: string; play(say: Say, options: Options): Promise<void> }> = {
  installed: {
    about:
      'a bare Debian: package, https, first run, a live payment, a backup, and a restore on another machine',
    play: playInstalled,
  },
  upgrade: {
    about: 'an upgrade with a rehearsal, broken ones that go back, and one that is killed',
    play: playUpgrade,
  },
  rolling: { about: 'two gateways are upgraded under load, one after the other', play: playRolling },
  https: { about: 'Caddy in front of a gateway', play: playHttps },
  image: { about: 'the image is built, and run as strictly as it gets', play: playImage },
};

const usage = `Usage: npm run ops -- NAME, where NAME is all or one of:\n${Object.entries(stories)
  .map(([name, { about }]) => `  ${name.padEnd(10)}${about}`)
  .join('\n')}
Options:
  --debian FOLDER   where the files of the bare Debian are kept for the next time
  --minutes N       how long two versions serve beside each other
  --payments N      how many there are before the upgrade`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { debian: { type: 'string' }, minutes: { type: 'string' }, payments: { type: 'string' } },
});
const [name = ''] = positionals;
const chosen = name === 'all' ? Object.keys(stories) : [name];
if (positionals.length !== 1 || chosen.some((each) => !(each in stories))) {
  console.error(usage);
  process.exit(1);
}

const { debian, minutes, payments } = values;
const options: Options = {
  ...(debian !== undefined && { debian }),
  ...(minutes !== undefined && { minutes: Number(minutes) }),
  ...(payments !== undefined && { payments: Number(payments) }),
};
const outcomes: string[] = [];
for (const each of chosen) {
  console.log(`\n${each}: ${stories[each]!.about}`);
  const begunMs = performance.now();
  const fault = await stories[each]!.play((line) => console.log(`  ${line}`), options).then(
    () => null,
    (error: Error) => error,
  );
  if (fault) {
    console.error(fault);
    process.exitCode = 1;
  }
  const took = ((performance.now() - begunMs) / 1000).toFixed(0);
  outcomes.push(`  ${each.padEnd(10)} ${fault ? 'FAILED' : 'ok    '} ${took} s`);
}
console.log(`\n${outcomes.join('\n')}`);
