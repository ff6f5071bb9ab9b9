/** One file of a tar archive, small enough to be held in memory. */
export type TarEntry = { name: string; body: Buffer };

const blockBytes = 512;
const nameBytes = 100;
const checksumAt = 148;
const checksumBytes = 8;
/** Two empty blocks. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** An entry as it stands in an archive (POSIX ustar): its header, the body, and zeros up to a whole block. */
export function tarEntry({ name, body }: TarEntry, modifiedAt: Date): Buffer[] {
  if (Buffer.byteLength(name) > nameBytes) throw new Error(`${name} is too long a name for an archive`);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${octal(body.length, 11)}\0`, 124);
  header.write(`${octal(Math.floor(modifiedAt.getTime() / 1000), 11)}\0`, 136);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.write(`${octal(checksumOf(header), 6)}\0 `, checksumAt);
  return [header, body, Buffer.alloc(paddingOf(body.length))];
}

/**
 * The entries of an archive, one after the other. Throws at the first header that is none, and when the bytes end
 * before the archive does.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const pieces = source[Symbol.asyncIterator]();
  const take = byteReader(pieces);
  for (;;) {
    const header = await take(blockBytes);
    if (header.every((byte) => byte === 0)) {
      // To the last byte, after which whoever unpacks knows whether all of it was right.
      while (!(await pieces.next()).done);
      return;
    }
    const told = octalAt(header, checksumAt, checksumBytes);
    if (told !== checksumOf(header)) throw new Error('a header does not fit its checksum');
    const name = textAt(header, 0, nameBytes);
    const size = octalAt(header, 124, 12);
    const body = await take(size);
    await take(paddingOf(size));
    yield { name, body };
  }
}

/** Takes exactly so many bytes off a stream, whatever the pieces that it comes in. */
function byteReader(pieces: AsyncIterator<Buffer>): (length: number) => Promise<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  return async (length) => {
    const taken = [rest];
    let have = rest.length;
    while (have < length) {
      const { value, done } = await pieces.next();
      if (done) throw new Error('it ends too early');
      taken.push(value);
      have += value.length;
    }
    const bytes = taken.length === 1 ? rest : Buffer.concat(taken);
    rest = bytes.subarray(length);
    return bytes.subarray(0, length);
  };
}

function paddingOf(length: number): number {
  return (blockBytes - (length % blockBytes)) % blockBytes;
}

/** The sum of a header's bytes, with blanks where the sum itself stands. */
function checksumOf(header: Buffer): number {
  const isOfSum = (at: number) => at >= checksumAt && at < checksumAt + checksumBytes;
  return header.reduce((sum, byte, at) => sum + (isOfSum(at) ? 0x20 : byte), 0);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function octalAt(header: Buffer, at: number, length: number): number {
  return Number.parseInt(textAt(header, at, length), 8);
}

function textAt(header: Buffer, at: number, length: number): string {
  return header.toString('utf8', at, at + length).split('\0')[0]!;
}
