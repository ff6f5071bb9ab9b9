<?php

// Loads the classes of this folder where Composer does not.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (strpos($class, 'Florin\\') !== 0) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Florin\\'))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
