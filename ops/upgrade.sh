#!/bin/sh
# Installs a release of Whoflake next to the current one, and switches to it.
#
#   upgrade.sh                 to the newest version
#   upgrade.sh <name>          to a version, a branch or a commit
#   upgrade.sh <tarball>       to a published whoflake-<version>-<platform>.tar.gz that lies next to its SHA256SUMS;
#                              needs neither a clone nor Node
#   upgrade.sh --backup <file> [<name> or <tarball>]
#                              the same without a trial on a copy, after a backup that you made yourself; with
#                              PostgreSQL it is this, or --no-backup if you have one elsewhere
#   upgrade.sh --rollback      back to the previous release
#   upgrade.sh --rollback --with-database
#                              the same, with the database as it was before the upgrade
#
# The current release is not touched until the new one is built and has been tried on a copy of the database. If the new one
# does not become ready, the old one comes back. Of several nodes it upgrades the one that it runs on. Run it as root,
# which then also builds: see "Upgrade" in docs/operations.md for what that means, and for WHOFLAKE_VERIFY.
set -eu
umask 022
here=$PWD
cd /

home=${WHOFLAKE_HOME:-/opt/whoflake}
user=${WHOFLAKE_USER:-whoflake}
backups=${WHOFLAKE_BACKUPS:-/var/backups/whoflake}
units=${WHOFLAKE_UNITS:-/etc/systemd/system}
# yes: only a version or commit with a signature that git trusts.
verify=${WHOFLAKE_VERIFY:-no}
# How many releases are kept, the current one included.
keep=${WHOFLAKE_KEEP:-3}
# How many seconds a release gets to become ready.
patience=${WHOFLAKE_PATIENCE:-60}

source=$home/source
releases=$home/releases
# A release may bring its own Node.
PATH=$home/current/bin:$PATH
export PATH
part=
# What to return to if this script ends now: the name of a release, and the backup that it can read.
fallback=
backup=
# The backup that the operator has made.
given=
# What is left to do if the database cannot be put back.
advice=

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

usage() { fail "usage: upgrade.sh [--backup <file> or --no-backup] [<version, branch, commit or tarball>], or upgrade.sh --rollback [--with-database]"; }

# whole <path>: the absolute path, relative to where the script was called.
whole() { case $1 in /*) say "$1" ;; *) say "$here/$1" ;; esac }

as_user() {
  if [ "$(id -un)" = "$user" ]; then "$@"; else runuser -u "$user" -- "$@"; fi
}

# ops <release> <command>…: the operator's commands of that release.
ops() {
  program=$releases/$1/bin/ops
  shift
  as_user "${program%ops}node" -- "$program" "$@"
}

# field <path>: a field of the JSON on standard input, such as server.ready; empty if there is none.
field() {
  node -e '
    const whole = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    console.log(process.argv[1].split(".").reduce((part, name) => part?.[name], whole) ?? "");
  ' "$1"
}

current() { basename "$(readlink "$home/current")"; }
note_of() { cat "$releases/$1/.$2" 2>/dev/null || true; }

# Installs the units of a release that is about to run, except those that the operator has changed.
take_units() {
  for unit in "$releases/$1"/ops/*.service; do
    installed=$units/${unit##*/}
    if [ ! -f "$installed" ] || cmp -s "$unit" "$installed"; then continue; fi
    if cmp -s "$releases/$2/ops/${unit##*/}" "$installed"; then
      cp "$unit" "$installed"
    else
      say "$installed was changed by hand and is kept: compare it with $unit."
    fi
  done
}

# Atomic: there is no moment without a release.
point_to() {
  if [ -e "$home/current" ]; then take_units "$1" "$(current)"; fi
  ln -sfn "releases/$1" "$home/current.new"
  mv -fT "$home/current.new" "$home/current"
}

runs_still() { [ "$(systemctl show --property=MainPID --value whoflake)" = "$process" ]; }

# Whether the release that `current` points to becomes ready, and is still the same process a little later.
start() {
  systemctl daemon-reload
  systemctl restart whoflake || return 1
  process=$(systemctl show --property=MainPID --value whoflake)
  end=$(($(date +%s) + patience))
  until [ "$(ops "$(current)" status --json | field server.ready 2>/dev/null)" = true ]; do
    runs_still || return 1
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 1
  done
  sleep 3
  runs_still
}

