import { existsSync } from 'node:fs';

// The C library reads these when a process begins. One pool for all threads, and buffers of 32 KB and more outside it:
// else what requests leave behind lies between what is still used, and 100 MB are never given back to the system. Up to
// 16 MB at the pool's end are kept, so that it is not made shorter and longer all the time.
const settings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '16777216',
  MALLOC_TOP_PAD_: '1048576',
};

// Megabytes for V8's newest objects, four times the usual: each time they are full, what requests under way still use is copied,
// which is a tenth of the CPU of a request. An option of your own wins, since it comes later.
const nodeOptions = '--max-semi-space-size=64';

/** Begins this process anew under the settings, with the same number, unless its environment has such ones already. */
export function withTightMemory() {
  const { execPath, execArgv, argv, env, platform, channel } = process;
  const isSet = Object.keys(env).some((name) => name.startsWith('MALLOC_'));
  // The channel to a parent would not outlive it, and a program that cannot be begun would end the process.
  if (platform !== 'linux' || isSet || channel || !process.execve || !existsSync(execPath)) return;
  const NODE_OPTIONS = `${nodeOptions} ${env.NODE_OPTIONS ?? ''}`.trim();
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...settings, NODE_OPTIONS });
}
