import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { childEnvironment } from '../suite/child-environment.ts';
import { freePorts } from '../support/free-ports.ts';

export const person = {
  name: 'Ada Lovelace',
  email: 'ada@lumen.example',
  password: 'four words in a row',
  business: 'Lumen Books',
};

type FirstHourOptions = {
  /** One that may read and write the clipboard. */
  context: BrowserContext;
  baseUrl: string;
  /** An empty folder, in which the person's own server is made. */
  folder: string;
  /** What the person does once the account is there, such as opening the link of the mail. */
  onSignedUp?: (page: Page) => Promise<void>;
  /** Called at each step, for pictures. */
  onStep?: (page: Page, name: string) => Promise<void>;
};

export type FirstHour = {
  /** Presses of the mouse in all pages; each field that is filled in takes one. */
  clicks: number;
  /** From the first page until the server had marked the order as paid. */
  tookMs: number;
  page: Page;
  testKey: string;
  reference: string;
  server: OwnServer;
};

type OwnServer = { url: string; printed(): string; stop(): Promise<void> };

/** Counts every press that a page of the context gets from now on. */
async function countClicks(context: BrowserContext): Promise<() => number> {
  let clicks = 0;
  await context.exposeFunction('notePress', () => void clicks++);
  // As text, because the tests' types know no document.
  await context.addInitScript(
    `addEventListener('pointerdown', (event) => event.isTrusted && globalThis.notePress(), true)`,
  );
  return () => clicks;
}

const whenCopied = `(async () => {
  for (;;) {
    const text = await navigator.clipboard.readText();
    if (text !== '') return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
})()`;

/** What a person does in a tab, by what is written on it. */
export function handsOn(page: Page) {
  return {
    heading: (name: string) => page.getByRole('heading', { name, exact: true }),
    press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
    follow: (name: string) => page.getByRole('link', { name, exact: true }).click(),
    async write(label: string, text: string): Promise<void> {
      const field = page.getByLabel(label, { exact: true });
      await field.click();
      await field.fill(text);
    },
    /** Presses the button that copies, and reads what it copied. */
    async copied(button: string): Promise<string> {
      await page.evaluate("navigator.clipboard.writeText('')");
      await page.getByRole('button', { name: button, exact: true }).click();
      return await page.evaluate<string>(whenCopied);
    },
  };
}

/** The first hour of somebody who has nothing yet: from the first page to an order that a verified webhook marked as paid. */
export async function playFirstHour(options: FirstHourOptions): Promise<FirstHour> {
  const { context, baseUrl, folder, onSignedUp, onStep = async () => {} } = options;
  const clicks = await countClicks(context);
  const page = await context.newPage();
  const step = (name: string) => onStep(page, name);
  const hands = handsOn(page);
  const begun = performance.now();
  await page.goto(`${baseUrl}/app/`);
  await signUp(page, step);
  await onSignedUp?.(page);
  await hands.heading('Name your business').waitFor();
  await hands.write('Name', person.business);
  await step('business');
  await hands.press('Continue');
  await hands.heading('First steps').waitFor();
  await step('first-steps');
  const testKey = keyOf(await hands.copied('Copy your test key'));
  const server = await makeServer(page, folder, step);
  const reference = await payOnce(page, context, step);
  await untilPrinted(server, `Order paid: ${reference}, 10 USDC`);
  const tookMs = performance.now() - begun;
  // The last ticks come by themselves.
  await page.locator('li', { hasText: 'Answer a webhook with 2xx' }).getByText(': done').waitFor();
  await step('all-ticked');
  return { clicks: clicks(), tookMs, page, testKey, reference, server };
}

const keyOf = (line: string): string => /sk_test_\w+/.exec(line)?.[0] ?? '';

async function signUp(page: Page, step: (name: string) => Promise<void>): Promise<void> {
  const { heading, follow, press, write } = handsOn(page);
  await heading('Sign in').waitFor();
  await step('sign-in');
  await follow('Create an account');
  await heading('Create an account').waitFor();
  await write('Your name', person.name);
  await write('E-mail address', person.email);
  await write('Password', person.password);
  await step('sign-up');
  await press('Create the account');
  await heading('Name your business').waitFor();
  await step('signed-up');
}

/** Creates the endpoint, and starts the server of one file that the page offers, as it was copied. */
async function makeServer(
  page: Page,
  folder: string,
  step: (name: string) => Promise<void>,
): Promise<OwnServer> {
  const { press, write, copied } = handsOn(page);
  const [port] = await freePorts(1);
  const url = `http://localhost:${port}/webhook`;
  await write('Address of your server', url);
  await press('Create the endpoint');
  await page.getByText('No server yet? One in a single file').click();
  const file = await copied('Copy file server.mjs');
  await step('server');
  await writeFile(join(folder, 'server.mjs'), file);
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: childEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const server = serverOf(child, url);
  await untilPrinted(server, `Waiting for webhooks at ${url}`);
  return server;
}

function serverOf(child: ChildProcess, url: string): OwnServer {
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return {
    url,
    printed: () => printed,
    async stop() {
      if (child.exitCode !== null || !child.kill()) return;
      await once(child, 'close');
    },
  };
}

async function untilPrinted(server: OwnServer, line: string): Promise<void> {
  const until = performance.now() + 120_000;
  while (!server.printed().includes(line)) {
    if (performance.now() > until) throw new Error(`The server printed no "${line}":\n${server.printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Creates a payment by one press, and pays it on its page as its customer does; returns its reference. */
async function payOnce(
  page: Page,
  context: BrowserContext,
  step: (name: string) => Promise<void>,
): Promise<string> {
  const { press, follow } = handsOn(page);
  await press('Create a payment of 10 USDC');
  const link = page.getByRole('link', { name: /^PAY_/ });
  const reference = (await link.textContent()) ?? '';
  await step('payment');
  const [opened] = await Promise.all([context.waitForEvent('page'), follow('Open its page')]);
  const customer = handsOn(opened);
  await customer.heading('Choose how to pay').waitFor();
  await customer.press('Success');
  await customer.heading('Paid. Thank you.').waitFor();
  await opened.close();
  return reference;
}
