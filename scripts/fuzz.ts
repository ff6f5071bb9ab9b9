// `npm run fuzz -- --requests N --seed S`: sends requests of every kind to a gateway of its own on loopback, and prints the
// answers. With `--from R` it begins with request R, so that a single one can be repeated.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDashboard } from './build-dashboard.ts';

const root = dirname(import.meta.dirname);

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: `${randomInt(1_000_000)}` },
    from: { type: 'string', default: '0' },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} must be a whole number`);
}

await buildDashboard();
const vitest = join(root, 'node_modules', '.bin', 'vitest');
const child = spawn(vitest, ['run', 'gateway/test/fuzz.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    FUZZ_REQUESTS: values.requests,
    FUZZ_SEED: values.seed,
    FUZZ_FROM: values.from,
  },
  shell: process.platform === 'win32',
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
