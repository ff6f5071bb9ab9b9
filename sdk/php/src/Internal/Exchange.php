<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\FlorinException;

/**
 * One request and its whole answer, by curl.
 */
final class Exchange
{
    /**
     * Sends one request and reads its whole answer. Redirects are not followed.
     *
     * @param array{method: string, url: string, headers: list<string>, body: ?string} $request
     * @throws FlorinException `timeout` or `network_error`
     */
    public static function perform(array $request, float $timeoutSeconds): Answer
    {
        $headers = [];
        $curl = curl_init();
        curl_setopt_array($curl, self::optionsOf($request, $timeoutSeconds) + [
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$headers): int {
                if (strpos($line, 'HTTP/') === 0) {
                    // What came before was an interim answer.
                    $headers = [];
                }
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $headers[strtolower(trim($parts[0]))] = trim($parts[1]);
                }
                return strlen($line);
            },
        ]);
        $text = curl_exec($curl);
        if (!is_string($text)) {
            throw self::faultOf($request['url'], curl_errno($curl), $timeoutSeconds);
        }
        return new Answer((int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $headers, $text);
    }

    private static function optionsOf(array $request, float $timeoutSeconds): array
    {
        $milliseconds = max(1, (int) ceil($timeoutSeconds * 1000));
        $options = [
            CURLOPT_URL => $request['url'],
            CURLOPT_CUSTOMREQUEST => $request['method'],
            // Without `Expect`, which curl adds to larger bodies and many servers do not know.
            CURLOPT_HTTPHEADER => array_merge($request['headers'], ['Expect:']),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => $milliseconds,
            CURLOPT_CONNECTTIMEOUT_MS => $milliseconds,
        ];
        return $request['body'] === null ? $options : $options + [CURLOPT_POSTFIELDS => $request['body']];
    }

    private static function faultOf(string $url, int $errno, float $timeoutSeconds): FlorinException
    {
        $parts = parse_url($url);
        $origin = $parts['scheme'] . '://' . $parts['host'] . (isset($parts['port']) ? ':' . $parts['port'] : '');
        if ($errno === CURLE_OPERATION_TIMEDOUT) {
            $milliseconds = (int) round($timeoutSeconds * 1000);
            return new FlorinException("No answer from $origin within $milliseconds ms", ['slug' => 'timeout']);
        }
        $message = "Could not reach $origin, or its answer broke off";
        return new FlorinException($message, ['slug' => 'network_error']);
    }
}
