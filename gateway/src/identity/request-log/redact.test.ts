import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from './redact.ts';

const key = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
const webhookSecret = 'whsec_c2VjcmV0IGJ5dGVzIG9mIGEgd2ViaG9vaw==';

describe('the logged text of a body', () => {
  test.each([
    [`{"note":"my key is ${key}"}`, '{"note":"my key is sk_test_[redacted]"}'],
    [`{"secret":"${webhookSecret}","url":"x"}`, '{"secret":"[redacted]","url":"x"}'],
    ['{"password": "a \\"quoted\\" one", "n": 1}', '{"password": "[redacted]", "n": 1}'],
    ['{"client_secret":["a","b]"],"n":1}', '{"client_secret":"[redacted]","n":1}'],
    ['{"secrets":{"a":{"b":"}"}},"n":1}', '{"secrets":"[redacted]","n":1}'],
    ['{"Secret":123456,"n":1}', '{"Secret":"[redacted]","n":1}'],
    ["{'password':'hunter2'}", `{'password':"[redacted]"}`],
    ['user=jane&password=hunter2&x=1', 'user=jane&password="[redacted]"&x=1'],
    [
      '{"meta_data":"{\\"password\\":\\"hunter2\\",\\"n\\":1}"}',
      '{"meta_data":"{\\"password\\":\\"[redacted]\\",\\"n\\":1}"}',
    ],
    [
      '{"meta_data":"{\\"secret\\":{\\"a\\":\\"b}\\"},\\"n\\":1}"}',
      '{"meta_data":"{\\"secret\\":\\"[redacted]\\",\\"n\\":1}"}',
    ],
    [
      '{"PaymentURL":"https://pay.example/pay?reference=a&app=b&token=Ab-_9","n":1}',
      '{"PaymentURL":"https://pay.example/pay?reference=a&app=b&token=[redacted]","n":1}',
    ],
    ['{"s\\u0065cret":"hunter2"}', '{"secret":"[redacted]"}'],
    ['{"a":"sk\\u005ftest\\u005fabc"}', '{"a":"sk_test_[redacted]"}'],
  ])('%s becomes %s', (body, written) => {
    expect(redact(body)).toBe(written);
  });

  test.each([
    '{"message":"Unauthorized: Invalid secret key","data":null,"error":"secret_key_invalid"}',
    '{"amount":20,"currency":"USDC","payment_type":"deposit"}',
    '{"name":"Zo\\u00eb"}',
    'not JSON at all',
  ])('%s stays as it is', (body) => {
    expect(redact(body)).toBe(body);
  });

  test('has no secret, wherever the body had one and wherever it is cut', () => {
    const secret = fc.stringMatching(/^[0-9A-Za-z]{24,40}$/);
    const name = fc.constantFrom('secret', 'password', 'client_secret', 'Passwd', 'api_key', 'webhookSecret');
    const body = secret.chain((value) => {
      const leaf = fc.constantFrom(`sk_live_${value}`, `sk_test_${value}`, `whsec_${value}`);
      const named = fc.tuple(name, fc.jsonValue()).map(([field, noise]) => ({ noise, [field]: value }));
      const nested = fc.oneof(
        leaf,
        named,
        named.map((inner) => JSON.stringify(inner)),
      );
      const outer = fc.tuple(fc.jsonValue(), nested, fc.jsonValue());
      return outer.map(([before, inside, after]) => ({
        value,
        text: JSON.stringify({ before, inside, after }),
      }));
    });
    fc.assert(
      fc.property(body, fc.nat(), fc.boolean(), ({ value, text }, cutAt, isPretty) => {
        const whole = isPretty ? JSON.stringify(JSON.parse(text), null, 2) : text;
        const written = redact(whole.slice(0, cutAt % (whole.length + 1)));
        for (let from = 0; from + 6 <= value.length; from += 1) {
          expect(written).not.toContain(value.slice(from, from + 6));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('takes no longer to make from a text that was written to be slow', () => {
    const awkward = [
      'secret'.repeat(1_300),
      `secret${' '.repeat(8_000)}`,
      'secret:"'.repeat(1_000),
      'secret:['.repeat(1_000),
      'secret:{"'.repeat(900),
      '\\'.repeat(8_000),
    ];
    const begun = performance.now();
    for (const text of awkward) redact(text);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