# Whether a release can read the database as it is. 75: a newer one has changed it.
can_read() {
  code=0
  ops "$1" migrate >/dev/null 2>&1 || code=$?
  [ "$code" -ne 75 ]
}

# put_back <release> <backup>: with all servers stopped. What is there is set aside, not deleted.
put_back() {
  for _ in 1 2 3 4; do
    code=0
    found=$(ops "$1" restore "$2" --yes --json) || code=$?
    # On PostgreSQL a server that was killed counts as running for ten seconds.
    [ "$code" -eq 79 ] || break
    sleep 5
  done
  [ "$code" -eq 0 ] || fail "The database could not be put back. $(say "$found" | field error) $advice"
  say "The database is restored from $2; what it replaced is in $(say "$found" | field set_aside)."
}

bring_back() {
  release=$1
  fallback=
  say "Back to $release."
  systemctl stop whoflake || true
  if ! can_read "$release"; then
    advice="$release cannot read the database any more. If other nodes use it, they go on, but those of $release cannot start again: install a version that works (upgrade.sh <name>), or stop every node and run upgrade.sh --rollback --with-database on the one that was upgraded first."
    [ -n "$backup" ] || fail "$advice"
    put_back "$release" "$backup"
  fi
  point_to "$release"
  start || fail "$release does not become ready either: see journalctl --unit=whoflake."
  say "$release is running again, and nothing else was changed. journalctl --unit=whoflake says what went wrong."
}

on_exit() {
  code=$?
  trap - EXIT
  rm -rf ${part:+"$part"}
  if [ -n "$fallback" ]; then
    bring_back "$fallback"
    code=1
  fi
  exit "$code"
}
trap on_exit EXIT
trap 'exit 130' HUP INT TERM

# find_commit <name>: the newest version if it is empty, or the newest commit where there are no versions.
find_commit() {
  [ -d "$source" ] || fail "There is no clone in $source: nothing was changed. Without one, upgrade.sh takes a tarball."
  git -C "$source" fetch --quiet --prune --tags origin || fail "The source could not be fetched: nothing was changed."
  name=$1
  if [ -z "$name" ]; then
    name=$(git -C "$source" -c versionsort.suffix=- tag --list 'v[0-9]*' --sort=-version:refname | head -n 1)
    [ -n "$name" ] || name=HEAD
  fi
  commit=
  for candidate in "refs/tags/$name" "refs/remotes/origin/$name" "$name"; do
    commit=$(git -C "$source" rev-parse --verify --quiet "$candidate^{commit}") && break
  done
  [ -n "$commit" ] || fail "There is no version, branch or commit $name: nothing was changed."
  [ "$verify" = no ] || is_signed || fail "$name has no signature that git trusts: nothing was changed."
  new=$(git -C "$source" describe --tags --always --abbrev=12 "$commit" | tr / -)
  made_of=$commit
}

is_signed() {
  case $candidate in
    refs/tags/*) git -C "$source" verify-tag "$name" ;;
    *) git -C "$source" verify-commit "$commit" ;;
  esac
}

# find_tarball <file>: verifies its checksum.
find_tarball() {
  [ "$verify" = no ] || fail "A tarball has no signature that git trusts: nothing was changed. Check it with gh attestation verify, then run this with WHOFLAKE_VERIFY=no."
  tarball=$(whole "$1")
  sums=${tarball%/*}/SHA256SUMS
  name=${tarball##*/}
  [ -f "$tarball" ] || fail "There is no file $tarball: nothing was changed."
  case $name in whoflake-[0-9]*) ;; *) fail "$name is not named whoflake-<version>.tar.gz, as it was published: nothing was changed." ;; esac
  [ -f "$sums" ] || fail "There is no file $sums, which is published with the tarball: nothing was changed."
  expected=$(awk -v name="$name" '$2 == name || $2 == "*" name { print $1 }' "$sums") || fail "$sums cannot be read: nothing was changed."
  [ -n "$expected" ] || fail "$sums has no checksum of $name: nothing was changed."
  sum=$(sha256sum <"$tarball") || fail "$tarball cannot be read: nothing was changed."
  sum=${sum%% *}
  [ "$sum" = "$expected" ] || fail "$name does not have the checksum that $sums says: nothing was changed. Download both again."
  new=${name#whoflake-}
  new=${new%.tar.gz}
  new=v${new%-linux-*}
  made_of=sha256:$sum
}

