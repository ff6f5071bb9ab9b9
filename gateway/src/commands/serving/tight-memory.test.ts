import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = `
const { withTightMemory } = await import(process.argv[1]);
const { pid } = process;
if (!process.env.BEGAN) process.env.BEGAN = String(pid);
withTightMemory();
const { BEGAN, MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, OTHER, NODE_OPTIONS } = process.env;
console.log(JSON.stringify([BEGAN === String(pid), MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, OTHER, process.execArgv[0], NODE_OPTIONS]));
`;

const module = new URL('./tight-memory.mjs', import.meta.url).href;

/** What a process with this environment is after it asked for tight memory. */
async function begun(env: Record<string, string>): Promise<unknown[]> {
  const words = ['--stack-size=900', '--input-type=module', '--eval', program, module];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  return JSON.parse(stdout) as unknown[];
}

test.runIf(process.platform === 'linux')(
  'a process begins anew under the settings, as what it was',
  async () => {
    const started = [true, '1', '32768', 'kept', '--stack-size=900'];
    const own = '--max-semi-space-size=64';
    expect(await begun({ OTHER: 'kept' })).toEqual([...started, own]);
    const given = '--max-semi-space-size=16';
    expect(await begun({ OTHER: 'kept', NODE_OPTIONS: given })).toEqual([...started, `${own} ${given}`]);
  },
);

test('settings of the environment stay', async () => {
  expect(await begun({ MALLOC_ARENA_MAX: '4' })).toEqual([true, '4', null, null, '--stack-size=900', null]);
});
