// An own list, written for Florin: the words that people put into passwords most, of English, German, Spanish, French and
// Portuguese, and of this trade. Longer common passwords are such words with digits and signs, so the patterns below find them.
const words = `
  abc access account admin administrator adminadmin alexander amanda amor andrea andrew angel anthony apple arsenal asdf
  ashley azerty babygirl bailey barcelona baseball basketball batman beautiful bienvenue bitcoin blink bonjour buster butterfly
  changeme charlie cheese chelsea chocolate chocolat chris computer cookie corvette crypto dallas daniel dashboard david default
  demo diamond doudou dragon elephant elizabeth estrella ethereum facebook family ferrari flower florin football forever freedom
  friend friends george ginger google guest hallo hannah hannover harley hello heslo hockey hunter iloveyou internet jasmine
  jennifer jessica jesus jordan joseph joshua justin justinbieber killer lakers letmein liverpool login loulou love loveme lovely
  maggie manchester marina market martin master matrix matthew maverick merchant mercedes metallica michael michelle minecraft
  money monkey monster mustang mynoob nicole ninja nothing operator owner pass passw passwort password passwords patrick payment
  peanut pepper phoenix pokemon prince princess princesa purple qazwsx querty qwer qwert qwerty qwertz rainbow ranger raiders
  robert root samantha samsung samurai schalke schatz secret secure security senha server shadow shop silver soccer softball
  sommer spiderman spring starwars steelers sterne summer sunshine superman support system sweet taylor teamo tequiero test
  tester testing thomas thunder tigger tiger tinkerbell trustno twitter unknown user username vanessa victoria wallet welcome
  whatever william willkommen winner winter autumn yankees yellow you your my me the
  januar january february march april may june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday montag
`
  .trim()
  .split(/\s+/);

/** Keys, letters and digits in orders that people type without thinking; each counts in both directions. */
const tracks = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  '1234567890-=',
  '!@#$%^&*()_+',
  '!"§$%&/()=',
  'qwertyuiop[]',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl;',
  'qsdfghjklm',
  'zxcvbnm,./',
  'yxcvbnm,.-',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1a2b3c4d5e6f7g8h9i',
  'a1b2c3d4e5f6g7h8i9',
].flatMap((track) => [track, [...track].reverse().join('')]);

/** The letters that people replace by a sign or digit. */
const writtenFor: Record<string, string> = {
  ...{ '@': 'a', '4': 'a', '3': 'e', '1': 'il', '!': 'il', '0': 'o', $: 's', '5': 's', '7': 't', '8': 'b' },
};

const shortestRun = 3;
const longestUnit = 8;
/** The most words of the list that a common password is made of. */
const mostWords = 2;
/** The most other digits and signs in a common password. */
const mostFillers = 6;

/**
 * Whether a password is among the first that somebody would try: something short repeated, digits alone, or at most two
 * words of the list and runs along a keyboard, the alphabet or the digits, with a few digits and signs.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  return isRepeated(text) || /^[\d .,:/+-]*$/.test(text) || isMadeOfCommonPieces(text);
}

/** `abcabcabcabc`, and `abcabcabcabca` too. */
function isRepeated(text: string): boolean {
  for (let unit = 1; unit <= longestUnit && unit * 2 <= text.length; unit++) {
    if (text.slice(unit) === text.slice(0, -unit)) return true;
  }
  return false;
}

/** The fewest fillers with which the text up to a place is made, by the number of words that are used. */
type Costs = number[];

function isMadeOfCommonPieces(text: string): boolean {
  const impossible: Costs = Array.from({ length: mostWords + 1 }, () => Number.POSITIVE_INFINITY);
  const costs: Costs[] = Array.from({ length: text.length + 1 }, () => [...impossible]);
  const step = (from: number, length: number, cost: { words: number; fillers: number }) => {
    const [here, there] = [costs[from] ?? impossible, costs[from + length]];
    for (let used = 0; there && used + cost.words <= mostWords; used++) {
      const fillers = (here[used] ?? Number.POSITIVE_INFINITY) + cost.fillers;
      const index = used + cost.words;
      there[index] = Math.min(there[index] ?? Number.POSITIVE_INFINITY, fillers);
    }
  };
  costs[0] = [0, ...impossible.slice(1)];
  for (let at = 0; at < text.length; at++) {
    if (Math.min(...(costs[at] ?? impossible)) > mostFillers) continue;
    for (const length of wordsAt(text, at)) step(at, length, { words: 1, fillers: 0 });
    for (let length = runAt(text, at); length >= shortestRun; length--) {
      step(at, length, { words: 0, fillers: 0 });
    }
    // Only digits and signs are fillers: a letter that belongs to no word or run makes the password uncommon.
    if (/[\x20-\x7e§]/.test(text.charAt(at)) && !/[a-z]/.test(text.charAt(at))) {
      step(at, 1, { words: 0, fillers: 1 });
    }
  }
  return Math.min(...(costs[text.length] ?? impossible)) <= mostFillers;
}

/** The lengths of the words of the list that begin there. */
function wordsAt(text: string, at: number): number[] {
  const isWritten = (letter: string, index: number) => {
    const sign = text.charAt(at + index);
    return sign === letter || (writtenFor[sign]?.includes(letter) ?? false);
  };
  return words.filter((word) => [...word].every(isWritten)).map(({ length }) => length);
}

/** The length of the longest run that begins there: one character repeated, or a part of a track. */
function runAt(text: string, at: number): number {
  let same = 1;
  while (at + same < text.length && text.charAt(at + same) === text.charAt(at)) same++;
  let longest = same;
  for (const track of tracks) {
    while (at + longest < text.length && track.includes(text.slice(at, at + longest + 1))) longest++;
  }
  return longest;
}
