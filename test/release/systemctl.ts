/**
 * The part of systemd that commands and the Debian package need: a service that counts as started once it listens, and is
 * not restarted. `start` is what runs it, and `folder` where its process and output are noted.
 */
export const systemctl = (start: string, folder: string): string => `#!/bin/sh
pid() { cat ${folder}/pid 2>/dev/null || echo 0; }
alive() { [ "$(pid)" != 0 ] && kill -0 "$(pid)" 2>/dev/null; }
stop() { if alive; then kill "$(pid)"; while alive; do sleep 0.05; done; fi; echo 0 > ${folder}/pid; }
start() {
  stop
  : > ${folder}/log
  (${start}) > ${folder}/log 2>&1 < /dev/null 9>&- &
  echo $! > ${folder}/pid
  until grep -q '"event":"listening"' ${folder}/log; do alive || exit 1; sleep 0.05; done
}
case $* in
  *MainPID*) if alive; then pid; else echo 0; fi ;;
  *ActiveState*) if alive; then echo active; elif [ "$(pid)" = 0 ]; then echo inactive; else echo failed; fi ;;
  stop* | disable\\ --now*) stop ;;
  start* | restart* | enable\\ --now*) [ ! -e ${folder}/on-restart ] || . ${folder}/on-restart; start ;;
esac
`;
