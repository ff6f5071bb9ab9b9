import { type ExecFileException, execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * Where a secret is: the path of a file, a variable of the environment, or a program with its arguments that prints it.
 */
export type Secret = string | { env: string } | { command: readonly string[] };

/** A secret that cannot be read. The message holds neither arguments nor output of the program. */
export class SecretFault extends Error {}

const timeoutMs = 10_000;
const maxBytes = 64 * 1024;
/** How long the output of a program is used before it runs again. */
const keptMs = 300_000;

const bounds = {
  maxBuffer: maxBytes,
  killSignal: 'SIGKILL',
  encoding: 'buffer',
} as const;
const printed = new Map<string, { untilMs: number; output: Promise<Buffer> }>();

/** The name of a secret in messages. */
export function nameOfSecret(secret: Secret): string {
  if (typeof secret === 'string') return secret;
  return 'env' in secret ? `the variable ${secret.env}` : `the program ${basename(secret.command[0] ?? '')}`;
}

/** The same with its purpose: `gas key file /keys/gas`, or `gas key of the program vault`. */
export function secretNamed(what: string, secret: Secret): string {
  return typeof secret === 'string'
    ? `${what} ${secret}`
    : `${what.replace(' file', '')} of ${nameOfSecret(secret)}`;
}

/**
 * The bytes of a secret: of a file as they are, of a program without the last line end. A file is read again each time;
 * a program runs again after five minutes, or at once with `isFresh`. It runs without a shell. Throws SecretFault.
 */
export async function readSecretBytes(
  secret: Secret,
  { isFresh = false, limitMs = timeoutMs }: { isFresh?: boolean; limitMs?: number } = {},
): Promise<Buffer> {
  if (typeof secret === 'string') return await readFile(secret).catch(unreadable);
  if ('env' in secret) return variable(secret.env, process.env);
  const name = JSON.stringify(secret.command);
  const known = printed.get(name);
  if (known && !isFresh && performance.now() < known.untilMs) return await known.output;
  const output = run(secret.command, limitMs);
  printed.set(name, { untilMs: performance.now() + keptMs, output });
  // A failed run is not kept: the next call tries again.
  output.catch(() => printed.delete(name));
  return await output;
}

/** The text of a secret, without space around it. Throws SecretFault. */
export async function readSecret(secret: Secret): Promise<string> {
  return (await readSecretBytes(secret)).toString('utf8').trim();
}

/** Reads a secret synchronously, at the start of a process. */
export function readSecretNow(secret: Secret, env: Record<string, string | undefined>): string {
  if (typeof secret !== 'string' && 'env' in secret) return variable(secret.env, env).toString('utf8').trim();
  try {
    if (typeof secret === 'string') return readFileSync(secret, 'utf8').trim();
    const [program = '', ...words] = secret.command;
    const output = execFileSync(program, words, {
      ...bounds,
      timeout: timeoutMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return withoutLineEnd(output).toString('utf8').trim();
  } catch (error) {
    if (typeof secret === 'string') return unreadable(error as NodeJS.ErrnoException);
    throw programFault(error as ExecFileException);
  }
}

/** A warning where others may read the file of a secret; null: they may not, or it is no file. */
export async function openSecretWarning(secret: Secret, what: string): Promise<string | null> {
  if (typeof secret !== 'string') return null;
  const { mode } = await stat(secret);
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  return isOpen ? `Others can read the ${what} ${secret}: chmod 600 it` : null;
}

function unreadable(error: NodeJS.ErrnoException): never {
  throw new SecretFault(`cannot be read (${error.code ?? error.name})`);
}

function variable(name: string, env: Record<string, string | undefined>): Buffer {
  const value = env[name];
  if (!value) throw new SecretFault('cannot be read: the variable is not set');
  return Buffer.from(value, 'utf8');
}

function run([program = '', ...words]: readonly string[], limitMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, { ...bounds, timeout: limitMs }, (error, output) => {
      if (error) reject(programFault(error));
      else resolve(withoutLineEnd(output));
    });
    child.stdin?.end();
  });
}

/** A fault without Node's text, which holds the arguments and the output of the program. */
function programFault({ code, killed, signal }: ExecFileException): SecretFault {
  if (code === 'ENOBUFS' || code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return new SecretFault(`cannot be read: the program printed more than ${maxBytes / 1024} KiB`);
  }
  if (killed || code === 'ETIMEDOUT' || signal) {
    return new SecretFault(`cannot be read: the program did not end by itself in time`);
  }
  const why = typeof code === 'string' ? `could not be started (${code})` : 'failed';
  return new SecretFault(`cannot be read: the program ${why}`);
}

function withoutLineEnd(output: Buffer): Buffer {
  const lineEnd = output.at(-1) !== 10 ? 0 : output.at(-2) === 13 ? 2 : 1;
  return output.subarray(0, output.length - lineEnd);
}
