# The part that the scripts of both packages share. bin/package puts it before each of them.
units="iocluster-node iocluster-door"
# The units to start after an update.
stopped=/run/iocluster.stopped

# Stops the units that run, so that each ends its calls with the files that it has started with, and notes them.
stop_units() {
  [ -d /run/systemd/system ] || return 0
  for unit in $units; do
    case "$(systemctl is-active "$unit.service" || true)" in
      active | activating | reloading)
        echo "$unit.service" >>"$stopped"
        systemctl stop "$unit.service" || true
        ;;
    esac
  done
}

start_stopped_units() {
  [ -d /run/systemd/system ] || return 0
  systemctl daemon-reload || true
  [ -f "$stopped" ] || return 0
  while read -r unit; do
    systemctl start "$unit" || echo "iocluster: $unit did not start; see journalctl -u $unit" >&2
  done <"$stopped"
  rm -f "$stopped"
}

disable_units() {
  rm -f "$stopped"
  [ -d /run/systemd/system ] || return 0
  for unit in $units; do
    systemctl --quiet disable "$unit.service" || true
  done
}

create_user() {
  getent passwd iocluster >/dev/null ||
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin iocluster
}
