import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { securityTxtRoutes } from './security-txt.ts';

const baseUrl = 'https://pay.example.com';

async function answerOn(day: string, env: Record<string, string>) {
  const app = Fastify();
  onTestFinished(() => app.close());
  const { securityContact: contact } = readConfig(env);
  securityTxtRoutes(app, { contact, baseUrl, now: () => new Date(`${day}T12:00:00Z`) });
  return await app.inject({ method: 'GET', url: '/.well-known/security.txt' });
}

const env = {
  SECURITY_CONTACT: 'mailto:security@example.com https://example.com/report',
  SECURITY_EXPIRES: '2027-06-30',
};

test('an installation with a contact says who hears of vulnerabilities, and until when', async () => {
  const { statusCode, headers, body } = await answerOn('2027-06-29', env);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body.split('\n')).toEqual([
    'Contact: mailto:security@example.com',
    'Contact: https://example.com/report',
    'Expires: 2027-06-30T00:00:00.000Z',
    'Canonical: https://pay.example.com/.well-known/security.txt',
    'Preferred-Languages: en',
    '',
  ]);
});

test('without a contact, and from the day on which it ends, there is no such file', async () => {
  expect((await answerOn('2027-06-29', {})).statusCode).toBe(404);
  expect((await answerOn('2027-06-30', env)).statusCode).toBe(404);
});

test.each([
  [{ SECURITY_CONTACT: 'security@example.com' }, 'SECURITY_CONTACT must be'],
  [{ SECURITY_CONTACT: 'http://example.com' }, 'SECURITY_CONTACT must be'],
  [{ SECURITY_CONTACT: '' }, 'SECURITY_CONTACT must be'],
  [{ SECURITY_EXPIRES: '' }, 'SECURITY_EXPIRES must be'],
  [{ SECURITY_EXPIRES: '2027-02-30' }, 'SECURITY_EXPIRES must be'],
  [{ SECURITY_EXPIRES: '2027-06-30\nContact: x' }, 'SECURITY_EXPIRES must be'],
])('%j is a fault', (changes, why) => {
  expect(() => readConfig({ ...env, ...changes })).toThrow(why);
});
