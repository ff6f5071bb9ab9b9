#!/bin/sh
# Puts Florin on a Debian or Ubuntu, with https by Caddy, and ends with its address and the link to set it up.
# docs/install.md says what it does. Nothing runs here that was not checked by the hashes of the release before.
set -eu

usage() {
  cat <<'END'
Usage: sh install.sh [DOMAIN] [options]

  DOMAIN           the name that leads to this machine, such as pay.example.com. Without it the address
                   of this machine is used, with a certificate that browsers do not know.
  --from FOLDER    a release that lies here; otherwise FLORIN_RELEASES is the https address of one
  --signers FILE   who may have signed the release, as ssh-keygen reads it, with
  --identity NAME  the name in that file
  --compose        in containers, with a PostgreSQL of their own, in place of the Debian package
  --internal       a certificate of Caddy's own authority, for a name that the public cannot reach
  --no-proxy       without Caddy: a proxy of yours passes requests on to 127.0.0.1:4000
  --dry-run        shows each command, and runs none
END
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

# Shows a command as it can be typed.
shown() {
  line=
  for word; do
    case $word in
      '' | *[!A-Za-z0-9_./:=@%+,-]*) word="'$(printf %s "$word" | sed "s/'/'\\\\''/g")'" ;;
    esac
    line="$line $word"
  done
  printf '+%s\n' "$line"
}

# Shows a command and runs it.
run() {
  shown "$@"
  if [ "$dry" = no ]; then "$@"; fi
}

# Writes standard input to a file.
write() {
  content=$(cat)
  say "+ write $1:"
  printf '%s\n' "$content" | sed 's/^/|   /'
  if [ "$dry" = no ]; then printf '%s\n' "$content" > "$1"; fi
}

# Sets NAME=value in a file of settings, in place of the line that has it.
setting() {
  say "+ set $2=$3 in $1"
  if [ "$dry" = yes ]; then return; fi
  changed=$(if grep -q "^$2=" "$1"; then sed "s|^$2=.*|$2=$3|" "$1"; else cat "$1" && say "$2=$3"; fi)
  printf '%s\n' "$changed" > "$1"
}

read_arguments() {
  domain='' from='' signers='' identity='' way=package internal=no proxy=yes dry=no
  while [ $# -gt 0 ]; do
    case $1 in
      --from | --signers | --identity)
        [ $# -gt 1 ] || fail "$1 needs a value."
        case $1 in --from) from=$2 ;; --signers) signers=$2 ;; --identity) identity=$2 ;; esac
        shift
        ;;
      --compose) way=compose ;;
      --internal) internal=yes ;;
      --no-proxy) proxy=no ;;
      --dry-run) dry=yes ;;
      -h | --help) usage && exit 0 ;;
      -*) fail "there is no option $1. See sh install.sh --help." ;;
      *)
        [ -z "$domain" ] || fail "only one domain can be given: $domain or $1."
        domain=$1
        ;;
    esac
    shift
  done
  if [ -n "$signers$identity" ] && { [ -z "$signers" ] || [ -z "$identity" ]; }; then
    fail '--signers and --identity go together.'
  fi
  if [ -n "$signers" ] && [ ! -r "$signers" ]; then fail "$signers cannot be read."; fi
  if [ "$way$proxy" = composeno ]; then fail '--compose brings Caddy: it has no --no-proxy.'; fi
}

# What this machine is: its distribution, its processor and its addresses.
look_around() {
  if [ "$dry" = no ] && [ "$(id -u)" != 0 ]; then fail 'only root can install: sudo sh install.sh …'; fi
  # shellcheck source=/dev/null
  . "${OS_RELEASE:-/etc/os-release}"
  case " $ID ${ID_LIKE:-} " in
    *' debian '* | *' ubuntu '*) ;;
    *) fail "this is ${PRETTY_NAME:-$ID}, and not Debian or Ubuntu. docs/install.md has other ways." ;;
  esac
  arch=$(dpkg --print-architecture)
  case $arch in
    amd64) cpu=x64 ;;
    arm64) cpu=arm64 ;;
    *) fail "there is no Florin for $arch: only for amd64 and arm64." ;;
  esac
  addresses=$(hostname -I 2> /dev/null || true)
  if [ -z "$domain" ]; then
    domain=${addresses%% *}
    [ -n "$domain" ] || fail 'this machine has no address yet: give a domain.'
  fi
  domain=$(printf %s "$domain" | tr '[:upper:]' '[:lower:]')
  case $domain in
    *[!a-z0-9.-]* | .* | -* | *. | *..*) fail "$domain is neither a domain nor an IPv4 address." ;;
  esac
  # Names and addresses for which no public authority makes a certificate.
  case $domain in
    *.local | *.lan | *.internal | *.test | *.localhost | *.home.arpa) internal=yes ;;
    *[!0-9.]*.*) ;;
    *) internal=yes ;;
  esac
}

