#!/bin/sh
# Installs Whoflake from this unpacked release, as "Install" in docs/operations.md says. Read it first; run it as root.
# It makes: the user whoflake, /opt/whoflake, /etc/whoflake, the unit whoflake.service and the command ops.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=/opt/whoflake
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || fail "Run this as root."
command -v systemctl >/dev/null || fail "There is no systemd here: use Docker, see docs/operations.md."
[ ! -e "$home/current" ] || fail "Whoflake is installed: use $home/current/ops/upgrade.sh with the tarball."
PATH=$here/bin:$PATH
node --version >/dev/null || fail "Node does not run here: on a minimal Debian, apt install libatomic1."

version=v$(node -p 'require(process.argv[1]).version' "$here/package.json")
release=$home/releases/$version

id whoflake >/dev/null 2>&1 || useradd --system --home-dir /var/lib/whoflake --shell /usr/sbin/nologin whoflake
install -d "$release" /etc/whoflake
cp -R "$here/." "$release/"
chown -R root:root "$home"
[ -e "$release/bin/node" ] || ln -s "$(command -v node)" "$release/bin/node"
ln -sfn "releases/$version" "$home/current"

# Nothing that is there already is changed.
[ -e /etc/whoflake/whoflake.env ] ||
  install -m 640 -g whoflake "$release/ops/whoflake.env.example" /etc/whoflake/whoflake.env
[ -e /etc/whoflake/bot-tokens ] || install -m 640 -g whoflake /dev/null /etc/whoflake/bot-tokens
cat >/usr/local/bin/ops <<'OPS'
#!/bin/sh
# As the server's user, who owns the data.
run="$([ "$(id -u)" != 0 ] || echo runuser -u whoflake --) /opt/whoflake/current/bin/node"
exec $run -- /opt/whoflake/current/bin/ops "$@"
OPS
chmod 755 /usr/local/bin/ops
cp "$release/ops/whoflake.service" /etc/systemd/system/
systemctl daemon-reload

cat <<DONE
Whoflake $version is installed. Next:
  editor /etc/whoflake/whoflake.env
  systemctl enable --now whoflake
  ops doctor
DONE
