#!/bin/sh
# What a test has in the guest, a part of it for each port of the machine: `agent.sh PART`.
port() {
  for there in /sys/class/virtio-ports/*; do
    read -r name <"$there/name"
    [ "$name" = "$1" ] && echo "/dev/${there##*/}"
  done
}
PORT=$(port "$1")
case $1 in
  orders) # a command a line; answered with its exit status and, in base64, what it printed
    exec 3<>"$PORT" # a port can be opened once
    echo ready >&3
    while read -r order <&3; do
      (eval "$order") >/run/answer 2>&1 </dev/null 3<&-
      echo "$? $(base64 -w0 </run/answer)" >&3
    done
    ;;
  pins) # "17 pull-down" closes the contact on GPIO 17
    while read -r line pull; do
      echo "$pull" >/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio"$line"/pull
    done <"$PORT"
    ;;
  panels) exec cat /dev/dudo-i2c >"$PORT" ;;
  events) # an empty line is a connection that begins
    while :; do
      if [ -S /run/dudo-table/events.sock ]; then
        echo >"$PORT"
        socat -u UNIX-CONNECT:/run/dudo-table/events.sock OPEN:"$PORT",wronly
      fi
      sleep 0.1
    done
    ;;
esac