# Says what will keep the certificate from coming, as far as it can be seen from here.
look_at_network() {
  taken=$(ss -Hltnp '( sport = :80 or sport = :443 )' 2> /dev/null | grep -v -e '"caddy"' -e '"docker-proxy"' || true)
  if [ "$proxy" = yes ] && [ -n "$taken" ] && [ "$dry" = no ]; then
    say "$taken"
    fail 'another program has port 80 or 443. End it, or use it as the proxy: --no-proxy.'
  fi
  if [ "$internal" = yes ] || [ "$proxy" = no ]; then return; fi
  leads=$(getent ahosts "$domain" | sed -n 's/ .*STREAM.*//p' | sort -u | tr '\n' ' ' || true)
  if [ -z "$leads" ]; then
    say "Note: $domain leads nowhere yet. Its certificate comes once its name leads to this machine."
    return
  fi
  for each in $leads; do
    case " $addresses " in *" $each "*) return ;; esac
  done
  say "Note: $domain leads to ${leads% }, and this machine has ${addresses% }. Behind a router or a load balancer that is right."
}

# Installs those of these packages that are missing.
packages() {
  missing=
  for name; do
    case $(dpkg-query --show --showformat '${db:Status-Status}' "$name" 2> /dev/null || true) in
      installed) ;;
      *) missing="$missing $name" ;;
    esac
  done
  if [ -z "$missing" ]; then return; fi
  run apt-get update
  # shellcheck disable=SC2086
  run apt-get install --yes --no-install-recommends $missing
}

# Brings a file of the release into $release.
bring() {
  if [ -n "$from" ]; then
    run cp "$from/$1" "$release/$1"
  else
    run curl --fail --silent --show-error --location --proto '=https' --output "$release/$1" "${FLORIN_RELEASES%/}/$1"
  fi
}

# The name in SHA256SUMS that fits a pattern; where nothing was brought, as it would be.
name_of() {
  if [ -z "$names" ]; then
    printf '%s' "$2"
    return
  fi
  found=$(sed -n "s/^[0-9a-f]\{64\}  \($1\)\$/\1/p" "$names/SHA256SUMS")
  case $found in
    '') fail "the release has no file for this machine: $2." ;;
    *'
'*) fail "the release has several files for this machine: $(printf %s "$found" | tr '\n' ' ')." ;;
  esac
  printf '%s' "$found"
}

# Brings the hashes of the release, and checks whose they are where that is asked for.
open_release() {
  if [ -z "$from" ] && [ -z "${FLORIN_RELEASES:-}" ]; then
    fail 'where is the release? Give --from FOLDER, or its https address as FLORIN_RELEASES.'
  fi
  packages ca-certificates curl ${signers:+openssh-client}
  # Files are copied before they are checked, so that nobody changes them in between. Without a run their names are read
  # where they lie.
  if [ "$dry" = yes ]; then
    release=/tmp/florin-release
    names=$from
  else
    release=$(mktemp -d)
    names=$release
    trap 'rm -rf "$release"' EXIT
    # apt reads packages as a user of its own.
    chmod 0755 "$release"
  fi
  bring SHA256SUMS
  if [ -n "$signers" ]; then
    bring SHA256SUMS.sig
    # shellcheck disable=SC2016
    run sh -c 'ssh-keygen -Y verify -f "$1" -I "$2" -n florin-release -s "$3.sig" < "$3"' sh \
      "$signers" "$identity" "$release/SHA256SUMS"
  else
    say 'Note: without --signers the hashes say that the files fit together, and not who made them.'
  fi
}

check_release() {
  # shellcheck disable=SC2016
  run sh -c 'cd "$1" && sha256sum --check --strict --quiet --ignore-missing SHA256SUMS' sh "$release"
}

caddyfile() {
  if [ "$internal" = yes ]; then tls='	tls internal
'; else tls=; fi
  cat <<END
# Written by Florin's install.sh, which writes it anew as long as this line is there.
{
	default_sni $domain
	skip_install_trust
	# Domains of merchants: a certificate only for one that was proved in the dashboard.
	on_demand_tls {
		ask http://127.0.0.1:4000/certificates/allowed
	}
}

$domain {
${tls}	reverse_proxy 127.0.0.1:4000
}

https:// {
	tls {
		on_demand
	}
	reverse_proxy 127.0.0.1:4000
}
END
}

# Caddy's settings, unless somebody has changed them by hand.
set_up_caddy() {
  file=/etc/caddy/Caddyfile
  if [ "$dry" = no ] && ! grep -q "^# Written by Florin's install.sh" "$file" 2> /dev/null; then
    if dpkg --verify caddy | grep -q " $file\$"; then
      caddyfile | write /etc/florin/Caddyfile
      say "Note: $file was changed by hand and is left as it is. Put the lines of /etc/florin/Caddyfile into it, then: systemctl reload caddy"
      proxy=no
      return
    fi
  fi
  caddyfile | write "$file"
}

