/** A text whose form depends on a number, by the categories of the language's plural rules. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** The values that a text needs: one for each `{name}` in it, and none where it has no placeholder. */
export type ValuesOf<Text, Value, Given = never> = [Exclude<Placeholder<Text>, Given>] extends [never]
  ? []
  : [values: Record<Exclude<Placeholder<Text>, Given>, Value>];

/** The parts of a text, with the values in place of their names. */
export function fill<Value>(text: string, values: Readonly<Record<string, Value>>): (string | Value)[] {
  return text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 1 ? (values[part] ?? part) : part));
}
