import { describe, expect, test } from 'vitest';
import { payUrlOf } from './page-domain.ts';
import { createPageDomainCheck, targetOf } from './page-domain-check.ts';

type Records = { txt?: string[]; cname?: string[]; addresses?: string[] };

const domain = 'pay.shop.example';
const proof = 'florin-verification=b7Qm2xV9TzK4nR8sLw3YcA';
const ours: Records = { addresses: ['192.0.2.7', '2001:db8::7'] };

/** What is wrong with these records; null: nothing. */
function judge(records: Record<string, Records>, payUrl = 'https://pay.florin.example/pay') {
  const found = (name: string, kind: keyof Records): string[] => {
    const known = records[name]?.[kind];
    if (!known) throw new Error('ENODATA');
    return known;
  };
  const check = createPageDomainCheck(payUrl, {
    txt: async (name) => found(name, 'txt').map((text) => [text]),
    cname: async (name) => found(name, 'cname'),
    addresses: async (name) => found(name, 'addresses'),
  });
  return check(domain, proof);
}

const proved = { [`_florin.${domain}`]: { txt: ['v=spf1', proof] } };

describe('a domain is ready', () => {
  test.each<[string, Record<string, Records>]>([
    ['by a CNAME to the installation', { [domain]: { cname: ['Pay.Florin.example.'] } }],
    [
      'by addresses that are the installation’s',
      { [domain]: { addresses: ['192.0.2.7'] }, 'pay.florin.example': ours },
    ],
    ['by both of its addresses', { [domain]: ours, 'pay.florin.example': ours }],
  ])('%s, and the proof', async (_, records) => {
    expect(await judge({ ...records, ...proved })).toBeNull();
    expect(await judge(records)).toBe(`_florin.${domain} has no TXT record that we can see`);
  });

  test('by the address of an installation without a name', async () => {
    const payUrl = 'https://192.0.2.7/pay';
    expect(await judge({ [domain]: { addresses: ['192.0.2.7'] }, ...proved }, payUrl)).toBeNull();
    expect(targetOf('https://[2001:db8::7]/pay')).toBe('2001:db8::7');
  });
});

describe('a domain is not ready', () => {
  test.each<[string, Record<string, Records>, string]>([
    ['it leads nowhere', proved, `${domain} leads nowhere yet`],
    [
      'it leads elsewhere',
      { ...proved, [domain]: { addresses: ['203.0.113.9'] }, 'pay.florin.example': ours },
      `${domain} leads to 203.0.113.9, not to pay.florin.example`,
    ],
    [
      'one of its addresses leads elsewhere',
      { ...proved, [domain]: { addresses: ['192.0.2.7', '203.0.113.9'] }, 'pay.florin.example': ours },
      `${domain} leads to 203.0.113.9, not to pay.florin.example`,
    ],
    [
      'its CNAME is of another, and the installation has no address',
      { ...proved, [domain]: { cname: ['pay.florin.example.evil.example'], addresses: ['203.0.113.9'] } },
      `${domain} leads to 203.0.113.9, not to pay.florin.example`,
    ],
    [
      'the proof is of another integration',
      { [`_florin.${domain}`]: { txt: [`${proof}x`] }, [domain]: { cname: ['pay.florin.example'] } },
      `the TXT record of _florin.${domain} says something else`,
    ],
    [
      'nothing is published',
      {},
      `_florin.${domain} has no TXT record that we can see, and ${domain} leads nowhere yet`,
    ],
  ])('where %s', async (_, records, why) => {
    expect(await judge(records)).toBe(why);
  });
});

test('the page has the scheme, port and path of the installation’s, at the domain where it was proved', () => {
  expect(payUrlOf('https://pay.florin.example/go/pay', { pageDomain: domain })).toBe(
    `https://${domain}/go/pay`,
  );
  expect(payUrlOf('http://127.0.0.1:4000/pay', { pageDomain: domain })).toBe(`http://${domain}:4000/pay`);
  expect(payUrlOf('https://pay.florin.example/pay', { pageDomain: null })).toBe(
    'https://pay.florin.example/pay',
  );
});
