import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { packTar, readTar, type TarEntry } from './tar.ts';

const at = new Date('2026-03-01T12:00:00Z');
const entries: TarEntry[] = [
  { name: 'manifest.json', body: Buffer.from('{}\n') },
  { name: 'payments/000001.copy', body: Buffer.alloc(1_000_000, 'x') },
  { name: 'empty/000001.copy', body: Buffer.alloc(0) },
  { name: 'block/000001.copy', body: Buffer.alloc(1024, 'y') },
];
const end = 1024;

const archive = await packed(entries);
const small = await packed(entries.slice(0, 1));

async function packed(files: TarEntry[]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(packTar(files, at)));
}

const read = (bytes: Buffer, pieceBytes = bytes.length): Promise<TarEntry[]> => {
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    pieces.push(bytes.subarray(from, from + pieceBytes));
  }
  return Array.fromAsync(readTar(Readable.from(pieces)));
};

test.each([1, 511, 512, 513, 65_536, 4_000_000])(
  'an archive that comes in pieces of %d bytes has the files that were put into it',
  async (pieceBytes) => {
    // One byte at a time is slow, so the archive for it is small.
    const [bytes, expected] = pieceBytes === 1 ? [small, entries.slice(0, 1)] : [archive, entries];
    expect(await read(bytes, pieceBytes)).toEqual(expected);
  },
);

test('other programs read the archive too', () => {
  const listed = spawnSync('tar', ['-tvf', '-'], {
    input: archive,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  });
  expect(listed).toMatchObject({ status: 0, stderr: '' });
  const lines = listed.stdout.trim().split('\n');
  expect(lines.map((line) => line.split(' ').at(-1))).toEqual(entries.map(({ name }) => name));
  for (const line of lines) expect(line).toMatch(/^-rw------- .* 2026-03-01 12:00 /);
  const { stdout } = spawnSync('tar', ['-xOf', '-', 'payments/000001.copy'], {
    input: archive,
    maxBuffer: 2_000_000,
  });
  expect(stdout.equals(entries[1]!.body)).toBe(true);
});

test('an archive that an earlier version wrote is read', async () => {
  const blocks = entries.flatMap(({ name, body }) => [
    earlierHeader(name, body.length),
    body,
    Buffer.alloc((512 - (body.length % 512)) % 512),
  ]);
  expect(await read(Buffer.concat([...blocks, Buffer.alloc(end)]), 65_536)).toEqual(entries);
});

/** A header as versions up to 0.1.0 wrote it without a library. */
function earlierHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${(at.getTime() / 1000).toString(8).padStart(11, '0')}\0`, 136);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.write(' '.repeat(8), 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

test('an archive that ends too early, or has something else in place of a header, is refused', async () => {
  for (const length of [100, 512, 600, archive.length - end - 1]) {
    await expect(read(archive.subarray(0, length))).rejects.toThrow('Unexpected end of data');
  }
  const other = Buffer.from(archive);
  other[3]! ^= 1;
  await expect(read(other)).rejects.toThrow('Invalid tar header');
});

test('an archive fails with the error of the files that go into it', async () => {
  async function* broken(): AsyncGenerator<TarEntry> {
    yield* entries;
    throw new Error('the disk is gone');
  }
  await expect(Array.fromAsync(packTar(broken(), at))).rejects.toThrow('the disk is gone');
});

test('an archive that is read in part asks for no further file', async () => {
  let asked = 0;
  let isEnded = false;
  async function* endless(): AsyncGenerator<TarEntry> {
    try {
      for (;;) {
        asked++;
        yield { name: `${asked}`, body: Buffer.alloc(100_000) };
      }
    } finally {
      isEnded = true;
    }
  }
  for await (const _ of packTar(endless(), at)) break;
  await expect.poll(() => isEnded).toBe(true);
  expect(asked).toBeLessThan(10);
});
