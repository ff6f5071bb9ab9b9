import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  [['a', null, 'b'], 'a,,b'],
  [['one, two', 'say "yes"', 'a\nb'], '"one, two","say ""yes""","a\nb"'],
  [['-12.5', '0.000001', '-0'], '-12.5,0.000001,-0'],
  [['\n=1+1', '＝1+1', '＋31', '－a', '＠x'], "\"'\n=1+1\",'＝1+1,'＋31,'－a,'＠x"],
  [['=1+1', '+31', '-a', '@x', '\tx'], "'=1+1,'+31,'-a,'@x,'\tx"],
])('%j is the line %s', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});
