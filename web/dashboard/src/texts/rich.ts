import { createElement, Fragment, type ReactNode } from 'react';
import { fill, type ValuesOf } from './fill.ts';
import { translated } from './t.ts';

/** Like `t`, for a text whose values are elements of the page. */
export function rich<const Text extends string>(
  english: Text,
  ...[values]: ValuesOf<Text, ReactNode>
): ReactNode {
  return createElement(Fragment, null, ...fill<ReactNode>(translated(english), values ?? {}));
}
