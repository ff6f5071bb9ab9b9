import { dirname } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { gateway, importsOf, isTest, matches, programs, reaches } from './support/sources.ts';

describe('the slices of the gateway', () => {
  // A slice imports those of the lines before its own; those of one line never import each other.
  const order = [
    ['kit', 'money'],
    ['identity'],
    ['rates'],
    ['ledger', 'rails', 'webhooks'],
    ['notices', 'treasury'],
    ['payouts'],
    ['payments'],
    ['btcpay', 'config', 'test-clock', 'wallets'],
    ['checkout', 'operations'],
    ['wallet-pages'],
    ['api', 'demo', 'networks'],
    ['app.ts'],
    ['commands'],
    ['main.ts'],
  ];
  // The same for the folders of a slice; '.' is the slice's own folder.
  const rooms: Record<string, string[][]> = {
    kit: [['.'], ['db'], ['net', 'postgres'], ['http'], ['pages']],
    identity: [
      ['.', 'audit'],
      ['integrations', 'keys', 'mail'],
      ['accounts', 'merchants', 'request-log'],
      ['closing', 'proposals', 'setup'],
      ['console'],
    ],
    rails: [['signing'], ['.', 'evm/config'], ['simulated', 'evm', 'pi']],
    'rails/evm': [
      ['config'],
      ['addresses'],
      ['requests'],
      ['rpc'],
      ['scan/blocks'],
      ['scan/head'],
      ['scan/final', 'send'],
      ['vault'],
      ['payouts', 'sweep', 'contracts', 'reserves', 'signatures', 'scan/seen'],
      ['scan'],
      ['.'],
    ],
    'rails/pi': [['horizon'], ['memos'], ['movements'], ['platform', 'read'], ['.', 'send']],
    webhooks: [
      ['.'],
      ['events'],
      ['answers'],
      ['endpoints'],
      ['deliveries', 'replay'],
      ['worker'],
      ['api'],
      ['receiver-check'],
    ],
    notices: [['.'], ['push', 'telegram'], ['send'], ['api']],
    treasury: [['direct', 'reserves', 'proofs'], ['.']],
    payouts: [['payout'], ['arrivals', 'rules'], ['lifecycle'], ['fees', 'schedules'], ['api']],
    payments: [
      ['payment'],
      ['prices'],
      ['links', 'receipts', 'settlement'],
      ['create', 'simulate', 'unmatched'],
      ['refunds'],
      ['read'],
      ['appeals'],
      ['api'],
    ],
    wallets: [
      ['.'],
      ['accounts', 'deposits', 'fundings', 'sends', 'withdrawals'],
      ['books', 'operators', 'remote-payments'],
      ['api'],
    ],
    btcpay: [['protocol'], ['stores'], ['hooks'], ['invoices'], ['pairing'], ['.']],
    checkout: [['brand', 'messages'], ['.'], ['links', 'receipts'], ['parts'], ['views'], ['proof'], ['api']],
    'wallet-pages': [['messages'], ['.'], ['views'], ['api']],
    api: [['document'], ['site'], ['.']],
    demo: [['chain'], ['pi'], ['.']],
    operations: [
      ['wal'],
      ['backup-records', 'moves', 'scratch', 'stamps'],
      ['attention'],
      ['doctor/checks'],
      ['doctor'],
      ['.'],
      ['backup'],
      ['first-run', 'upgrading', 'wal-archive'],
    ],
  };
  const source = 'gateway/src/';
  const sliceOf = (path: string): string => path.slice(source.length).split('/')[0]!;
  const levelOf = (levels: string[][], name: string): number =>
    levels.findIndex((names) => names.includes(name));
  const edges = gateway.flatMap((file) =>
    importsOf(file)
      .filter((to) => to.startsWith('gateway/'))
      .map((to) => ({ from: file.path, to })),
  );
  const show = ({ from, to }: { from: string; to: string }): string => `${from} imports ${to}`;

  test('every folder of the source is a slice, and main.ts and app.ts stand alone beside them', () => {
    expect([...new Set(gateway.map(({ path }) => sliceOf(path)))].sort()).toEqual(order.flat().sort());
  });

  test('app.ts shows the whole gateway on one screen', () => {
    const app = gateway.find(({ path }) => path === `${source}app.ts`);
    expect(app?.text.trimEnd().split('\n').length).toBeLessThan(150);
  });

  test('a slice imports only the slices before it', () => {
    const wrong = edges.filter(
      ({ from, to }) =>
        sliceOf(from) !== sliceOf(to) && levelOf(order, sliceOf(to)) >= levelOf(order, sliceOf(from)),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  test.each(Object.entries(rooms))('in %s, a folder imports only the folders before it', (slice, levels) => {
    const inside = (path: string): boolean => path.startsWith(`${source}${slice}/`);
    // The longest listed name: a folder without a name of its own belongs to the one around it.
    const roomOf = (path: string): string => {
      const folder = dirname(path.slice(`${source}${slice}/`.length));
      const names = levels.flat().filter((name) => folder === name || folder.startsWith(`${name}/`));
      return names.sort((a, b) => b.length - a.length)[0] ?? folder;
    };
    const wrong = edges
      .filter(({ from, to }) => inside(from) && inside(to) && roomOf(from) !== roomOf(to))
      .filter(({ from, to }) => {
        const level = levelOf(levels, roomOf(to));
        return level < 0 || level >= levelOf(levels, roomOf(from));
      });
    expect(wrong.map(show)).toEqual([]);
  });

  test('the slices import each other in 12 floors, and along 148 arrows', () => {
    const arrows = new Set(
      edges
        .map(({ from, to }) => [sliceOf(from), sliceOf(to)])
        .filter(([from, to]) => from !== to)
        .map((pair) => pair.join(' imports ')),
    );
    const next = Map.groupBy(
      [...arrows].map((arrow) => arrow.split(' imports ') as [string, string]),
      ([from]) => from,
    );
    const floorOf = (slice: string): number =>
      1 + Math.max(0, ...(next.get(slice) ?? []).map(([, to]) => floorOf(to)));
    expect(arrows.size).toBeLessThanOrEqual(148);
    expect(floorOf('main.ts')).toBeLessThanOrEqual(12);
    expect(order.flat().length).toBeLessThanOrEqual(26);
  });

  test.each([
    ['payments', 12, 35],
    ['payouts', 10, 20],
  ])('the folders of %s are %i at most, and import each other along %i arrows', (slice, most, arrows) => {
    const place = `${source}${slice}/`;
    const roomOf = (path: string): string => path.slice(place.length).split('/')[0]!;
    const inside = edges.filter(({ from, to }) => from.startsWith(place) && to.startsWith(place));
    const seen = new Set(inside.flatMap(({ from, to }) => [roomOf(from), roomOf(to)]));
    const between = inside
      .map(({ from, to }) => [roomOf(from), roomOf(to)])
      .filter(([from, to]) => from !== to);
    expect(seen.size).toBeLessThanOrEqual(most);
    expect(new Set(between.map((pair) => pair.join())).size).toBeLessThanOrEqual(arrows);
  });

  test("no slice reads another slice's SQL", () => {
    const wrong = edges.filter(({ from, to }) => to.endsWith('/sql.ts') && sliceOf(from) !== sliceOf(to));
    expect(wrong.map(show)).toEqual([]);
  });

  test('the source imports nothing of the tests', () => {
    expect(edges.filter(({ to }) => isTest(to)).map(show)).toEqual([]);
  });

  test("a payment's status is written by the one statement that only write.ts uses", () => {
    const update =
      /\bUPDATE payments\b(?: (?:AS )?\w+)?\s+SET\s(?:(?!\bWHERE\b|\bFROM\b)[^`])*?\bstatus\s*=/g;
    expect(matches(gateway, update).map((found) => found.split(':')[0])).toEqual([
      'gateway/src/payments/payment/sql.ts',
    ]);
    const users = gateway.filter(({ text }) => text.includes('writePaymentsSql')).map(({ path }) => path);
    expect(users).toEqual([
      'gateway/src/payments/payment/sql.ts',
      'gateway/src/payments/settlement/write.ts',
    ]);
  });

  test('the ledger alone writes its tables', () => {
    const others = gateway.filter(({ path }) => sliceOf(path) !== 'ledger');
    expect(matches(others, /\b(?:INSERT INTO|UPDATE|DELETE FROM) ledger_\w+/g)).toEqual([]);
  });
});

describe('the folders', () => {
  const rooms = programs.filter(
    ({ path }) => /^(?:gateway|web\/dashboard)\//.test(path) && !path.endsWith('.test.ts'),
  );

  test('no folder of the gateway and the dashboard holds more than 25 sources', () => {
    const counts = Map.groupBy(rooms, ({ path }) => dirname(path));
    const large = [...counts].filter(([, files]) => files.length > 25).map(([folder]) => folder);
    expect(large).toEqual([]);
  });

  test('no two folders of the gateway and the dashboard import each other, straight or by others', () => {
    // main.ts starts the commands, which start app.ts: the two share a folder, and no import.
    const folderOf = (path: string): string => (dirname(path) === 'gateway/src' ? path : dirname(path));
    const next = new Map<string, Set<string>>();
    for (const file of rooms.filter(({ path }) => /^(?:gateway|web\/dashboard)\/src\//.test(path))) {
      const from = folderOf(file.path);
      const reached = importsOf(file).filter((to) => /\.tsx?$/.test(to));
      const others = reached.map(folderOf).filter((to) => to !== from);
      next.set(from, new Set([...(next.get(from) ?? []), ...others]));
    }
    expect([...next.keys()].filter((folder) => reaches(next, folder, folder))).toEqual([]);
  });
});
