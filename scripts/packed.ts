import { gzipSync } from 'node:zlib';

/** Compressed by gzip, without the name of the system in the header. */
export function packed(bytes: string | Buffer): Buffer {
  const made = gzipSync(bytes, { level: 9 });
  made[9] = 255;
  return made;
}
