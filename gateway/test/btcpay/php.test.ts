import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/running.ts';
import { openShop } from './door.ts';

// BTCPay's PHP client as it is published, which is not part of this project: its tree is named by BTCPAY_PHP_CLIENT.

const tree = process.env.BTCPAY_PHP_CLIENT ?? '';
const hasClient = existsSync(join(tree, 'src/Client/Invoice.php'));
const hasPhp = spawnSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0;

describe.skipIf(!hasClient || !hasPhp)("BTCPay's PHP client", () => {
  test('connects, makes invoices and webhooks, and reads what it wrote', async () => {
    const app = await startApp();
    const shop = await openShop(app);
    const script = join(import.meta.dirname, 'client.php');
    const hook = 'http://127.0.0.1:9999/hook';
    const program = spawn('php', [script, tree, app.baseUrl, shop.key, shop.store, hook]);
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    program.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    await new Promise((resolve) => program.on('close', resolve));
    expect(Buffer.concat(errors).toString()).toBe('');
    const found = JSON.parse(Buffer.concat(chunks).toString());
    expect(found).toMatchObject({
      ...{ synced: true, isNew: true, invalid: true, refused: 422, stores: [shop.store] },
      invoice: [expect.stringMatching(/^[0-9A-Za-z]{22}$/), 'New', expect.stringContaining('/i/'), '49.9'],
      hook: [expect.any(String), expect.any(String), hook],
      events: { everything: false, specificEvents: ['InvoiceSettled'] },
    });
    expect(found.byOrder).toEqual([found.invoice[0]]);
    expect(found.permissions).toHaveLength(6);
    expect(found.methods).toContainEqual(['USDC-BASE', true]);
    expect(found.payments).toContainEqual(['USDC-BASE', '0.8', '62.38', '0']);
    const page = await fetch(found.authorize, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/app/connect?'),
    ]);
  });
});
