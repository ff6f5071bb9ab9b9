import { ReadableStream } from 'node:stream/web';

// The format of age (age-encryption.org/v1), which the program `age` reads and writes too. The library is loaded by the
// first backup that is encrypted.

const fileMark = Buffer.from('age-encryption.org/');

/** A backup cannot be read with the identities that were given, or none were given. */
export class NoIdentity extends Error {
  constructor(file: string, isGiven: boolean) {
    const why = isGiven
      ? 'it is encrypted to other keys than the identity that was given'
      : 'it is encrypted';
    super(`${file} cannot be read: ${why}. Give the file of its identity (AGE-SECRET-KEY-1…) by --identity`);
    this.name = 'NoIdentity';
  }
}

/** Encrypts a stream to public keys (`age1…`), while it is read. Throws when a key is mistyped. */
export async function* encrypted(
  source: AsyncIterable<Buffer>,
  recipients: readonly string[],
): AsyncGenerator<Buffer> {
  const encrypter = await encrypterTo(recipients);
  yield* buffers(await encrypter.encrypt(streamOf(source)));
}

async function encrypterTo(recipients: readonly string[]) {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter;
}

/** Throws unless each public key can be encrypted to: a letter that was mistyped is found here. */
export async function assertRecipients(recipients: readonly string[]): Promise<void> {
  await encrypterTo(recipients).catch((error: Error) => {
    throw new Error(`BACKUP_RECIPIENT has a key of age that is mistyped: ${error.message}`);
  });
}

/**
 * Decrypts a stream that may be encrypted with one of the identities (`AGE-SECRET-KEY-1…`); one that is not encrypted
 * passes as it is. `name` stands in errors. Throws NoIdentity, or an error where a byte was changed.
 */
export async function* decrypted(
  source: AsyncIterable<Buffer>,
  { identities, name }: { identities: readonly string[]; name: string },
): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]();
  try {
    const start = await readStart(pieces);
    const isEncrypted = start.subarray(0, fileMark.length).equals(fileMark);
    const all = startingWith(start, pieces);
    yield* isEncrypted ? opened(all, identities, name) : all;
  } finally {
    await pieces.return?.();
  }
}

async function* opened(
  source: AsyncIterable<Buffer>,
  identities: readonly string[],
  name: string,
): AsyncGenerator<Buffer> {
  if (identities.length === 0) throw new NoIdentity(name, false);
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  const plain = await decrypter.decrypt(streamOf(source)).catch((error: Error) => {
    throw /no identity matched/.test(error.message) ? new NoIdentity(name, true) : damaged(error);
  });
  try {
    yield* buffers(plain);
  } catch (error) {
    throw damaged(error as NodeJS.ErrnoException);
  }
}

/** An error of the system, such as of a lost connection, does not mean that the file is damaged. */
function damaged(error: NodeJS.ErrnoException): Error {
  return error.syscall ? error : new Error(`it cannot be decrypted: ${error.message}`);
}

/** As many bytes as show whether a stream is encrypted, or all that there are. */
async function readStart(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < fileMark.length) {
    const { value, done } = await pieces.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  return start;
}

async function* startingWith(start: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield start;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
}

/** A new pair of keys: the identity decrypts, the recipient encrypts. */
export async function newIdentity(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** The identities in the text of a file as `age-keygen` writes it: one a line, and lines of comment. */
export function identitiesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function streamOf(source: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  return ReadableStream.from<Uint8Array>(source);
}

async function* buffers(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
