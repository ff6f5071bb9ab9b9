import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

export type LocalChain = { rpcUrl: string; stop(): Promise<void> };

export type AnvilOptions = {
  chainId?: number;
  /** Free by default. */
  port?: number;
  /** Seconds between blocks; absent: a block for each transaction. */
  blockSeconds?: number;
  /** Blocks of an epoch: a block is final two of them later. */
  slotsInAnEpoch?: number;
  /** Of so many blocks it knows how its accounts stood, and a reorg may go so far back; 500 by default. */
  statesKept?: number;
  /** Whose first ten accounts are rich. */
  mnemonic?: string;
  /** File that the chain is kept in between two runs. */
  stateFile?: string;
};

const startMs = 20_000;
const stopMs = 5_000;

/** Starts a chain of its own on this machine; resolves once it answers. It ends with this process. */
export async function startAnvil(options: AnvilOptions = {}): Promise<LocalChain> {
  const child = spawn(binary(), argumentsOf(options), { stdio: ['ignore', 'pipe', 'ignore'] });
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  const address = await listening(child);
  return {
    rpcUrl: `http://${address}`,
    stop: async () => {
      process.off('exit', onExit);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function argumentsOf(options: AnvilOptions): string[] {
  const { chainId = 31337, port = 0, blockSeconds, slotsInAnEpoch, statesKept, mnemonic, stateFile } = options;
  const given: [string, string | number | undefined][] = [
    ['--chain-id', chainId],
    ['--port', port],
    ['--block-time', blockSeconds],
    ['--slots-in-an-epoch', slotsInAnEpoch],
    ['--prune-history', statesKept],
    ['--mnemonic', mnemonic],
    ['--state', stateFile],
  ];
  return given.flatMap(([name, value]) => (value === undefined ? [] : [name, `${value}`]));
}

/** The program itself: the package's own starter would stand between it and our signals. */
function binary(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil${suffix}`);
}

async function listening(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error('the local chain did not start')), startMs);
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
    const address = /Listening on ([\d.:]+)/.exec(output)?.[1];
    if (address) resolve(address);
  };
  child.stdout!.on('data', read);
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`the local chain ended with ${code}`)));
  try {
    return await promise;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
    child.stdout!.off('data', read);
    child.stdout!.resume();
  }
}
