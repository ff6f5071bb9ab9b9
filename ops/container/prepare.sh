#!/bin/sh
# Makes what compose.yaml needs beside itself, where it is missing: .env and secrets/.
#   sh prepare.sh pay.example.com        a certificate by Let's Encrypt or ZeroSSL
#   sh prepare.sh 192.0.2.7 internal     one of Caddy's own authority, which browsers do not know
# What is there stays as it is, but for the version of the release in release/.
set -eu
cd "$(dirname "$0")"
umask 077

domain=${1:-}
case $domain in
  '' | *[!A-Za-z0-9.-]*)
    echo 'Usage: sh prepare.sh DOMAIN [internal]' >&2
    exit 1
    ;;
esac
tls=
if [ "${2:-}" = internal ]; then tls='tls internal'; fi

version=$(sed -n 's/^[0-9a-f]\{64\}  florin-\([0-9][0-9a-z.-]*\)\.tar\.gz$/\1/p' release/SHA256SUMS)
if [ -z "$version" ]; then
  echo 'release/SHA256SUMS names no release: put the files of one into release/.' >&2
  exit 1
fi

# Sets NAME=value in .env, in place of the line that has it.
setting() {
  sed "s|^$1=.*|$1=$2|" .env > .env.new
  cat .env.new > .env
  rm .env.new
}

if [ ! -e .env ]; then
  cat .env.example > .env
  setting FLORIN_DOMAIN "$domain"
  setting FLORIN_TLS "$tls"
fi
setting FLORIN_VERSION "$version"

random() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

# The folder is closed to other users. Its files are not, since each container reads them as a user of its own.
secret() {
  if [ ! -s "secrets/$1" ]; then printf '%s\n' "$2" > "secrets/$1"; fi
  chmod 0444 "secrets/$1"
}
mkdir -p secrets
secret postgres-password "$(random)"
secret migrate-database-url "postgres://florin:$(random)@database/florin"
secret database-url "postgres://florin_app:$(random)@database/florin"

# Caddy and PostgreSQL read these as users of their own.
chmod 0644 Caddyfile
chmod 0755 database.sh