unpack() {
  say "Unpacking $new…"
  # With a full disk it says so of every file.
  wrong=$(tar -x -z -f "$tarball" -C "$part" --strip-components=1 --no-same-owner 2>&1) ||
    fail "$new could not be unpacked: nothing was changed. $(say "$wrong" | head -n 2)"
  PATH=$part/bin:$PATH
  command -v node >/dev/null || fail "There is no Node here: take whoflake-<version>-linux-x64.tar.gz or -linux-arm64.tar.gz, which bring it. Nothing was changed."
  [ "v$(field version <"$part/package.json")" = "$new" ] || fail "$name is not a release of Whoflake: nothing was changed."
}

build() {
  say "Building $new…"
  # Not through a pipe, which would hide a failure of its left side.
  { git -C "$source" archive --output="$part/.tar" "$commit" && tar -x -f "$part/.tar" -C "$part" && rm "$part/.tar"; } ||
    fail "$new could not be unpacked: nothing was changed."
  # No install scripts of packages are run, and a built release needs no packages.
  (
    cd "$part" &&
      npm ci --ignore-scripts --silent &&
      npx --no-install vite build --logLevel=error &&
      npx --no-install vite build --ssr --logLevel=error &&
      rm -rf node_modules
  ) || fail "$new could not be built: nothing was changed."
}

# The machine's Node, or a copy of the one that another release has brought, which may be deleted one day.
take_node() {
  found=$(readlink -f "$(command -v node)")
  case $found in "$home"/*) cp "$found" "$part/bin/node" ;; *) ln -s "$found" "$part/bin/node" ;; esac
}

# Into a temporary folder that gets its final name when it is complete.
bring() {
  if [ -d "$releases/$new" ]; then
    [ "$(note_of "$new" made-of)" = "$made_of" ] || fail "$new is already here, but was made of another commit or tarball: nothing was changed."
    return
  fi
  part=$releases/$new.part
  rm -rf "$part"
  mkdir -p "$part"
  "$1"
  [ -e "$part/bin/node" ] || take_node
  # What it is made of, to tell it from another of the same name; a tarball names its commit itself.
  say "$made_of" >"$part/.made-of"
  case $made_of in sha256:*) ;; *) say "$made_of" >"$part/.commit" ;; esac
  mv -T "$part" "$releases/$new"
  part=
}

# Makes a backup with the new release, which tries itself on a copy of it: brings it up to date, and opens it with the
# keyring.
try_on_copy() {
  install -d -o "$user" -m 700 "$backups"
  backup=$backups/before-$new-$(date -u +%Y%m%dT%H%M%SZ).backup
  code=0
  found=$(ops "$new" backup "$backup" --json) || code=$?
  # There is no database yet.
  if [ "$code" -eq 80 ]; then
    backup=
    return
  fi
  if [ "$code" -ne 0 ] || [ "$(say "$found" | field unreadable_token_count)" != 0 ]; then
    rm -f "$backup"
    fail "$new did not get through a trial on a copy of the database: nothing was changed. $(say "$found" | field error) If there can be no such trial here, make a backup yourself and run upgrade.sh --backup <file>, or --no-backup."
  fi
  [ "$(say "$found" | field database_version)" = "$(say "$found" | field current_version)" ] || migrates=yes
}

# Whether the new release can work here, before anything is changed.
try() {
  migrates=no
  ops "$new" config check || fail "$new cannot work with these settings: nothing was changed."
  if [ -z "$given" ]; then
    try_on_copy
    return
  fi
  if [ "$given" = none ]; then
    backup=
    return
  fi
  { [ -f "$given" ] && [ -s "$given" ]; } || fail "There is no file $given: nothing was changed."
  backup=$(realpath "$given")
}

# Nodes of another version than the one that runs here.
others() {
  # shellcheck disable=SC2016
  ops "$(current)" status --json | node -e '
    const { records, server } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const others = (records?.servers ?? []).filter(({ version }) => version !== server?.version);
    console.log(others.map(({ name, version }) => `${name} (${version})`).join(", "));
  '
}

# Keeps the current release and those before it, and the backups that a rollback to them needs.
tidy() {
  kept=' '
  needed=' '
  name=$(current)
  count=0
  while [ -n "$name" ] && [ "$count" -lt "$keep" ]; do
    kept="$kept$name "
    needed="$needed$(note_of "$name" backup) "
    name=$(note_of "$name" previous)
    count=$((count + 1))
  done
  for folder in "$releases"/*; do
    case $kept in *" ${folder##*/} "*) ;; *) rm -rf "$folder" ;; esac
  done
  for file in "$backups"/before-*; do
    case $needed in *" $file "*) ;; *) rm -f "$file" ;; esac
  done
}

