import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { hexOf } from '../../../../web/proof/bytes.ts';
import {
  checkStatement,
  forwarderCodeHash,
  forwarderFactory,
  readProofFile,
} from '../../../../web/proof/check.ts';
import { vaultCodeHash } from '../../../../web/proof/check-chain.ts';
import { keccak256 } from '../../../../web/proof/keccak.ts';
import { signerOf } from '../../../../web/proof/secp256k1.ts';
import { sha256 } from '../../../../web/proof/sha256.ts';
import type { Statement } from '../../../../web/proof/statement.ts';
import { madeUpStatement, signedBy } from '../../../test/proofs/proof-fixtures.ts';
import { factoryAddress, forwarderInitCodeHash } from '../../rails/evm/addresses/forwarders.ts';
import * as vault from '../../rails/evm/addresses/vault.ts';

describe('what the checker computes by itself', () => {
  test('its hashes are those of Node and of noble', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(hexOf(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
        expect(hexOf(keccak256(bytes))).toBe(Buffer.from(keccak_256(bytes)).toString('hex'));
      }),
    );
  });

  test('it finds whose key signed a text, and takes no other signature', async () => {
    for (const text of ['', 'Statement: 1', 'Grüße\n'.repeat(40)]) {
      const account = privateKeyToAccount(generatePrivateKey());
      const signature = await account.signMessage({ message: text });
      expect(signerOf(text, signature)).toBe(account.address.toLowerCase());
      expect(signerOf(`${text}.`, signature)).not.toBe(account.address.toLowerCase());
      expect(signerOf(text, `${signature}00`)).toBe(null);
      expect(signerOf(text, `0x${'00'.repeat(65)}`)).toBe(null);
      expect(signerOf(text, `0x${'ff'.repeat(65)}`)).toBe(null);
    }
  });

  test('it knows the contracts of Florin', () => {
    expect([forwarderFactory, forwarderCodeHash]).toEqual([factoryAddress, forwarderInitCodeHash]);
    expect(vaultCodeHash).toBe(vault.vaultCodeHash);
  });
});

describe('a statement', () => {
  async function faultsOf(forge: (statement: Statement) => void): Promise<string[]> {
    const { statement, treasury } = await madeUpStatement([3n, 4n, 5n]);
    forge(statement);
    return (await checkStatement(await signedBy(treasury, statement))).map(({ code }) => code);
  }

  test('is right as it was made', async () => {
    expect(await faultsOf(() => {})).toEqual([]);
    const { statement, treasury } = await madeUpStatement([3n]);
    const signed = await signedBy(treasury, statement);
    expect(await checkStatement(readProofFile(JSON.stringify(signed, null, 2)) as typeof signed)).toEqual([]);
  });

  test.each<[string, string[], (statement: Statement) => void]>([
    [
      'of which less is held than owed',
      ['reserves'],
      ({ addresses: [first] }) => {
        first!.balances[0]!.units = '11';
      },
    ],
    [
      'in which money arrives that nobody holds',
      ['reserves'],
      ({ assets: [asset] }) => {
        asset!.owed.arriving = '1';
      },
    ],
    [
      'whose parts are not its sum',
      ['sum'],
      ({ assets: [asset] }) => {
        asset!.owed.wallets = '11';
      },
    ],
    [
      'of which something is owed below zero',
      ['negative'],
      ({ assets: [asset] }) => {
        asset!.owed.customers = '-1';
      },
    ],
    [
      'that holds less than nothing',
      ['negative', 'reserves'],
      ({ addresses: [first] }) => {
        first!.balances[0]!.units = '-12';
      },
    ],
    [
      'with another owner of a forwarder',
      ['derivation'],
      ({ addresses: [, forwarder] }) => void Object.assign(forwarder!, { owner: `0x${'0'.repeat(63)}1` }),
    ],
    [
      'with another factory',
      ['derivation'],
      ({ addresses: [, forwarder] }) => void Object.assign(forwarder!, { factory: `0x${'1'.repeat(40)}` }),
    ],
    [
      'with another address of a forwarder',
      ['derivation'],
      ({ addresses: [, forwarder] }) => {
        forwarder!.address = `0x${'1'.repeat(40)}`;
      },
    ],
    [
      'whose wallet nobody signed for',
      ['unsigned', 'derivation'],
      ({ addresses: [first] }) => {
        first!.address = `0x${'2'.repeat(40)}`;
      },
    ],
    [
      'that lists an address twice',
      ['form'],
      ({ addresses }) => void addresses.push(structuredClone(addresses[0]!)),
    ],
    [
      'with a balance of another chain',
      ['form', 'form'],
      ({ assets: [asset] }) => {
        asset!.chain_id = 1;
      },
    ],
  ])('%s is refused', async (_, codes, forge) => {
    expect((await faultsOf(forge)).sort()).toEqual([...codes].sort());
  });

  test('that was changed after it was signed is refused, and so are signatures of others', async () => {
    const { statement, treasury } = await madeUpStatement([3n]);
    const signed = await signedBy(treasury, statement);
    const codes = async (other: typeof signed) => (await checkStatement(other)).map(({ code }) => code);
    // Signatures for addresses name the statement's hash, so they do not fit a changed one either.
    expect(
      await codes({ ...signed, statement: { ...statement, made_at: '2027-01-01T00:00:00.000Z' } }),
    ).toEqual(['signature', 'address_signature']);
    expect(await codes({ ...signed, signature: 'AAAA' })).toEqual(['signature']);
    const stranger = privateKeyToAccount(generatePrivateKey());
    const [own] = signed.addresses;
    const other = await signedBy(stranger, statement);
    expect(
      await codes({ ...signed, addresses: [{ ...own!, signature: other.addresses[0]!.signature }] }),
    ).toEqual(['address_signature']);
  });

  test('of another form is refused', async () => {
    const { statement, treasury } = await madeUpStatement([3n]);
    const signed = await signedBy(treasury, statement);
    const read = (change: object) => readProofFile(JSON.stringify({ ...signed, ...change }));
    for (const file of [
      readProofFile('no JSON'),
      readProofFile('null'),
      read({ statement: { ...statement, format: 'other' } }),
      read({ statement: { ...statement, assets: [{ ...statement.assets[0]!, sum: '1.5' }] } }),
      read({ statement: { ...statement, assets: [...statement.assets, statement.assets[0]] } }),
      read({ statement: { ...statement, addresses: null } }),
      read({ signature: 7 }),
    ]) {
      expect(file).toMatchObject({ code: 'form' });
    }
  });

  test('has a tree whose leaves say nothing without their salts', async () => {
    const made = await madeUpStatement([1n, 2n, 3n]);
    const again = await madeUpStatement([1n, 2n, 3n]);
    expect(made.tree.root.sum).toBe(again.tree.root.sum);
    expect(made.tree.root.hash).not.toBe(again.tree.root.hash);
    // Three accounts fill four places: how many there are shows to a power of two alone.
    expect(made.tree.chunks[0]?.nodes.length).toBe(4 * 64);
  });
});
