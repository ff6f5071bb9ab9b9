import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { verifyWebhook } from '../../../sdk/typescript/src/index.ts';
import type { Case, Verdict } from './cases.ts';

/** Somebody else's reading of the contract: judges webhooks one after the other. */
export type Verifier = { name: string; judge(cases: Case[]): Promise<Verdict[]> };

const programs = join(import.meta.dirname, 'verifiers');

/** Libraries that others wrote for Standard Webhooks, and our own SDK. */
export const libraries: Verifier[] = [
  library('standardwebhooks', (secret) => new Standard(secret)),
  library('svix', (secret) => new Svix(secret)),
  {
    name: 'the SDK',
    judge: (cases) =>
      Promise.all(
        cases.map(async ({ raw: body, headers, secretKey, endpointSecret }) => ({
          plain: await accepts(() => verifyWebhook({ body, headers, secretKey })),
          standard: await accepts(() => verifyWebhook({ body, headers, endpointSecret })),
          both: await accepts(() => verifyWebhook({ body, headers, secretKey, endpointSecret })),
        })),
      ),
  },
];

type StandardVerifier = { verify(payload: string, headers: Record<string, string>): unknown };

function library(name: string, open: (secret: string) => StandardVerifier): Verifier {
  return {
    name,
    judge: (cases) =>
      Promise.all(
        cases.map(async ({ raw, headers, endpointSecret }) => ({
          standard: await accepts(async () => open(endpointSecret).verify(raw.toString('utf8'), headers)),
        })),
      ),
  };
}

async function accepts(verify: () => Promise<unknown>): Promise<boolean> {
  try {
    await verify();
    return true;
  } catch {
    return false;
  }
}

/** Programs in other languages, written from the contract alone; those in `needed` must be there. */
export const needed = ['python3', 'perl'];

export const otherLanguages: Verifier[] = [
  program('Python', 'python3', ['verify.py']),
  program('Perl', 'perl', ['verify.pl']),
  // The compiler is asked for, because a Java without one cannot run a source file.
  ...(isThere('javac') ? [program('Java', 'java', ['Verify.java'])] : []),
];

export function isThere(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** A program of `verifiers/` that reads cases as lines of JSON and prints a verdict for each. */
export function program(name: string, command: string, [file, ...rest]: [string, ...string[]]): Verifier {
  return {
    name,
    async judge(cases) {
      const child = spawn(command, [join(programs, file), ...rest], { stdio: ['pipe', 'pipe', 'pipe'] });
      const errors = child.stderr.setEncoding('utf8').toArray();
      child.stdin.on('error', () => {});
      child.stdin.end(cases.map((each) => `${JSON.stringify(asJson(each))}\n`).join(''));
      const output = (await child.stdout.setEncoding('utf8').toArray()).join('');
      const verdicts = output.split('\n').slice(0, -1);
      if (verdicts.length !== cases.length)
        throw new Error(`${name} ended early: ${(await errors).join('')}`);
      return verdicts.map((line) => JSON.parse(line));
    },
  };
}

function asJson({ raw, headers, secretKey, endpointSecret }: Case): object {
  return { body: raw.toString('base64'), secret_key: secretKey, endpoint_secret: endpointSecret, headers };
}
