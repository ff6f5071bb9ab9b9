<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\FlorinException;

/**
 * Reads the gateway's envelope.
 */
final class Envelope
{
    /**
     * Takes `data` out of the gateway's envelope.
     *
     * @return mixed
     * @throws FlorinException for every status but 2xx, and for an answer that is not the gateway's
     */
    public static function read(Answer $answer)
    {
        $value = Json::read($answer->text);
        $envelope = is_array($value) && array_key_exists('message', $value) ? $value : null;
        $isOk = $answer->status >= 200 && $answer->status < 300;
        if ($isOk && $envelope !== null) {
            return $envelope['data'] ?? null;
        }
        $text = $answer->text;
        // A connection that closes early can end a body without an error.
        if ($isOk && ($text === '' || ($text[0] === '{' && substr(rtrim($text), -1) !== '}'))) {
            throw new FlorinException('The answer broke off', ['slug' => 'network_error']);
        }
        throw self::refusal($answer, $envelope ?? [], $isOk);
    }

    private static function refusal(Answer $answer, array $envelope, bool $isOk): FlorinException
    {
        $fields = [
            'status' => $answer->status,
            'requestId' => self::text($envelope['request_id'] ?? null) ?? $answer->headers['x-request-id'] ?? null,
            'retryAfterSeconds' => self::retryAfter($answer->headers['retry-after'] ?? null),
        ];
        $message = self::text($envelope['message'] ?? null);
        if ($message === null || $isOk) {
            $foreign = "The address answered $answer->status but not as a Florin gateway does: check base_url";
            return new FlorinException($foreign, $fields + ['slug' => 'unexpected_response']);
        }
        $code = $envelope['code'] ?? null;
        $details = $envelope['details'] ?? null;
        return new FlorinException($message, $fields + [
            'code' => is_int($code) ? $code : 0,
            'slug' => self::text($envelope['error'] ?? null) ?? 'unknown',
            'details' => is_array($details) ? $details : [],
        ]);
    }

    /** @param mixed $value */
    private static function text($value): ?string
    {
        return is_string($value) ? $value : null;
    }

    /** Retry-After is either a number of seconds or an HTTP date (RFC 9110, 10.2.3). */
    private static function retryAfter(?string $value): ?int
    {
        if ($value === null) {
            return null;
        }
        if (preg_match('/\A[0-9]+\z/', $value) === 1) {
            return (int) $value;
        }
        $at = strtotime($value);
        return $at === false ? null : max(0, $at - time());
    }
}
