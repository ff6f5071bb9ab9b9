<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\WebhookVerificationException;

/**
 * The likeliest cause of a wrong signature.
 */
final class Explanation
{
    /**
     * The order in which the gateway writes the fields of each event: a receiver that serialises a map may have sorted
     * them. `PRICED` and `SHORT` stand between the others.
     */
    private const FIRST =
        'event_id,payment_id,currency,payout_id,payout_reference,purpose,asset,amount,payment_reference,' .
        'payment_status,service_fee,customer_email,customer_reference,fee,to,memo,payout_status,transaction,' .
        'integration_id,event_type,timestamp';
    private const PRICED = 'paid_asset,paid_amount,paid_fee,rate,short';
    private const SHORT = 'short,paid_amount';
    private const LAST = 'refund_id,refund_asset,refund_amount,endpoint_id,url,reason,failing_since';

    /**
     * Tries what receivers are known to do to a body. It never makes a webhook valid: it only finds the message, which
     * holds nothing of a secret.
     */
    public static function of(Signature $wrong, ?Signature $right, string $body): WebhookVerificationException
    {
        [$header, $option] = [$wrong->header, $wrong->option];
        if ($right !== null) {
            $cause = "the body is genuine, and $option is an old one or of another integration, mode or endpoint";
            $message = "$right->header fits the body and $header does not: $cause";
            return new WebhookVerificationException('wrong_signature', $message);
        }
        if ($wrong->isOneOf(array_merge(...array_map([self::class, 'otherSpellings'], $wrong->sign($body))))) {
            $message = "$header is right but not in standard base64: something changed it on its way";
            return new WebhookVerificationException('wrong_signature', $message);
        }
        foreach (self::alterations($body) as [$original, $reason, $message]) {
            if ($original !== null && $wrong->fits($original)) {
                return new WebhookVerificationException($reason, $message);
            }
        }
        $advice = "check that $option belongs to this integration and mode, and that the body is the raw one";
        return new WebhookVerificationException('wrong_signature', "$header does not fit the body: $advice");
    }

    /**
     * Base64url, and hexadecimal in both cases.
     *
     * @return list<string>
     */
    private static function otherSpellings(string $signature): array
    {
        $hex = bin2hex(base64_decode($signature));
        $url = strtr($signature, '+/', '-_');
        return [$hex, strtoupper($hex), $url, rtrim($url, '=')];
    }

    /** @return list<array{?string, string, string}> what the body may have been, the reason, and what to do */
    private static function alterations(string $body): array
    {
        $text = WebhookParts::text($body);
        return [
            [
                self::serialisedAgain($text),
                'body_parsed',
                'The body was parsed before verification and written as JSON again, which changed its bytes: ' .
                'verify the raw body, and parse it afterwards',
            ],
            [
                WebhookSecrets::fromBase64($text),
                'body_decoded',
                'The body is still base64, as some serverless platforms hand it over: decode it first',
            ],
            [
                self::latin1($text),
                'body_decoded',
                'The body was decoded as Latin-1, but is UTF-8: pass the raw bytes',
            ],
        ];
    }

    private static function serialisedAgain(string $text): ?string
    {
        $event = json_decode($text, false, 512, JSON_INVALID_UTF8_SUBSTITUTE);
        if (!is_object($event)) {
            return null;
        }
        $paid = property_exists($event, 'paid_asset') ? self::PRICED : self::SHORT;
        return self::write($event, explode(',', self::FIRST . ",$paid," . self::LAST));
    }

    /**
     * JSON as the gateway writes it.
     *
     * @param mixed $value
     * @param list<string> $fields
     */
    private static function write($value, array $fields): string
    {
        if (is_object($value)) {
            $members = [];
            foreach ($fields as $name) {
                if (property_exists($value, $name)) {
                    $members[] = "\"$name\":" . self::write($value->$name, $fields);
                }
            }
            return '{' . implode(',', $members) . '}';
        }
        if (is_array($value)) {
            $items = array_map(static function ($each) use ($fields): string {
                return self::write($each, $fields);
            }, $value);
            return '[' . implode(',', $items) . ']';
        }
        if (is_int($value) || is_float($value)) {
            return self::number((float) $value);
        }
        return is_string($value) ? Json::text($value) : json_encode($value);
    }

    /** A number as ECMAScript writes it. */
    private static function number(float $value): string
    {
        if ($value == 0 || is_infinite($value)) {
            return $value == 0 ? '0' : 'null';
        }
        $sign = $value < 0 ? '-' : '';
        $shortest = '';
        for ($precision = 0; $precision < 17 && (float) $shortest !== abs($value); $precision++) {
            $shortest = sprintf("%.{$precision}e", abs($value));
        }
        [$mantissa, $exponent] = explode('e', $shortest);
        $digits = rtrim(str_replace('.', '', $mantissa), '0');
        $length = strlen($digits);
        $point = (int) $exponent + 1;
        if ($length <= $point && $point <= 21) {
            return $sign . str_pad($digits, $point, '0');
        }
        if ($point > 0 && $point <= 21) {
            return $sign . substr($digits, 0, $point) . '.' . substr($digits, $point);
        }
        if ($point > -6 && $point <= 0) {
            return $sign . '0.' . str_repeat('0', -$point) . $digits;
        }
        $fraction = $length > 1 ? '.' . substr($digits, 1) : '';
        return sprintf('%s%s%se%+d', $sign, $digits[0], $fraction, $point - 1);
    }

    private static function latin1(string $text): ?string
    {
        // Whatever is above U+00FF begins with a byte above C3.
        if (preg_match('//u', $text) !== 1 || preg_match('/[\xC4-\xFF]/', $text) === 1) {
            return null;
        }
        return preg_replace_callback('/([\xC2\xC3])([\x80-\xBF])/', static function (array $match): string {
            return chr((ord($match[1]) & 0x03) << 6 | ord($match[2]) & 0x3F);
        }, $text);
    }
}
