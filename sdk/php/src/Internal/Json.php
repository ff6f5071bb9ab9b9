<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * JSON whose numbers are sent from texts: a float may not have the digits that were meant.
 */
final class Json
{
    private const TEXT = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_LINE_TERMINATORS;
    private const NUMBER = '/\A-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?\z/';

    /**
     * Reads JSON, objects as arrays; null for what is none.
     *
     * @return mixed
     */
    public static function read(string $text)
    {
        return json_decode($text, true, 512, JSON_BIGINT_AS_STRING | JSON_INVALID_UTF8_SUBSTITUTE);
    }

    /**
     * Writes JSON. A text at one of the paths `$numbers`, such as `items[].price`, is written as the number that it is.
     *
     * @param mixed $value
     * @param list<string> $numbers
     * @throws \InvalidArgumentException for a float, and for what JSON does not have
     */
    public static function write($value, array $numbers = [], string $path = ''): string
    {
        if (is_string($value)) {
            $isNumber = in_array($path, $numbers, true) && preg_match(self::NUMBER, $value) === 1;
            return $isNumber ? $value : self::text($value);
        }
        if (is_int($value) || is_bool($value) || $value === null) {
            return json_encode($value);
        }
        if (is_float($value)) {
            throw new \InvalidArgumentException("$path: a float is not exact, pass a text such as '25.50'");
        }
        if (!is_array($value)) {
            throw new \InvalidArgumentException("$path: a value of this type cannot be sent");
        }
        // A body without fields is an object; a list in it may be empty.
        if ($path !== '' && $value === array_values($value)) {
            $items = array_map(static function ($each) use ($numbers, $path) {
                return self::write($each, $numbers, $path . '[]');
            }, $value);
            return '[' . implode(',', $items) . ']';
        }
        $members = [];
        foreach ($value as $name => $each) {
            $inner = $path === '' ? (string) $name : "$path.$name";
            $members[] = self::text((string) $name) . ':' . self::write($each, $numbers, $inner);
        }
        return '{' . implode(',', $members) . '}';
    }

    /** A text as JSON has it, without needless escapes. */
    public static function text(string $value): string
    {
        $text = json_encode($value, self::TEXT);
        if ($text === false) {
            throw new \InvalidArgumentException('A text is not UTF-8');
        }
        return $text;
    }
}
