import { createHash } from 'node:crypto';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { invalid } from '../../kit/http/fields.ts';
import { type Picture, pictureOf } from '../../kit/image.ts';
import type { IntegrationId } from '../integration.ts';

export const maxLogoBytes = 100 * 1024;
const minPixels = 16;
const maxPixels = 2048;

export type Logo = { bytes: Buffer; contentType: Picture['contentType'] };

/** Reads a picture in base64; throws `field_invalid` with what is wrong with it. */
export function readLogo(base64: string): Logo {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw invalid('image', 'must be base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > maxLogoBytes) throw invalid('image', 'must have at most 100 KB');
  const picture = pictureOf(bytes);
  if (!picture) throw invalid('image', 'must be a PNG, JPEG or WebP picture');
  const { width, height, contentType } = picture;
  if (Math.min(width, height) < minPixels || Math.max(width, height) > maxPixels) {
    throw invalid('image', `must be ${minPixels} to ${maxPixels} pixels wide and high`);
  }
  return { bytes, contentType };
}

/** Sets the logo and returns its hash; null removes it. */
export async function setLogo(tx: Tx, id: IntegrationId, logo: Logo | null): Promise<string | null> {
  const hash = logo && createHash('sha256').update(logo.bytes).digest('hex').slice(0, 32);
  if (logo) {
    await tx.query(
      `INSERT INTO integration_logos (integration_id, hash, content_type, bytes) VALUES ($1, $2, $3, $4)
       ON CONFLICT (integration_id) DO UPDATE
       SET hash = excluded.hash, content_type = excluded.content_type, bytes = excluded.bytes`,
      [id, hash, logo.contentType, logo.bytes],
    );
  } else await tx.query('DELETE FROM integration_logos WHERE integration_id = $1', [id]);
  await tx.query('UPDATE integrations SET logo_hash = $2 WHERE id = $1', [id, hash]);
  return hash;
}

/** The logo with that hash; null after it was replaced. */
export async function findLogo(reader: Reader, id: string, hash: string): Promise<Logo | null> {
  const { rows } = await reader.query<{ bytes: Buffer; content_type: Logo['contentType'] }>(
    'SELECT bytes, content_type FROM integration_logos WHERE integration_id = $1 AND hash = $2',
    [id, hash],
  );
  return rows[0] ? { bytes: rows[0].bytes, contentType: rows[0].content_type } : null;
}
