// Loaded before a gateway (`--import`). The file that FAULTS_CLOCK_FILE names has two numbers: by how many milliseconds Date is
// ahead of the machine's clock, and how many have passed at once so far. It follows each change of that file. Timers and
// performance.now() do not step, as on a machine whose clock is set; but who sleeps wakes when the time that passes at once is
// longer. It is JavaScript, since it runs before all else.
import { readFileSync, watch } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';
import timers from 'node:timers/promises';

const file = process.env.FAULTS_CLOCK_FILE;
const SystemDate = Date;
const { setTimeout: sleep } = timers;
/** Shorter sleeps end soon enough by themselves. */
const longMs = 2_000;
const sleepers = new Set();
let aheadMs = 0;
let passedMs = 0;

function read() {
  const [ahead, passed] = readFileSync(file, 'utf8').split(' ').map(Number);
  const more = passed - passedMs;
  [aheadMs, passedMs] = [ahead, passed];
  for (const sleeper of sleepers) {
    sleeper.dueMs -= more;
    if (more > 0 && sleeper.dueMs <= performance.now()) sleeper.wake.abort();
  }
}
const now = () => SystemDate.now() + aheadMs;

async function sleepUnlessPassed(ms, value, options = {}) {
  if (!(ms >= longMs)) return await sleep(ms, value, options);
  const wake = new AbortController();
  const sleeper = { dueMs: performance.now() + ms, wake };
  sleepers.add(sleeper);
  const signal = options.signal ? AbortSignal.any([options.signal, wake.signal]) : wake.signal;
  try {
    return await sleep(ms, value, { ...options, signal });
  } catch (error) {
    if (options.signal?.aborted || !wake.signal.aborted) throw error;
    return value;
  } finally {
    sleepers.delete(sleeper);
  }
}

if (file) {
  read();
  watch(dirname(file), { persistent: false }, (_, name) => {
    if (name === basename(file)) read();
  });
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, args, as) => Reflect.construct(target, args.length === 0 ? [now()] : args, as),
    apply: () => new SystemDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  SystemDate.prototype.constructor = globalThis.Date;
  timers.setTimeout = sleepUnlessPassed;
  syncBuiltinESMExports();
}