upgrade() {
  case $1 in
    *.tar.gz)
      find_tarball "$1"
      bring unpack
      ;;
    *)
      find_commit "$1"
      bring build
      ;;
  esac
  if [ ! -e "$home/current" ]; then
    point_to "$new"
    say "$new is installed. Nothing is running yet."
    return
  fi
  old=$(current)
  if [ "$old" = "$new" ]; then
    say "$new is already installed."
    return
  fi
  try
  if [ "$migrates" = yes ]; then
    # The old release cannot read the database afterwards, so the backup must be complete, or a rollback would lose data.
    say "$new changes the format of the database. Other nodes, if there are any, go on, but cannot start again until they are upgraded."
    fallback=$old
    systemctl stop whoflake
    rm -f "$backup"
    try_on_copy
  elif ! can_read "$old"; then
    backup=
    say "$old cannot read the database any more, because another node was upgraded. There is no way back to it on this node alone."
  fi
  fallback=$old
  say "$old" >"$releases/$new/.previous"
  say "$backup" >"$releases/$new/.backup"
  point_to "$new"
  if ! start; then
    say "$new does not become ready."
    exit 1
  fi
  fallback=
  tidy
  say "$new runs. Back to $old: $home/current/ops/upgrade.sh --rollback"
  left=$(others) || left=
  [ -z "$left" ] || say "Upgrade next: $left."
}

rollback() {
  [ -e "$home/current" ] || fail "Nothing is installed yet."
  old=$(current)
  new=$(note_of "$old" previous)
  [ -n "$new" ] || fail "There is no release before $old."
  [ -d "$releases/$new" ] || fail "$new is no longer here: upgrade.sh $new, or its tarball, brings it back."
  if can_read "$new"; then
    fallback=$old
  else
    saved=$(note_of "$old" backup)
    [ -f "$saved" ] || fail "$new cannot read the database any more, and there is no backup from before $old here. Of several nodes, the one that was upgraded first has it."
    [ "$1" = --with-database ] ||
      fail "$new cannot read the database any more: $old changed its format. With --with-database, $new gets the backup from before the upgrade, $saved; tokens, links and opt-outs that were added since are then missing."
    fallback=$old
    systemctl stop whoflake
    put_back "$new" "$saved"
    fallback=
  fi
  point_to "$new"
  start || fail "$new does not become ready: see journalctl --unit=whoflake."
  fallback=
  say "$new runs."
}

[ -w "$home" ] || fail "Run this as root; $home must exist."
mkdir -p "$releases"
exec 9>"$home/.lock"
flock --nonblock 9 || fail "Another upgrade is running."
case "${1-} ${2-}" in
  '--rollback ' | '--rollback --with-database')
    [ $# -le 2 ] || usage
    rollback "${2-}"
    ;;
  '--backup '?*)
    [ $# -le 3 ] || usage
    given=$(whole "$2")
    upgrade "${3-}"
    ;;
  '--no-backup '*)
    [ $# -le 2 ] || usage
    given=none
    upgrade "${2-}"
    ;;
  -*) usage ;;
  *)
    [ $# -le 1 ] || usage
    upgrade "${1-}"
    ;;
esac
