import { once } from 'node:events';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { codeOf } from '../../kit/db/system-errors.ts';

/** Why a gateway cannot start: one sentence that names the setting and the remedy. */
export class StartFault extends Error {}

const why: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
};

/** Makes the data directory if there is none. Throws StartFault when that is not possible. */
export async function openDataDir(dataDir: string): Promise<void> {
  const fault = (reason: string) =>
    new StartFault(
      `DATA_DIR ${dataDir} cannot be used: ${reason}. Set DATA_DIR to a directory of this user.`,
    );
  try {
    await makeDirectory(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof NoDirectory) throw fault(`${error.path} is not a directory`);
    throw fault(why[codeOf(error)] ?? 'no directory can be made there');
  }
}

class NoDirectory extends Error {
  readonly path: string;
  constructor(path: string) {
    super();
    this.path = path;
  }
}

/** Makes one level after the other: where that is impossible, such as below /proc, Node's recursive mkdir never ends. */
async function makeDirectory(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    if (codeOf(error) === 'ENOTDIR') return makeDirectory(dirname(path)).then(() => null);
    throw error;
  });
  if (found?.isDirectory()) return;
  if (found) throw new NoDirectory(path);
  await makeDirectory(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    // Another process made it at the same moment.
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

export type Port = { setting: string; host: string; port: number };

/** Throws StartFault when this process cannot listen there. */
export async function assertFree(place: Port): Promise<void> {
  const server = createServer().listen({ host: place.host, port: place.port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw portFault(place, codeOf(error));
  }
  server.close();
  await once(server, 'close');
}

function portFault({ setting, host, port }: Port, code: string): StartFault {
  if (code === 'EADDRINUSE')
    return new StartFault(
      `${setting} ${port} is in use by another program. End that program, or set ${setting} to a free port.`,
    );
  if (code === 'EACCES')
    return new StartFault(`${setting} ${port} needs rights that this user lacks. Set ${setting} above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartFault(
      `${host} is no address of this machine, so ${setting} ${port} cannot be served there.`,
    );
  return new StartFault(`${setting} ${port} cannot be served on ${host}: ${code}.`);
}
