import { expect, test } from 'vitest';
import { callTool } from './call.ts';
import type { Answer, OwnKey } from './gateway.ts';
import type { ToolCall } from './tools.ts';

const key: OwnKey = {
  ...{ id: 'k', kind: 'restricted', name: 'Agent', mode: 'test', actions: [], daily_limits: null },
  ...{ asks_above: false, valid_until: '2026-11-01T00:00:00.000Z' },
};
const call: ToolCall = {
  tool: { name: 'getKey', inputSchema: { type: 'object', properties: {} } },
  ...{ method: 'GET', path: '/key', isWrite: false, movesMoney: false },
  parts: { path: {}, query: {}, body: {}, required: [] },
};
const answered = async (answer: Partial<Answer>) => {
  const gateway = async () => ({ status: 200, isReplayed: false, envelope: {}, ...answer });
  return await callTool({ gateway, key }, call, {});
};

test('an agent is told when its key ended', async () => {
  expect(await answered({ status: 401 })).toEqual({
    texts: [
      'The gateway no longer takes this key: it ended at 2026-11-01T00:00:00.000Z. Ask the person who made it.',
    ],
    isError: true,
  });
});

test('an agent is never shown a secret', async () => {
  const secrets = ['whsec_bm8gc2VjcmV0', `sk_test_${'a'.repeat(32)}`, `sk_live_${'b'.repeat(32)}`];
  const { texts } = await answered({ envelope: { data: { secrets, hint: 'sk_test_…abcd' } } });
  for (const secret of secrets) expect(texts.join()).not.toContain(secret);
  expect(texts.join()).toContain('sk_test_…abcd');
});
