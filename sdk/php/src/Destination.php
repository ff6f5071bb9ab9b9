<?php

declare(strict_types=1);

namespace Florin;

use Florin\Internal\Keccak;

/**
 * Computes the addresses of payments, and verifies those that were answered (contract.md#direct).
 *
 * @phpstan-type Agreed array{merchant: string, host: string, basis_points: int}|array{treasury: string}
 */
final class Destination
{
    // Florin's contracts that make addresses, the same on every chain, and the hashes of what they deploy (docs/contracts.md).
    // Nothing of it is taken from an answer.
    private const DEPOSITS = [
        '2158bc18268f69579527b7ee9781262ef8874155',
        'c9233e36fb90bdde9483034100e663235c917969b23760331c3cc40645e512b7',
    ];
    private const SPLITTERS = [
        '90df07a377585af9bf39438afd57c720a73535b5',
        '9596d81464e6d10ca592e6f18e01395efa40b4356ef003aeee999358a215de30',
    ];

    /**
     * The address of a payment (`PaymentData.id`) on every EVM chain, with its checksum. It is computed from what you agreed
     * on alone (docs/direct-settlement.md): your own address, the host's and its part (0 to 9999), or the host's treasury.
     *
     * @param Agreed $agreed
     * @throws DestinationException `bad_terms`
     */
    public static function address(string $paymentId, array $agreed): string
    {
        $digits = preg_replace('/\A(.{8})-(.{4})-(.{4})-(.{4})-/', '$1$2$3$4', strtolower($paymentId));
        if (preg_match('/\A[0-9a-f]{32}\z/', (string) $digits) !== 1) {
            throw new DestinationException('bad_terms', 'The payment id is not the id of a payment');
        }
        return self::checksummed(self::made(self::DEPOSITS, [self::goal($agreed), (string) $digits]));
    }

    /**
     * Verifies that money sent to an address of a payment can go nowhere but where you agreed with the host. The address is
     * computed anew. Of the answer nothing is believed: its other fields only tell what differs.
     *
     * @param string $paymentId `PaymentData.id`
     * @param array<string, mixed> $destination one of the `items` of `payments->destinations`, or `['address' => ...]` as a page shows it
     * @param Agreed $agreed what you know, and not what the gateway answers
     * @return true
     * @throws DestinationException when it is another address: do not send the customer to it
     */
    public static function verify(string $paymentId, array $destination, array $agreed): bool
    {
        $expected = self::address($paymentId, $agreed);
        $given = $destination['address'] ?? '';
        if (self::isSame($given, $expected)) {
            return true;
        }
        foreach (self::parts($agreed, $destination) as [$reason, $name, $one, $other]) {
            if ($other !== null && !self::isSame($one, $other)) {
                throw new DestinationException($reason, "The $name should be $one and is $other");
            }
        }
        throw new DestinationException('other_address', "The address should be $expected and is $given");
    }

    /**
     * The four words that the payment's page shows beside the address, made of what you know: show them on your own page, so
     * that customers can compare (docs/direct-settlement.md). They are the first 64 bits of what the gateway signs (EIP-712),
     * the deadline as 0.
     *
     * @param Agreed $agreed
     * @param array{chain_id: int, asset: string, amount: string, reference: string} $request `amount`: all that is due, `amount_due` of `payments->get`
     * @throws DestinationException `bad_terms`
     */
    public static function words(string $paymentId, array $agreed, array $request): string
    {
        if (preg_match('/\A0*([0-9]+)(?:\.([0-9]*?)0*)?\z/', $request['amount'], $match) !== 1) {
            throw new DestinationException('bad_terms', 'amount is not a decimal');
        }
        $decimal = $match[1] . (($match[2] ?? '') === '' ? '' : ".$match[2]");
        $type = 'PaymentRequest(address to,string asset,string amount,string reference,uint256 deadline)';
        $digits = self::textHash($type) . self::word(strtolower(substr(self::address($paymentId, $agreed), 2)));
        foreach ([$request['asset'], $decimal, $request['reference']] as $text) {
            $digits .= self::textHash($text);
        }
        $domain = '';
        foreach (['EIP712Domain(string name,string version,uint256 chainId)', 'Florin payment request', '1'] as $text) {
            $domain .= self::textHash($text);
        }
        $domain = self::keccak($domain . self::word(dechex($request['chain_id'])));
        $digest = self::keccak('1901' . $domain . self::keccak($digits . self::word('')));
        return implode(' ', array_map([self::class, 'proquint'], str_split(substr($digest, 0, 16), 4)));
    }

