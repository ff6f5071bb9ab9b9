// A process that runs one command line of `florin` after the other, as its parent asks: see `runFlorin`.
import { run } from '../src/run.ts';
import type { Asked, Ended } from './florin.ts';

type Write = typeof process.stdout.write;

const ownEnvironment = { ...process.env };
const ownDirectory = process.cwd();
// One listener for each run would be too many; what is written here never reaches a pipe.
process.stdout.setMaxListeners(0);

function setEnvironment(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Collects what is written to a stream; returns how to end that, which returns what was written. */
function collect(stream: NodeJS.WriteStream): () => string {
  const { write } = stream;
  let text = '';
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.find((each) => typeof each === 'function');
    if (done) queueMicrotask(done as () => void);
    return true;
  }) as Write;
  return () => {
    stream.write = write;
    return text;
  };
}

async function runOnce({ words, env, cwd }: Asked): Promise<Ended> {
  setEnvironment({ ...ownEnvironment, ...env });
  process.chdir(cwd ?? ownDirectory);
  process.exitCode = undefined;
  const [output, errors] = [collect(process.stdout), collect(process.stderr)];
  const code = await run([...words]);
  process.exitCode = undefined;
  return { code: code ?? 0, output: output(), errors: errors() };
}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (asked: Asked) => {
  last = last.then(async () => process.send?.({ id: asked.id, ended: await runOnce(asked) }));
});
