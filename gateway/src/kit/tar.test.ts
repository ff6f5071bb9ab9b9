import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readTar, type TarEntry, tarEnd, tarEntry } from './tar.ts';

const at = new Date('2026-03-01T12:00:00Z');
const entries: TarEntry[] = [
  { name: 'manifest.json', body: Buffer.from('{}\n') },
  { name: 'payments/000001.copy', body: Buffer.alloc(1_000_000, 'x') },
  { name: 'empty/000001.copy', body: Buffer.alloc(0) },
  { name: 'block/000001.copy', body: Buffer.alloc(1024, 'y') },
];
const archive = Buffer.concat([...entries.flatMap((entry) => tarEntry(entry, at)), tarEnd]);

const read = (bytes: Buffer, pieceBytes = bytes.length): Promise<TarEntry[]> => {
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    pieces.push(bytes.subarray(from, from + pieceBytes));
  }
  return Array.fromAsync(readTar(Readable.from(pieces)));
};

test.each([1, 511, 512, 513, 65_536, archive.length])(
  'an archive that comes in pieces of %d bytes has the files that were put into it',
  async (pieceBytes) => {
    // A byte at a time is slow, and says as much with fewer of them.
    const [bytes, expected] = pieceBytes === 1 ? [small(), entries.slice(0, 1)] : [archive, entries];
    expect(await read(bytes, pieceBytes)).toEqual(expected);
  },
);

function small(): Buffer {
  return Buffer.concat([...tarEntry(entries[0]!, at), tarEnd]);
}

test('an archive is one to other programs too', () => {
  const listed = spawnSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' });
  expect(listed).toMatchObject({ status: 0, stderr: '' });
  expect(listed.stdout.trim().split('\n')).toEqual(entries.map(({ name }) => name));
  const { stdout } = spawnSync('tar', ['-xOf', '-', 'payments/000001.copy'], {
    input: archive,
    maxBuffer: 2_000_000,
  });
  expect(stdout.equals(entries[1]!.body)).toBe(true);
});

test('an archive that ends too early, or has something else in place of a header, is refused', async () => {
  for (const length of [0, 100, 512, 600, archive.length - tarEnd.length - 1]) {
    await expect(read(archive.subarray(0, length))).rejects.toThrow('it ends too early');
  }
  const other = Buffer.from(archive);
  other[3]! ^= 1;
  await expect(read(other)).rejects.toThrow('a header does not fit its checksum');
});

test('a name that an archive cannot hold is refused', () => {
  expect(() => tarEntry({ name: 'x'.repeat(101), body: Buffer.alloc(0) }, at)).toThrow('too long a name');
});
