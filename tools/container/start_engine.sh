#!/usr/bin/env bash
# Starts a Docker engine if none answers here and this machine can run one; installs Debian's if it must.
#
#   engine=$(bash tools/container/start_engine.sh) || true     # its process id, empty if nothing was started
#
# Exit status 0: an engine answers. 1: none does, and one line on standard error says why.
set -uo pipefail

socket=${DOCKER_SOCKET:-/var/run/docker.sock}
log=${TMPDIR:-/tmp}/db2tune-dockerd.log
# What a machine may lack, one more at each attempt: nothing; packet filters; overlay mounts.
attempts=("" "--iptables=false --ip6tables=false" "--iptables=false --ip6tables=false --storage-driver=vfs")
wait_s=10 # an attempt

give_up() {
    echo "no Docker engine: $1" >&2
    exit 1
}

answers() {
    python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])' "$socket" 2>/dev/null
}

# Succeeds, and prints the process id, when dockerd with these flags comes to answer.
try() {
    : >"$log"
    # shellcheck disable=SC2086 # flags are words
    setsid dockerd --host "unix://$socket" $1 >"$log" 2>&1 </dev/null &
    local engine=$!
    for ((i = 0; i < wait_s * 5; i++)); do
        kill -0 "$engine" 2>/dev/null || return 1
        grep -q "API listen on" "$log" && answers && echo "$engine" && return 0
        sleep 0.2
    done
    kill "$engine" 2>/dev/null
    wait "$engine" 2>/dev/null
    return 1
}

[ -z "${DOCKER_HOST:-}" ] || exit 0
if answers; then exit 0; fi
[ "$(id -u)" = 0 ] || give_up "none runs, and only root can start one"
if ! command -v dockerd >/dev/null; then
    command -v apt-get >/dev/null || give_up "dockerd is not installed, and there is no apt-get"
    { apt-get update -qq && apt-get install -qq -y --no-install-recommends docker.io; } >"$log" 2>&1 ||
        give_up "apt-get cannot install docker.io: $(tail -n 1 "$log")"
fi
for flags in "${attempts[@]}"; do
    try "$flags" && exit 0
done
give_up "dockerd does not start: $(tail -n 1 "$log")"
