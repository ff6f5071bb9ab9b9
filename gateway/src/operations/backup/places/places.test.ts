import { randomBytes } from 'node:crypto';
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openTestBucket } from '../../../../test/backups/bucket.ts';
import { testFolder } from '../../../../test/support/data-dir.ts';
import { NotPlaced } from './paths.ts';
import { openPlace } from './place.ts';
import { openBucket } from './s3.ts';

const directory = await testFolder();
const bucket = await openTestBucket();
const places = {
  directory: openPlace({ kind: 'directory', path: directory }),
  bucket: openBucket(bucket.address, { partBytes: 1_000, pageFiles: 2, againMs: 1 }),
};

async function* broken(bytes: number): AsyncGenerator<Buffer> {
  yield randomBytes(bytes);
  throw new Error('the disk is gone');
}

describe.each(Object.entries(places))('a %s', (_, place) => {
  test.each([0, 1, 999, 1_000, 1_001, 5_432])('holds a file of %d bytes as it was written', async (bytes) => {
    const content = randomBytes(bytes);
    const pieces = [content.subarray(0, 300), content.subarray(300, 301), content.subarray(301)];
    expect(await place.put(`sizes/${bytes}.backup`, Readable.from(pieces))).toBe(bytes);
    expect(await buffer(await place.get(`sizes/${bytes}.backup`))).toEqual(content);
  });

  test('lists its files by path, those of a folder alone, and page by page', async () => {
    for (const name of ['b', 'a', 'd', 'c', 'e'])
      await place.put(`list/${name}`, Readable.from([Buffer.from(name)]));
    await place.put('listed', Readable.from([Buffer.from('beside the folder')]));
    const found = await place.list('list');
    expect(found.map(({ path, bytes }) => [path, bytes])).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [`list/${name}`, 1]),
    );
    expect(Date.now() - found[0]!.at.getTime()).toBeLessThan(600_000);
    expect((await place.list('')).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['list/a', 'listed']),
    );
    expect(await place.list('no-such-folder')).toEqual([]);
  });

  test('replaces a file of the same name, and removes files that are there or not', async () => {
    await place.put('twice/a', Readable.from([Buffer.from('first')]));
    await place.put('twice/a', Readable.from([Buffer.from('second')]));
    expect(`${await buffer(await place.get('twice/a'))}`).toBe('second');
    await place.remove(['twice/a', 'twice/never']);
    expect(await place.list('twice')).toEqual([]);
    await expect(place.get('twice/a')).rejects.toThrow(NotPlaced);
    await expect(place.get('twice/a')).rejects.toThrow(`There is no twice/a in ${place.name}`);
  });

  test.each([10, 3_500])('has no file whose source failed after %d bytes', async (bytes) => {
    await expect(place.put('broken/a', Readable.from(broken(bytes)))).rejects.toThrow('the disk is gone');
    expect(await place.list('broken')).toEqual([]);
  });

  test.each(['../a', '/a', 'a//b', 'a/../b', '.hidden', 'a b', ''])('takes no path like %j', async (path) => {
    await expect(place.put(path, Readable.from([]))).rejects.toThrow('is no path of a backup');
  });
});

describe('a directory', () => {
  const place = places.directory;

  test('must exist, so that nothing is written where a disk is not mounted', async () => {
    const missing = openPlace({ kind: 'directory', path: join(directory, 'not-mounted') });
    await expect(missing.put('a', Readable.from([]))).rejects.toThrow('is its disk mounted?');
    await expect(missing.list('')).rejects.toThrow('is its disk mounted?');
    expect(await readdir(directory)).not.toContain('not-mounted');
  });

  test('holds files that only their owner may read, and no draft of one that failed', async () => {
    await place.put('modes/a', Readable.from([Buffer.from('x')]));
    expect((await stat(join(directory, 'modes/a'))).mode & 0o777).toBe(0o600);
    await expect(place.put('modes/b', Readable.from(broken(10)))).rejects.toThrow();
    expect(await readdir(join(directory, 'modes'))).toEqual(['a']);
  });

  test('forgets the draft that a kill left a day ago, and not one that is written now', async () => {
    await mkdir(join(directory, 'drafts'));
    const [old, young] = ['old', 'young'].map((name) => join(directory, 'drafts', `${name}.part`));
    for (const file of [old!, young!]) await writeFile(file, 'x');
    const before = new Date(Date.now() - 2 * 86_400_000);
    await utimes(old!, before, before);
    expect(await place.list('drafts')).toEqual([]);
    expect(await readdir(join(directory, 'drafts'))).toEqual(['young.part']);
  });
});

describe('a bucket', () => {
  const place = places.bucket;
  const content = randomBytes(3_500);

  test('gets a small file in one call, and a large one in parts that are joined at the end', async () => {
    bucket.calls();
    await place.put('calls/small', Readable.from([randomBytes(10)]));
    expect(bucket.calls()).toEqual(['PUT /coins/shop/one/calls/small?']);
    await place.put('calls/large', Readable.from([content]));
    const calls = bucket
      .calls()
      .map((call) => call.replace(/uploadId=[^&]*/, 'uploadId=x').replace('/coins/shop/one/calls/', ''));
    expect(calls[0]).toBe('POST large?uploads=');
    expect(calls.slice(1, 5)).toEqual([1, 2, 3, 4].map((part) => `PUT large?partNumber=${part}&uploadId=x`));
    expect(calls[5]).toBe('POST large?uploadId=x');
  });

  test('that fails for a while is asked again', async () => {
    const faults: (number | 'cut' | null)[] = [503, null, 'cut', 500, 429, null, null, 'cut'];
    bucket.onCall = () => faults.shift() ?? null;
    await place.put('again/a', Readable.from([content]));
    expect(await buffer(await place.get('again/a'))).toEqual(content);
  });

  test('that dies while a file is written has no such file, and says why', async () => {
    let calls = 0;
    bucket.onCall = () => (++calls > 3 ? 'cut' : null);
    await expect(place.put('dies/a', Readable.from([content]))).rejects.toThrow(
      `${bucket.address.name} cannot be reached: `,
    );
    bucket.onCall = () => 503;
    await expect(place.list('dies')).rejects.toThrow('s3://coins/shop/one: SlowDown: Please wait');
    bucket.onCall = () => null;
    expect(await place.list('dies')).toEqual([]);
  });

  test('that does not exist, or whose key is unknown, is named at once', async () => {
    const [none, unknown] = [
      openBucket({ ...bucket.address, root: bucket.address.root.replace('coins', 'nothing') }),
      openBucket({ ...bucket.address, accessKeyId: 'SOMEBODY' }),
    ];
    await expect(none.list('')).rejects.toThrow('NoSuchBucket');
    await expect(none.get('a')).rejects.toThrow('NoSuchBucket');
    await expect(unknown.put('a', Readable.from([]))).rejects.toThrow('InvalidAccessKeyId');
  });
});
