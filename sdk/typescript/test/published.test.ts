import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const modules = join(import.meta.dirname, '../../../node_modules');

let project: string;
let installed: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'florin-published-'));
  installed = join(project, 'node_modules/@florin/sdk');
  mkdirSync(installed, { recursive: true });
  execFileSync(process.execPath, [join(import.meta.dirname, '../build.ts'), installed], { stdio: 'pipe' });
  mkdirSync(join(project, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(modules, name), join(project, 'node_modules', name), 'junction');
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'shop.ts'), shop);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** What a shop may write, with one mistake on its last line. */
const shop = `import { createClient, FlorinError, verifyWebhook, type Payment, type WebhookEvent } from '@florin/sdk';

export const florin = createClient({ secretKey: 'sk_test_x', baseUrl: 'https://pay.example.com' });

export async function pay(orderId: string, note: string | undefined): Promise<string> {
  const created = await florin.payments.create(
    { amount: 5, currency: 'USDC', payment_type: 'deposit', payment_note: note },
    { idempotencyKey: orderId },
  );
  return created.PaymentURL;
}

export async function receive(request: Request, endpointSecret: string): Promise<number> {
  const event: WebhookEvent = await verifyWebhook({
    body: await request.arrayBuffer(),
    headers: request.headers,
    endpointSecret,
  });
  return event.event_type === 'payment_completed' ? event.amount : 0;
}

export async function show(reference: string): Promise<Payment | number> {
  try {
    return await florin.payments.get(reference);
  } catch (error) {
    if (error instanceof FlorinError) return error.status;
    throw error;
  }
}

export const wrong = florin.payments.list({ status: 'paid' });
`;

test.each([
  ['node16', 'node16', { types: ['node'], lib: ['es2022'] }],
  ['bundler', 'esnext', { types: [], lib: ['es2022', 'dom'] }],
])(
  'a TypeScript project of %s resolution gets the types, and its mistake is found',
  (resolution, module, more) => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      target: 'es2022',
      module,
      moduleResolution: resolution,
      ...more,
    };
    const config = join(project, `tsconfig.${resolution}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['shop.ts'] }));
    const { stdout } = spawnSync(join(modules, '.bin/tsc'), ['-p', config], { encoding: 'utf8' });
    const faults = stdout.split('\n').filter((line) => line.includes('error TS'));
    expect(faults).toEqual([
      expect.stringMatching(/^.*shop\.ts\(\d+,\d+\): error TS2322: Type '"paid"' is not/),
    ]);
  },
);

test('the package holds JavaScript, declarations and what people read, and nothing to run at its install', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: '@florin/sdk',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=18' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  });
  for (const field of ['scripts', 'dependencies', 'private']) expect(manifest).not.toHaveProperty(field);
  const others = readdirSync(installed).filter((name) => !/^[\w-]+(?:\.d\.ts|\.js)$/.test(name));
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  expect(readdirSync(installed).filter((name) => name.includes('.test.'))).toEqual([]);
});
