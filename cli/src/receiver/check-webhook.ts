import { randomUUIDv7 } from 'node:crypto';
import { checkReceiver, type Findings, type Signing } from '@florin/receiver-check';
import { createHttpSender } from '../../../gateway/src/kit/net/safe-fetch.ts';
import { now } from '../clock.ts';
import { createProgress, describeFindings, exitCodeOf, type Paper } from './report.ts';

export type CheckWebhookOptions = {
  /** Any address that this machine can reach. */
  url: string;
  /** `whsec_...`; the newest first when the receiver has several. */
  secrets: readonly string[];
  /** `sk_test_...` */
  key?: string | undefined;
  /** Further headers that the receiver needs, as `Name: value`. */
  headers?: readonly string[];
  json: boolean;
};

const timeoutMs = 5_000;

/**
 * Checks a receiver from this process, without a gateway, and prints which rules it follows. Returns the exit code of
 * `exitCodeOf`.
 */
export async function checkWebhook(
  options: CheckWebhookOptions,
  paper: Paper = process.stdout,
): Promise<number> {
  const url = readUrl(options.url);
  const signing = readSigning(options);
  const headers = readHeaders(options.headers ?? []);
  const print = (line: string): boolean => paper.write(`${line}\n`);
  const startedAt = now();
  const sender = createHttpSender({ timeoutMs });
  try {
    if (!options.json) print(`Checking ${url.href}\n`);
    const progress = createProgress(print, paper);
    const findings = await checkReceiver({
      receiver: {
        send: (request) => sender.send({ ...request, url, reach: 'any' }),
        timeoutMs,
        headers,
        signing,
        otherSecrets: [],
        integrationId: randomUUIDv7(),
      },
      now,
      onProgress: ({ exchanges }) => (options.json ? undefined : progress(exchanges)),
    });
    if (options.json) print(JSON.stringify(reportOf(url, startedAt, findings)));
    else for (const line of describeFindings(findings, paper)) print(line);
    return exitCodeOf(findings);
  } finally {
    await sender.close();
  }
}

/** As in the answer of the API, without the id. */
function reportOf(url: URL, startedAt: Date, findings: Findings): object {
  return {
    status: 'done',
    url: url.href,
    started_at: startedAt.toISOString(),
    finished_at: now().toISOString(),
    ...findings,
  };
}

function readUrl(text: string): URL {
  const url = URL.parse(/^[\w.-]+:\d+(?:\/|$)/.test(text) ? `http://${text}` : text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Error(`${text} is not an http or https address, such as http://localhost:3000/webhook`);
  }
  return url;
}

function readSigning({ secrets, key }: CheckWebhookOptions): Signing {
  if (secrets.length === 0 && key === undefined) {
    throw new Error(
      "give the endpoint's secret (--secret whsec_...), the secret key (--key sk_test_...) or both",
    );
  }
  if (secrets.some((secret) => !/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))) {
    throw new Error('--secret must be whsec_ and base64: copy the secret again');
  }
  if (key?.startsWith('sk_live_')) {
    throw new Error('--key is a live key. A check signs invented payments, so it takes a test key only');
  }
  if (key !== undefined && !key.startsWith('sk_test_')) {
    throw new Error('--key must begin with sk_test_');
  }
  return { secretKey: key ?? null, endpointSecrets: secrets };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([\w-]+): *(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) {
        throw new Error(`${line.split(':')[0]} is not a header: write it as 'Name: value'`);
      }
      return [name, value];
    }),
  );
}
