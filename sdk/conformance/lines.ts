import type { Readable } from 'node:stream';

/** The lines of a stream. Node's own reader of lines also ends them at U+2028, which JSON may hold. */
export async function* linesOf(stream: Readable): AsyncGenerator<string, void, undefined> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}
