import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import { assertRecipients, decrypted, encrypted, identitiesIn, NoIdentity, newIdentity } from './encrypt.ts';

const [one, other, third] = await Promise.all([newIdentity(), newIdentity(), newIdentity()]);

async function* pieces(content: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes);
}
const seal = (content: Buffer, recipients: string[], bytes = 10_000) =>
  buffer(encrypted(pieces(content, bytes), recipients));
const open = (content: Buffer, identities: string[], bytes = 10_000) =>
  buffer(decrypted(pieces(content, bytes), { identities, name: 'a.backup' }));

test.each([0, 1, 65_535, 65_536, 65_537, 200_000])(
  '%d bytes are read back by each of two identities',
  async (bytes) => {
    const content = randomBytes(bytes);
    const sealed = await seal(content, [one.recipient, other.recipient]);
    expect(sealed.includes(content.subarray(0, 100)) && bytes > 100).toBe(false);
    for (const { identity } of [one, other])
      expect(await open(sealed, [third.identity, identity], 7_777)).toEqual(content);
  },
);

test('what is not encrypted passes as it is, however short', async () => {
  for (const content of [
    Buffer.alloc(0),
    Buffer.from('age'),
    Buffer.from('age-encryption'),
    randomBytes(50_000),
  ]) {
    expect(await open(content, [], 5)).toEqual(content);
    expect(await open(content, [one.identity])).toEqual(content);
  }
});

test('without an identity, or with another one, it is said that one is needed', async () => {
  const sealed = await seal(randomBytes(100), [one.recipient]);
  await expect(open(sealed, [])).rejects.toThrow(NoIdentity);
  await expect(open(sealed, [])).rejects.toThrow('a.backup cannot be read: it is encrypted');
  await expect(open(sealed, [other.identity])).rejects.toThrow('encrypted to other keys than the identity');
});

test('a changed byte, and an end that is missing, are found', async () => {
  const sealed = await seal(randomBytes(150_000), [one.recipient]);
  for (const at of [250, 70_000, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    await expect(open(changed, [one.identity])).rejects.toThrow();
  }
  for (const length of [60, 66_000, sealed.length - 1]) {
    await expect(open(sealed.subarray(0, length), [one.identity])).rejects.toThrow();
  }
});

test('a key that is mistyped is named, and the text of a key file is read', async () => {
  await assertRecipients([one.recipient]);
  const typo = one.recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
  await expect(assertRecipients([other.recipient, typo])).rejects.toThrow(
    'BACKUP_RECIPIENT has a key of age that is mistyped',
  );
  expect(identitiesIn(`# created: today\r\n# public key: ${one.recipient}\n\n${one.identity}\n`)).toEqual([
    one.identity,
  ]);
});

const hasAge = spawnSync('age', ['--version']).status === 0;

describe.skipIf(!hasAge)('the program age', () => {
  test('reads what is encrypted here, and what it encrypts is read here', async () => {
    const directory = await testFolder();
    const content = randomBytes(300_000);
    const key = join(directory, 'key');
    await writeFile(key, `${one.identity}\n`);
    const read = spawnSync('age', ['-d', '-i', key], {
      input: await seal(content, [one.recipient]),
      maxBuffer: 1e6,
    });
    expect(read.stdout.equals(content)).toBe(true);
    const made = spawnSync('age', ['-r', one.recipient], { input: content, maxBuffer: 1e6 });
    expect(await open(made.stdout, [one.identity])).toEqual(content);
  });
});
