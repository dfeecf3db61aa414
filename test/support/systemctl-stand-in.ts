/**
 * The part of systemd that `ops/upgrade.sh` needs: a service that counts as started once it listens, and is not restarted.
 * `as` goes in front of the command, to run it as another user.
 */
export const systemctlStandIn = (as = ''): string => `#!/bin/sh
pid() { cat "$HOME/pid" 2>/dev/null || echo 0; }
alive() { [ "$(pid)" != 0 ] && kill -0 "$(pid)" 2>/dev/null; }
stop() { if alive; then kill "$(pid)"; while alive; do /bin/sleep 0.05; done; fi; echo 0 > "$HOME/pid"; }
case $1 in
  show) if alive; then pid; else echo 0; fi ;;
  stop) stop ;;
  restart)
    stop
    cd "$WHOFLAKE_HOME/current"
    setsid ${as} node bin/whoflake > "$HOME/log" 2>&1 < /dev/null 9>&- &
    echo $! > "$HOME/pid"
    until grep -q '"event":"listening"' "$HOME/log"; do alive || exit 1; /bin/sleep 0.05; done ;;
esac
`;
