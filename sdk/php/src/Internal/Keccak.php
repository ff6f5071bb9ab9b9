<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * Keccak-256 as chains of the EVM use it: Keccak before the padding of SHA-3 was changed, which hash() alone has. It
 * needs integers of 64 bits.
 *
 * @internal
 */
final class Keccak
{
    private const RATE = 136;

    /** @var list<int> */
    private static array $constants = [];

    /** The hash of the bytes, 32 bytes. */
    public static function hash(string $data): string
    {
        if (PHP_INT_SIZE < 8) {
            throw new \RuntimeException('Addresses can be computed only where PHP has integers of 64 bits');
        }
        $padded = $data . "\x01" . str_repeat("\0", self::RATE - 1 - strlen($data) % self::RATE);
        $last = strlen($padded) - 1;
        $padded[$last] = chr(ord($padded[$last]) | 0x80);
        $state = array_fill(0, 25, 0);
        foreach (str_split($padded, self::RATE) as $block) {
            foreach (array_values(unpack('P*', $block)) as $at => $word) {
                $state[$at] ^= $word;
            }
            foreach (self::constants() as $constant) {
                $state = self::permute($state, $constant);
            }
        }
        return pack('P4', ...array_slice($state, 0, 4));
    }

    /**
     * They are of a shift register of 8 bits.
     *
     * @return list<int>
     */
    private static function constants(): array
    {
        $register = 1;
        while (count(self::$constants) < 24) {
            $constant = 0;
            for ($bit = 0; $bit < 7; $bit++) {
                if (($register & 1) === 1) {
                    $constant |= 1 << ((1 << $bit) - 1);
                }
                $register <<= 1;
                if (($register & 0x100) !== 0) {
                    $register ^= 0x171;
                }
            }
            self::$constants[] = $constant;
        }
        return self::$constants;
    }

    private static function turnLeft(int $word, int $by): int
    {
        // A shift to the right brings the sign in from the left: the mask takes it away.
        return $by === 0 ? $word : ($word << $by) | (($word >> (64 - $by)) & ((1 << $by) - 1));
    }

    /**
     * @param list<int> $state
     * @return list<int>
     */
    private static function permute(array $state, int $constant): array
    {
        $columns = [0, 0, 0, 0, 0];
        foreach ($state as $place => $word) {
            $columns[$place % 5] ^= $word;
        }
        for ($place = 0; $place < 25; $place++) {
            $state[$place] ^= $columns[($place + 4) % 5] ^ self::turnLeft($columns[($place + 1) % 5], 1);
        }
        [$x, $y, $moved] = [1, 0, $state[1]];
        for ($step = 0; $step < 24; $step++) {
            [$x, $y] = [$y, (2 * $x + 3 * $y) % 5];
            $place = $x + 5 * $y;
            $next = $state[$place];
            $state[$place] = self::turnLeft($moved, intdiv(($step + 1) * ($step + 2), 2) % 64);
            $moved = $next;
        }
        for ($row = 0; $row < 25; $row += 5) {
            $words = array_slice($state, $row, 5);
            for ($each = 0; $each < 5; $each++) {
                $state[$row + $each] = $words[$each] ^ (~$words[($each + 1) % 5] & $words[($each + 2) % 5]);
            }
        }
        $state[0] ^= $constant;
        return $state;
    }
}
