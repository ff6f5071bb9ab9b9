import { expect, test } from 'vitest';
import { lineForPeople } from './log.ts';

test('a line for people has its time, its level, its words and its facts', () => {
  const time = new Date(2026, 0, 2, 13, 29, 5).getTime();
  const fault = { type: 'Error', message: 'no answer', stack: 'Error: no answer\n    at x' };
  const line = {
    level: 40,
    time,
    pid: 7,
    hostname: 'here',
    chain: 31337,
    err: fault,
    msg: 'the scan is behind',
  };
  expect(lineForPeople(JSON.stringify(line))).toBe(
    '13:29:05 warn   the scan is behind  chain=31337  err="no answer"\n',
  );
});

test('a line for people holds nothing that moves the cursor', () => {
  const line = lineForPeople(
    JSON.stringify({ level: 30, time: 0, msg: 'a\u001b[2Jb\nc', agent: 'x\u001b]0;y' }),
  );
  expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u);
});
