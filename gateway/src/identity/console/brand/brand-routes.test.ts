import { describe, expect, test } from 'vitest';
import { openConsole } from '../../../../test/support/console.ts';
import { startApp } from '../../../../test/support/running.ts';
import type { Settings } from '../../integrations/settings.ts';

const app = await startApp();
const console = await openConsole(app);
const owner = await console.as('owner');

const settings = async () => (await owner<Settings>('GET', console.integration)).body.data;
const patch = (body: object) => owner<Settings>('PATCH', console.integration, { body });
const png = (side: number): string => {
  const bytes = Buffer.alloc(64);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  return bytes.toString('base64');
};

describe('the brand', () => {
  test('is a colour and a sentence, kept in the audit log, and removed by an empty field', async () => {
    const { body } = await patch({ brand_color: '#7A1F3D', page_sentence: 'Paper & ink <since 1921>' });
    const brand = { brand_color: '#7a1f3d', page_sentence: 'Paper & ink <since 1921>' };
    expect(body.data).toMatchObject(brand);
    const log = await owner<{ items: object[] }>('GET', `${console.merchant}/audit`);
    expect(log.body.data.items[0]).toMatchObject({ action: 'changed settings', after: brand });
    const none = { brand_color: null, page_sentence: null };
    expect((await patch({ brand_color: '', page_sentence: null })).body.data).toMatchObject(none);
  });

  test('is changed by who may manage integrations, and its corrected colours are shown to every member', async () => {
    const colors = (color: string) =>
      `${console.integration}/brand-colors?color=${encodeURIComponent(color)}`;
    const support = await console.as('support');
    expect((await support('PATCH', console.integration, { body: { brand_color: '#ffd400' } })).status).toBe(
      403,
    );
    const { body } = await support<Record<string, string>>('GET', colors('#ffd400'));
    expect(body.data).toEqual({ light: expect.stringMatching(/^#[0-9a-f]{6}$/), dark: '#ffd400' });
    expect(body.data.light).not.toBe('#ffd400');
    expect((await support('GET', colors('yellow'))).body.message).toMatch(/^color is invalid: /);
    const stranger = await console.as('stranger');
    expect((await stranger('GET', colors('#ffd400'))).status).toBe(404);
  });
});

describe('a logo', () => {
  const put = (image: string) => owner<Settings>('PUT', `${console.integration}/logo`, { body: { image } });

  test('is served under its hash, for ever, and only as a picture', async () => {
    const { body } = await put(png(64));
    const response = await fetch(app.baseUrl + body.data.logo_url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(png(64));
    expect((await owner('DELETE', `${console.integration}/logo`)).status).toBe(200);
    expect((await fetch(app.baseUrl + body.data.logo_url)).status).toBe(404);
    expect((await settings()).logo_url).toBeNull();
  });

  test('may have 100 KB, which is more than other bodies', async () => {
    const large = Buffer.concat([Buffer.from(png(64), 'base64'), Buffer.alloc(100 * 1024 - 64)]);
    expect((await put(large.toString('base64'))).status).toBe(200);
    const larger = Buffer.concat([large, Buffer.alloc(1)]);
    expect((await put(larger.toString('base64'))).body.message).toBe(
      'image is invalid: must have at most 100 KB',
    );
    expect((await put('A'.repeat(200_000))).status).toBe(413);
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['no base64', 'not base64!'],
    ['too few pixels', png(15)],
    ['too many pixels', png(2049)],
  ])('is not taken from %s', async (_, image) => {
    expect((await put(image)).body.message).toMatch(/^image is invalid: /);
  });
});
