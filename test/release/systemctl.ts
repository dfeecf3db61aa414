/** The part of systemd that `ops/upgrade.sh` needs: a service that counts as started once it listens, and is not restarted. */
export const SYSTEMCTL = `#!/bin/sh
pid() { cat "$HOME/pid" 2>/dev/null || echo 0; }
alive() { [ "$(pid)" != 0 ] && kill -0 "$(pid)" 2>/dev/null; }
stop() { if alive; then kill "$(pid)"; while alive; do sleep 0.05; done; fi; echo 0 > "$HOME/pid"; }
case $1 in
  show) if alive; then pid; else echo 0; fi ;;
  stop) stop ;;
  start | restart)
    stop
    cd "$WHOFLAKE_HOME/current"
    : > "$HOME/log"
    setsid node bin/whoflake > "$HOME/log" 2>&1 < /dev/null 9>&- &
    echo $! > "$HOME/pid"
    until grep -q '"event":"listening"' "$HOME/log"; do alive || exit 1; sleep 0.05; done ;;
esac
`;
