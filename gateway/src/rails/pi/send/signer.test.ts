import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Account, Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { afterAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk, secretFile, senderFault } from '../../../../test/pi/send-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { createHttpSender } from '../../../kit/net/safe-fetch.ts';
import { createSigner } from './signer.ts';

const { db } = await testDatabase();
const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

describe('a key in a file', () => {
  test('of another account is found before anything is ordered', async () => {
    const desk = await openDesk(db);
    const stranger = Keypair.random();
    const keyFile = await secretFile(stranger.secret());
    const sender = desk.sender({ signer: desk.signerOf({ kind: 'file', keyFile }) });
    await sender.tick();
    expect(await senderFault(db, desk.pi)).toBe('The key of the key file is none of the custody account');
    const id = await desk.order();
    await sender.tick();
    expect(await desk.standing(id)).toEqual({ state: 'queued', fault: null });
    expect(desk.horizon.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  test.each(['', 'not a key', `${Keypair.random().secret()} ${Keypair.random().secret()}`, 'S'.repeat(56)])(
    'that is none is reported without its content: %#',
    async (content) => {
      const desk = await openDesk(db);
      const keyFile = await secretFile(content);
      await desk.sender({ signer: desk.signerOf({ kind: 'file', keyFile }) }).tick();
      const fault = await senderFault(db, desk.pi);
      expect(fault).toContain('must hold one secret key');
      if (content !== '') expect(fault).not.toContain(content);
    },
  );

  test('that is gone is reported, and used again when it is back', async () => {
    const desk = await openDesk(db);
    const id = await desk.order();
    const file = await secretFile(desk.custody.secret());
    await desk.sender({ signer: desk.signerOf({ kind: 'file', keyFile: `${file}-gone` }) }).tick();
    expect(await senderFault(db, desk.pi)).toContain('cannot be read (ENOENT)');
    await desk.sender({ signer: desk.signerOf({ kind: 'file', keyFile: file }) }).tick();
    await desk.reader.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
  });

  test('that others can read is warned of', async () => {
    const desk = await openDesk(db);
    const keyFile = await secretFile(desk.custody.secret());
    expect(await desk.signerOf({ kind: 'file', keyFile }).warning()).toBe(null);
    await chmod(keyFile, 0o644);
    expect(await desk.signerOf({ kind: 'file', keyFile }).warning()).toContain('chmod 600');
  });
});

type Asked = {
  headers: IncomingMessage['headers'];
  body: { network_passphrase: string; transaction: string };
};

/** A program that signs; `answer` says with what status and body. */
async function startSigner(answer: (asked: Asked) => { status?: number; body: unknown }) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) };
      asked.push(one);
      const { status = 200, body } = answer(one);
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign`, asked };
}

function signed(desk: Desk, envelope: string, ...keys: Keypair[]): string {
  const transaction = TransactionBuilder.fromXDR(envelope, desk.pi.passphrase);
  transaction.sign(...keys);
  return transaction.toXDR();
}

describe('a program that signs', () => {
  test('is sent the transaction and the network, with its token', async () => {
    const desk = await openDesk(db);
    const id = await desk.order();
    const program = await startSigner(({ body }) => ({
      body: { transaction: signed(desk, body.transaction, desk.custody) },
    }));
    const tokenFile = await secretFile('a token\n');
    await desk.sender({ signer: desk.signerOf({ kind: 'http', url: program.url, tokenFile }) }).tick();
    await desk.reader.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
    expect(program.asked).toMatchObject([
      { headers: { authorization: 'Bearer a token' }, body: { network_passphrase: desk.pi.passphrase } },
    ]);
  });

  const elsewhere = (desk: Desk): string => {
    const builder = new TransactionBuilder(new Account(desk.pi.account, '1'), {
      fee: '100000',
      networkPassphrase: desk.pi.passphrase,
      timebounds: { minTime: 0, maxTime: 0 },
    });
    const destination = Keypair.random().publicKey();
    const all = Operation.payment({ destination, asset: Asset.native(), amount: '900' });
    return signed(desk, builder.addOperation(all).build().toXDR(), desk.custody);
  };

  test.each<[string, (desk: Desk, envelope: string) => { status?: number; body: unknown }, string]>([
    ['is down', () => ({ status: 503, body: '' }), 'answered 503'],
    ['refuses', () => ({ status: 403, body: {} }), 'answered 403'],
    ['answers nonsense', () => ({ body: '<html>' }), 'something else than a transaction'],
    ['answers no envelope', () => ({ body: { transaction: 'AAAA' } }), 'what is no transaction'],
    ['signs nothing', (_, envelope) => ({ body: { transaction: envelope } }), 'signatures weigh 0'],
    [
      'signs with a strange key',
      (desk, envelope) => ({ body: { transaction: signed(desk, envelope, Keypair.random()) } }),
      'none of the custody account',
    ],
    [
      'adds a strange key',
      (desk, envelope) => ({ body: { transaction: signed(desk, envelope, desk.custody, Keypair.random()) } }),
      'none of the custody account',
    ],
    [
      'signs another transaction',
      (desk) => ({ body: { transaction: elsewhere(desk) } }),
      'another transaction than it was sent',
    ],
  ])('and %s keeps everything from being sent', async (_, answer, fault) => {
    const desk = await openDesk(db);
    const id = await desk.order();
    const program = await startSigner(({ body }) => answer(desk, body.transaction));
    const sender = desk.sender({
      signer: desk.signerOf({ kind: 'http', url: program.url, tokenFile: null }),
    });
    await sender.tick();
    expect(await senderFault(db, desk.pi)).toContain(fault);
    expect(await desk.standing(id)).toMatchObject({ state: 'queued' });
    expect(desk.horizon.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    expect(await desk.paid()).toEqual([]);
  });

  test('and is silent keeps everything from being sent, until it answers again', async () => {
    const desk = await openDesk(db);
    const id = await desk.order();
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const http = createHttpSender({ timeoutMs: 200 });
    stops.push(() => {
      silent.closeAllConnections();
      silent.close();
      void http.close();
    });
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/sign`;
    await desk.sender({ signer: createSigner({ kind: 'http', url, tokenFile: null }, http) }).tick();
    expect(await senderFault(db, desk.pi)).toContain('did not answer');
    expect([await desk.standing(id), await desk.paid()]).toMatchObject([{ state: 'queued' }, []]);
    const program = await startSigner(({ body }) => ({
      body: { transaction: signed(desk, body.transaction, desk.custody) },
    }));
    desk.pass(5);
    await desk.sender({ signer: desk.signerOf({ kind: 'http', url: program.url, tokenFile: null }) }).tick();
    await desk.reader.tick();
    expect(await desk.standing(id)).toMatchObject({ state: 'settled' });
  });
});
