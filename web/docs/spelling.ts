/** How many letters have to be changed, added, left out or swapped with the next one; `most` stands for that and above. */
export function distanceOf(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) >= most) return most;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const changed = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : most;
      next.push(Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, changed, swapped));
    }
    before = last;
    last = next;
  }
  return Math.min(last[to.length] ?? most, most);
}

/** The known word that is most like a misspelt one, of several the one that is there most often; null where none is like it. */
export function nearestOf(word: string, known: ReadonlyMap<string, number>): string | null {
  if (word.length < 4 || /\d/.test(word)) return null;
  let nearest: string | null = null;
  let least = word.length < 6 ? 1 : 2;
  let most = 0;
  for (const [each, times] of known) {
    const distance = distanceOf(word, each, least + 1);
    if (distance > least || (distance === least && times <= most)) continue;
    nearest = each;
    least = distance;
    most = times;
  }
  return nearest;
}