install_package() {
  was=$(dpkg-query --show --showformat '${db:Status-Status} ${Version}' florin 2> /dev/null || true)
  deb=$(name_of "florin_[0-9][0-9a-z.+~-]*_$arch\.deb" "florin_VERSION_$arch.deb")
  version=${deb#florin_}
  version=${version%_"$arch".deb}
  case $was in
    '' | config-files* | not-installed* | "installed $version") ;;
    *) fail "Florin ${was#installed } is installed here. docs/upgrades.md says how it becomes $version, with a way back." ;;
  esac
  bring "$deb"
  check_release
  if [ "$proxy" = yes ]; then packages caddy; fi
  run apt-get install --yes --no-install-recommends "$release/$deb"
  setting /etc/florin/florin.env BASE_URL "https://$domain"
  setting /etc/florin/florin.env TRUST_PROXY 1
  if [ "$proxy" = yes ]; then set_up_caddy; fi
  if [ ! -d "${SYSTEMD:-/run/systemd/system}" ]; then
    say 'Note: systemd does not run here. Start it by: florin start'
    exit 0
  fi
  run systemctl enable --quiet florin
  run systemctl restart florin
  if [ "$proxy" = yes ]; then
    run systemctl enable --quiet caddy
    run systemctl reload-or-restart caddy
  fi
}

# The command of compose that this machine has.
find_compose() {
  if docker compose version > /dev/null 2>&1; then
    compose='docker compose'
  elif docker-compose version > /dev/null 2>&1; then
    compose=docker-compose
  else
    compose=
  fi
}

install_compose() {
  find_compose
  if [ -z "$compose" ]; then
    run apt-get update
    for plugin in docker-compose-v2 docker-compose-plugin docker-compose; do
      if apt-cache show "$plugin" > /dev/null 2>&1; then break; fi
    done
    run apt-get install --yes --no-install-recommends docker.io "$plugin"
    find_compose
    if [ "$dry" = yes ]; then compose='docker compose'; fi
    [ -n "$compose" ] || fail "$plugin has brought no compose."
  fi
  source=$(name_of 'florin-[0-9][0-9a-z.-]*\.tar\.gz' florin-VERSION.tar.gz)
  program=$(name_of "florin-program-[0-9][0-9a-z.-]*-linux-$cpu\.tar\.gz" "florin-program-VERSION-linux-$cpu.tar.gz")
  for file in "$source" "$program" Containerfile; do bring "$file"; done
  check_release
  version=${source#florin-}
  version=${version%.tar.gz}
  run mkdir -p /opt/florin
  run cd /opt/florin
  was=$(sed -n 's/^FLORIN_VERSION=//p' /opt/florin/.env 2> /dev/null || true)
  if [ -n "$was" ] && [ "$was" != "$version" ]; then
    # The way back from another version.
    # shellcheck disable=SC2086
    run $compose exec -T florin florin backup "/var/lib/florin/before-$version.backup"
  fi
  run rm -rf release
  run mkdir release
  run cp "$release/SHA256SUMS" "$release/$program" "$release/Containerfile" release
  run tar -xzf "$release/$source" --strip-components 3 --no-same-owner "${source%.tar.gz}/ops/container"
  if [ "$internal" = yes ]; then run sh prepare.sh "$domain" internal; else run sh prepare.sh "$domain"; fi
  # shellcheck disable=SC2086
  run $compose up --detach --build
}

# Waits for https, without asking a name server: a router may not lead back to this machine.
await_https() {
  if [ "$proxy" = no ]; then return; fi
  insecure=
  if [ "$internal" = yes ]; then insecure=--insecure; fi
  # shellcheck disable=SC2086
  shown curl --silent --fail $insecure --resolve "$domain:443:127.0.0.1" "https://$domain/ready"
  if [ "$dry" = yes ]; then return; fi
  tries=0
  # shellcheck disable=SC2086
  until curl --silent --fail $insecure --max-time 5 --output /dev/null \
    --resolve "$domain:443:127.0.0.1" "https://$domain/ready"; do
    tries=$((tries + 1))
    if [ "$tries" -ge 120 ]; then
      if [ "$way" = package ]; then log='journalctl -u caddy -u florin'; else log="$compose logs caddy florin"; fi
      say "https://$domain does not answer yet. The log says why: $log"
      answers=no
      return
    fi
    sleep 1
  done
}

finish() {
  if [ "$way" = package ]; then
    set -- florin setup-link
  else
    # shellcheck disable=SC2086
    set -- $compose exec -T florin florin setup-link
  fi
  shown "$@"
  if [ "$dry" = yes ]; then
    say "Florin would be at https://$domain"
    exit 0
  fi
  say ''
  say "Florin is at https://$domain"
  # It prints no link where somebody has set it up already.
  "$@" || true
  [ "$answers" = yes ]
}

answers=yes
read_arguments "$@"
look_around
look_at_network
open_release
if [ "$way" = package ]; then install_package; else install_compose; fi
await_https
finish
