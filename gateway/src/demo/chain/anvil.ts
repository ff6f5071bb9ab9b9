import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chainProgram } from './program.ts';

export type LocalChain = {
  rpcUrl: string;
  /** Of the process that started it and ends it. */
  pid: number | undefined;
  exited: Promise<void>;
  stop(): Promise<void>;
};

export type AnvilOptions = {
  chainId?: number;
  /** Free by default. */
  port?: number;
  /** Seconds between blocks; absent: a block for each transaction. */
  blockSeconds?: number;
  /** Blocks are made only when they are asked for. */
  onDemand?: boolean;
  /** How many blocks an epoch has: a block is final two epochs later. */
  slotsInAnEpoch?: number;
  /** Its first ten accounts have many coins. */
  mnemonic?: string;
  /** How many accounts with many coins it has. */
  accounts?: number;
  /** File with the state that it starts from, as its `anvil_dumpState` wrote it. */
  stateFile?: string | undefined;
  /**
   * For how many blocks it keeps the states of accounts, which is also how far back a reorg may go; absent: for all, in
   * files of its own.
   */
  keptStates?: number;
  /** Called once where it has not answered after a while; the start still waits for it. */
  onLate?: () => void;
};

const usualMs = 20_000;
const stopMs = 5_000;
const errorBytes = 2_000;

/**
 * Runs the chain and waits for it, and ends it when its own standard input ends. The process that started it holds the
 * other end, so the chain ends with that process, however that ends.
 */
const watchdog = `
exec 3<&0
"$@" </dev/null 3<&- &
chain=$!
(read line; kill -TERM $chain) <&3 >/dev/null 2>&1 &
watch=$!
wait $chain
status=$?
kill $watch 2>/dev/null
exit $status`;

/** Starts a chain on this machine; resolves once it answers. It ends with this process. */
export async function startAnvil(options: AnvilOptions = {}): Promise<LocalChain> {
  const command = [chainProgram(), ...argumentsOf(options)];
  // A process group of its own: a Ctrl-C for the gateway must not end the chain before its state is saved.
  const child = spawn('/bin/sh', ['-c', watchdog, 'florin-chain', ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin.on('error', () => {});
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await listening(child, options.onLate);
  return { rpcUrl: `http://${address}`, pid: child.pid, exited, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.destroy();
  const timer = setTimeout(() => killGroup(child), stopMs);
  await ended;
  clearTimeout(timer);
}

function killGroup(child: ChildProcess): void {
  // It did not start.
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

function argumentsOf(options: AnvilOptions): string[] {
  const { chainId = 31337, port = 0, blockSeconds, onDemand, slotsInAnEpoch, mnemonic } = options;
  const given: [string, string | number | undefined][] = [
    ['--chain-id', chainId],
    ['--port', port],
    ['--block-time', blockSeconds],
    ['--slots-in-an-epoch', slotsInAnEpoch],
    ['--mnemonic', mnemonic],
    ['--accounts', options.accounts],
    ['--load-state', options.stateFile],
    ['--prune-history', options.keptStates],
  ];
  const flags = onDemand ? ['--no-mining'] : [];
  return [...flags, ...given.flatMap(([name, value]) => (value === undefined ? [] : [name, `${value}`]))];
}

async function listening(
  child: ChildProcessWithoutNullStreams,
  onLate: () => void = () => {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(onLate, usualMs);
  let output = '';
  let errors = '';
  const read = (chunk: Buffer) => {
    output += chunk;
    const address = /Listening on ([\d.:]+)/.exec(output)?.[1];
    if (address) resolve(address);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < errorBytes) errors += chunk;
  });
  child.once('error', reject);
  child.once('close', (code) => reject(new Error(`the local chain ended with ${code}: ${errors.trim()}`)));
  try {
    return await promise;
  } catch (error) {
    killGroup(child);
    throw error;
  } finally {
    clearTimeout(timer);
    child.stdout.off('data', read);
    child.stdout.resume();
  }
}
