import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOfAttempt } from './curl.ts';

test('an attempt as a command sends the same headers and bytes', () => {
  const body = `{"payment_note":"it's $HOME, \\"new\\"\\\\"}`;
  const command = curlOfAttempt(
    "https://shop.example/hook?a='b'&c=d",
    { request_headers: 'Content-Type: application/json\nX-Signature: AbC+/=\nX-Token: (hidden)\n' },
    body,
  );
  // A shell reads it as these words; `curl` itself is a function that shows them.
  const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`], {
    encoding: 'utf8',
  });
  expect(words.trimEnd().split('\n')).toEqual([
    '-i',
    "https://shop.example/hook?a='b'&c=d",
    '-H',
    'Content-Type: application/json',
    '-H',
    'X-Signature: AbC+/=',
    '-H',
    'X-Token: (hidden)',
    '--data-raw',
    body,
  ]);
});

test('what was never sent is no command', () => {
  expect(curlOfAttempt('https://shop.example', { request_headers: null }, '{}')).toBeNull();
});
