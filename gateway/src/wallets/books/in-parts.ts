const rowsAtOnce = 500;

/** The same in arrays, none of them empty, so that what stands beside each is read for many at once. */
export async function* inParts<T>(lines: AsyncIterable<T>): AsyncGenerator<T[]> {
  let part: T[] = [];
  for await (const line of lines) {
    part.push(line);
    if (part.length < rowsAtOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