    private static function textHash(string $text): string
    {
        return bin2hex(Keccak::hash($text));
    }

    private static function word(string $digits): string
    {
        return str_pad($digits, 64, '0', STR_PAD_LEFT);
    }

    /** 16 bits as a word that can be spoken. */
    private static function proquint(string $digits): string
    {
        $bits = (int) hexdec($digits);
        $consonants = 'bdfghjklmnprstvz';
        $vowels = 'aiou';
        return $consonants[$bits >> 12] . $vowels[$bits >> 10 & 3] . $consonants[$bits >> 6 & 15]
            . $vowels[$bits >> 4 & 3] . $consonants[$bits & 15];
    }

    /**
     * Each reason, with what was agreed on and what was answered.
     *
     * @return list<array{string, string, mixed, mixed}>
     */
    private static function parts(array $agreed, array $answer): array
    {
        $settlement = $answer['settlement'] ?? null;
        if (array_key_exists('treasury', $agreed)) {
            return [
                ['other_settlement', 'settlement', 'balance', $settlement],
                ['other_treasury', 'treasury', $agreed['treasury'], $answer['destination'] ?? null],
            ];
        }
        return [
            ['other_settlement', 'settlement', 'direct', $settlement],
            ['other_merchant', 'merchant', $agreed['merchant'], $answer['merchant'] ?? null],
            ['other_host', 'host', $agreed['host'], $answer['host'] ?? null],
            ['other_basis_points', 'basis points', $agreed['basis_points'], $answer['basis_points'] ?? null],
        ];
    }

    /**
     * @param mixed $one
     * @param mixed $other
     */
    private static function isSame($one, $other): bool
    {
        return strtolower((string) $one) === strtolower((string) $other);
    }

    /** CREATE2 (EIP-1014), with the hash of the words as its salt. */
    private static function made(array $factory, array $words): string
    {
        [$address, $codeHash] = $factory;
        $salt = '';
        foreach ($words as $word) {
            $salt .= self::word($word);
        }
        return substr(self::keccak('ff' . $address . self::keccak($salt) . $codeHash), 24);
    }

    private static function keccak(string $digits): string
    {
        return bin2hex(Keccak::hash((string) hex2bin($digits)));
    }

    /** Where the money of the address goes: the splitter or the treasury. */
    private static function goal(array $agreed): string
    {
        if (array_key_exists('treasury', $agreed)) {
            return self::readAddress($agreed['treasury'], 'treasury');
        }
        $points = $agreed['basis_points'] ?? null;
        if (!is_int($points) || $points < 0 || $points > 9999) {
            throw new DestinationException('bad_terms', 'basis_points must be from 0 to 9999');
        }
        $merchant = self::readAddress($agreed['merchant'] ?? null, 'merchant');
        $host = self::readAddress($agreed['host'] ?? null, 'host');
        return self::made(self::SPLITTERS, [$merchant, $host, dechex($points)]);
    }

    /** @param mixed $text */
    private static function readAddress($text, string $name): string
    {
        $isAddress = is_string($text) && preg_match('/\A0x([0-9a-fA-F]{40})\z/', $text, $match) === 1;
        if (!$isAddress || trim($match[1], '0') === '') {
            throw new DestinationException('bad_terms', "$name is not an address");
        }
        $lower = strtolower($match[1]);
        $isMixed = $match[1] !== $lower && $match[1] !== strtoupper($match[1]);
        if ($isMixed && self::checksummed($lower) !== $text) {
            $message = "$name has a wrong checksum";
            throw new DestinationException('bad_terms', $message);
        }
        return $lower;
    }

    /** The mixed case that wallets check (EIP-55). */
    private static function checksummed(string $digits): string
    {
        $digest = bin2hex(Keccak::hash($digits));
        for ($at = 0; $at < 40; $at++) {
            if ($digest[$at] >= '8') {
                $digits[$at] = strtoupper($digits[$at]);
            }
        }
        return "0x$digits";
    }
}
