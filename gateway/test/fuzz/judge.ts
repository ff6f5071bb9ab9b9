import { errorTable } from '../../../scripts/error-table.ts';
import type { Checks } from './document.ts';
import type { FuzzRequest } from './make.ts';
import type { Exchange, WireAnswer } from './wire.ts';

/** What a pattern of a message looks like with its places filled in. */
const rows = new Map(
  errorTable.map(({ slug, code, status, message }) => {
    const words = message.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return [slug, { code, status, message: new RegExp(`^${words.join('[^]*')}$`) }];
  }),
);

/** What no answer may show: where the code is, what the database said, hashes of passwords. */
const inner =
  /\/gateway\/src\/|node_modules|file:\/\/\/(?!etc)|\$argon2|\n\s+at \S+ \(|\\n\s+at \S+ \(|syntax error at|violates \w+ constraint|relation "|invalid input syntax|pg_catalog/;

const pageStatuses: ReadonlySet<number> = new Set([200, 204, 206, 301, 302, 303, 304, 416]);

export type Judge = {
  /** What is wrong with the exchange; null: it is as it should be. */
  fault(request: FuzzRequest, exchange: Exchange): string | null;
};

/** @param secrets what is shown by no answer */
export function createJudge(secrets: readonly string[], refused: Checks['refused']): Judge {
  function faultOfHeaders({ status, headers, body }: WireAnswer): string | null {
    if (headers.get('x-content-type-options') !== 'nosniff') return 'no nosniff';
    if (!headers.has('content-security-policy')) return 'no policy';
    if (!headers.has('cache-control')) return 'no cache-control';
    if (body !== '' && !headers.has('content-type')) return 'no content-type';
    if (status === 429 && !headers.has('retry-after')) return 'no retry-after';
    return null;
  }

  function faultOfRefusal({ status, headers, body }: WireAnswer, checks: Checks | null): string | null {
    if (!headers.get('content-type')?.startsWith('application/json')) return 'a refusal that is no JSON';
    const answer: unknown = JSON.parse(body);
    const check = checks?.refused ?? refused;
    if (!check.Check(answer)) return `a refusal outside its schema: ${check.Errors(answer)[0]?.message}`;
    const { error, code, message } = answer as { error: string; code: number; message: string };
    const row = rows.get(error);
    if (!row) return `an error that is in no table: ${error}`;
    if (row.status !== status || row.code !== code) return `another status or code than ${error} has`;
    return row.message.test(message) ? null : `another message than ${error} has: ${message}`;
  }

  function faultOfAnswer(request: FuzzRequest, answer: WireAnswer): string | null {
    const { status, headers, body } = answer;
    // A price without a rate is refused so, and says when to ask again (contract.md#prices).
    const lacksRate = status === 503 && headers.has('retry-after') && /"error":"no_rates?"/.test(body);
    if (status >= 500 && !lacksRate) return `status ${status}`;
    const wrong = faultOfHeaders(answer);
    if (wrong !== null) return wrong;
    if (inner.test(body)) return `it shows ${inner.exec(body)?.[0]}`;
    // One call shows test keys again, to those who manage keys (contract.md#keys).
    const showsTestKeys = request.call?.path.endsWith('/:mode/keys/secrets') === true;
    const hidden = secrets.filter((secret) => !(showsTestKeys && secret.startsWith('sk_test_')));
    if (hidden.some((secret) => body.includes(secret))) return 'it shows a secret';
    if (request.method === 'HEAD') return null;
    const isHtml = headers.get('content-type')?.startsWith('text/html') === true;
    // The hosted page draws some of its refusals.
    if (isHtml && /^\/(?:pay|app|reference)/.test(request.call?.path ?? '/app')) {
      if (!headers.has('content-encoding') && !/^\s*<!doctype html/i.test(body)) return 'a page that is none';
      return [200, 400, 404].includes(status) ? null : `a page with status ${status}`;
    }
    if (status >= 400 && status !== 416) return faultOfRefusal(answer, request.call?.checks ?? null);
    if (!pageStatuses.has(status)) return `status ${status}`;
    const checks = request.call?.checks;
    if (!checks) return null;
    if (status !== 200) return `status ${status} of a call`;
    const data: unknown = JSON.parse(body);
    const [fault] = checks.ok.Check(data) ? [] : checks.ok.Errors(data);
    return fault ? `outside its schema: ${fault.instancePath} ${fault.message}` : null;
  }

  return {
    fault(request, { answers, end }) {
      if (end === 'hung') return 'it hangs';
      if (end === 'unreadable') return 'the answer cannot be read';
      // What is no request may be cut off without a word.
      if (end === 'closed' && !request.isRaw) return 'closed without an answer';
      for (const answer of answers.filter(({ status }) => status >= 200)) {
        try {
          const fault = faultOfAnswer(request, answer);
          if (fault !== null) return `${fault} [${answer.status}]`;
        } catch (error) {
          return `not readable: ${(error as Error).message}`;
        }
      }
      return null;
    },
  };
}
