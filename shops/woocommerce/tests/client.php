<?php

// The plug-in's calls of the API, each with an answer of a gateway: reads calls in JSON, one a line, and writes a result a line.

declare(strict_types=1);

namespace {
    final class WP_Error
    {
        public function get_error_message(): string
        {
            return 'no answer';
        }
    }

    /**
     * What WordPress does, as far as the plug-in asks for it.
     *
     * @param array<string, mixed> $request
     * @return array<string, mixed>|WP_Error
     */
    function wp_remote_request(string $url, array $request)
    {
        $lines = [];
        foreach ($request['headers'] as $name => $value) {
            $lines[] = $name . ': ' . $value;
        }
        $context = stream_context_create(['http' => [
            'method' => $request['method'],
            'header' => $lines,
            'content' => $request['body'] ?? '',
            'timeout' => $request['timeout'],
            'follow_location' => 0,
            'ignore_errors' => true,
        ]]);
        $body = @file_get_contents($url, false, $context);
        return $body === false ? new WP_Error() : ['body' => $body, 'code' => (int) explode(' ', $http_response_header[0])[1]];
    }

    function is_wp_error($value): bool
    {
        return $value instanceof WP_Error;
    }

    function wp_remote_retrieve_response_code(array $response): int
    {
        return $response['code'];
    }

    function wp_remote_retrieve_body(array $response): string
    {
        return $response['body'];
    }

    function wp_json_encode($value): string
    {
        return json_encode($value);
    }

    function __(string $text): string
    {
        return $text;
    }
}

namespace Florin\WooCommerce {
    final class Plugin
    {
        public static function version(): string
        {
            return 'test';
        }
    }

    require __DIR__ . '/../src/ApiError.php';
    require __DIR__ . '/../src/Api.php';

    while (($line = fgets(STDIN)) !== false) {
        $asked = json_decode($line, true);
        $api = new Api($asked['address'], $asked['key']);
        try {
            $result = ['data' => $api->{$asked['call']}(...$asked['arguments'])];
        } catch (ApiError $error) {
            $result = ['error' => $error->error, 'status' => $error->status, 'message' => $error->getMessage()];
        }
        echo json_encode($result), "\n";
    }
}
