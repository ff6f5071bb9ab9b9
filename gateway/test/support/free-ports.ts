import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../src/kit/db/system-errors.ts';

// Below the range from which systems take ports for outgoing connections: one of those could take a port that was
// found free, before the process that it is for listens on it.
const firstPort = 10_000;
const portsToChoose = 20_000;

// A port is found free before its gateway listens on it. Until then another test could find it free too, also one of
// another run on the same machine: so each port has a file here, which names the process that took it.
const taken = join(tmpdir(), 'florin-test-ports');

/** Ports of the loopback address that nobody listens on, each another, and that no other test is given. */
export async function freePorts(count: number): Promise<number[]> {
  mkdirSync(taken, { recursive: true, mode: 0o777 });
  const found: number[] = [];
  while (found.length < count) {
    const port = firstPort + randomInt(portsToChoose);
    if (take(port) && (await isFree(port))) found.push(port);
  }
  return found;
}

/** Takes the port for this process until that ends; false where a process that lives has it. */
function take(port: number): boolean {
  const file = join(taken, `${port}`);
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    if (isHeld(file)) return false;
    rmSync(file, { force: true });
    return take(port);
  }
}

/** Whether the process that the file names is still there, or has not written its number yet. */
function isHeld(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
