#!/bin/sh
# Makes the two roles of Florin and its database, when the volume of PostgreSQL is new: the image runs what lies in
# /docker-entrypoint-initdb.d. docs/operations.md says what each role may do.
set -eu

secrets=${FLORIN_SECRETS:-/run/secrets}

# The password in an address as prepare.sh writes it: hexadecimal, so that it needs no quoting.
password() {
  sed -n 's|^postgres://[a-z_]*:\([0-9a-f]\{32,\}\)@.*$|\1|p' "$secrets/$1"
}

owner=$(password migrate-database-url)
serving=$(password database-url)
if [ -z "$owner" ] || [ -z "$serving" ]; then
  echo "There is no password in $secrets/migrate-database-url or database-url: run prepare.sh." >&2
  exit 1
fi

psql --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<SQL
CREATE ROLE florin LOGIN PASSWORD '$owner';
CREATE ROLE florin_app LOGIN PASSWORD '$serving';
CREATE DATABASE florin OWNER florin;
SQL
