#!/bin/sh
# Collects facts about this host for db2tune that Db2 does not report. Only reads, sends nothing, and needs
# no root access and only a few seconds. Run it as the instance owner, to read Db2's directories.
#
#   sh collector.sh [-i SECONDS] [-s] [NAME...] > hostfacts.json
#
# NAME    a path that Db2 writes to: container:/data/c1, path:/db2/log/ or, if unknown which, /data/c1
# -i S    seconds between two samples of disk, swap and CPU counters (default 5; 0 omits rates)
# -s      print CALL TUNE.SET_HOSTFACTS statements for "db2 -tvf FILE" instead of JSON
#
# Unavailable facts are omitted, never guessed.

# sh on Solaris 10 is older than POSIX
if test -x /usr/xpg4/bin/sh && test -z "$DB2TUNE_POSIX" && test -f "$0"; then
    DB2TUNE_POSIX=1
    export DB2TUNE_POSIX
    exec /usr/xpg4/bin/sh "$0" ${1+"$@"}
fi

R=${DB2TUNE_ROOT-} # a directory that replaces / in tests
test -d "$R/usr/xpg4/bin" && PATH=$R/usr/xpg4/bin:$PATH
PATH=$PATH:$R/usr/sbin:$R/sbin:$R/usr/bin
LC_ALL=C
export PATH LC_ALL
set -f

TAB=$(printf '\t')
NEWLINE='
'
INTERVAL=5
LIMIT_S=10 # for commands that can hang
DEVICES=''
VOLUMES=''
MOUNTS='' # mounts already reported, one per line
DEVICE='' VOLUME='' MOUNT='' FS_TYPE='' OPTIONS=''

# fact KEY ITEM VALUE: print a fact, unless the value is empty or does not fit on a line
fact() {
    case $1$3 in *"$NEWLINE"* | *"$TAB"*) return 0 ;; esac
    test -z "$3" || printf '%s\t%s\t%s\n' "$1" "$2" "$3"
}

# number KEY ITEM VALUE: print a fact if it is a number
number() {
    case $3 in '' | . | *[!0-9.]* | *.*.*) return 0 ;; esac
    fact "$1" "$2" "$3"
}

# facts KEY: print facts from lines "item value"
facts() {
    while read -r facts_item facts_value; do
        number "$1" "$facts_item" "$facts_value"
    done
}

# content FILE: print its first line without surrounding blanks, or nothing if it is unreadable
content() {
    test -r "$1" && test ! -d "$1" || return 0
    awk 'NR == 1 { sub(/^[ \t]+/, ""); sub(/[ \t]+$/, ""); print; exit }' "$1" 2>/dev/null
}

have() { command -v "$1" >/dev/null 2>&1; }

# quiet COMMAND...: run it if it exists, without its error messages
quiet() {
    have "$1" || return 0
    "$@" 2>/dev/null
    return 0
}

# limited COMMAND...: the same, for at most LIMIT_S seconds
limited() {
    have "$1" || return 0
    if have timeout; then
        timeout "$LIMIT_S" "$@" 2>/dev/null
        return 0
    fi
    "$@" 2>/dev/null &
    limited_pid=$!
    (
        sleep "$LIMIT_S" &
        limited_sleep=$!
        trap 'kill "$limited_sleep"; exit' TERM
        wait "$limited_sleep"
        kill "$limited_pid"
    ) >/dev/null 2>&1 &
    limited_guard=$!
    wait "$limited_pid" 2>/dev/null
    kill "$limited_guard" 2>/dev/null
    wait "$limited_guard" 2>/dev/null
    return 0
}

# real DIRECTORY: print its path without symbolic links
real() { (cd -P "$1" 2>/dev/null && pwd -P); }

# only: print the line if all lines are equal
only() { sort -u | awk '{ line = $0 } END { if (NR == 1) print line }'; }

# listed WORD LIST: is it in the list?
listed() { case " $2 " in *" $1 "*) ;; *) return 1 ;; esac; }

use_device() { test -z "$1" || listed "$1" "$DEVICES" || DEVICES="$DEVICES $1"; }
use_volume() { test -z "$1" || listed "$1" "$VOLUMES" || VOLUMES="$VOLUMES $1"; }

# mount_point PATH: print the mount point of a path's file system
mount_point() {
    limited df -P "$1" | awk 'NR == 2 { if (sub(/^.* ([0-9]+%|-) +\//, "/")) print }'
}

# on_last_mount: is MOUNT that of the previous path? Then the other variables are valid, too.
on_last_mount() {
    test -n "$MOUNT" && test "$MOUNT" = "$LAST_MOUNT" || return 1
    DEVICE=$LAST_DEVICE VOLUME=$LAST_VOLUME FS_TYPE=$LAST_FS_TYPE OPTIONS=$LAST_OPTIONS
}

# engines: print user, process and member of every db2sysc of one instance: the user's, or the only one. Any user can
# start a process of that name. So if the db2wdog of root is the parent of one, only its children count.
engines() {
    ps -e -o user= -o pid= -o ppid= -o args= 2>/dev/null | awk -v me="$(id -un 2>/dev/null)" '
        { name = $4; sub(/.*\//, "", name) }
        name == "db2wdog" && $1 == "root" { watches[$2] = 1 }
        name == "db2sysc" {
            n++
            user[n] = $1
            parent[n] = $3
            line[n] = $1 " " $2 " " ($5 ~ /^[0-9]+$/ ? $5 : 0)
        }
        END {
            for (i = 1; i <= n; i++) if (parent[i] in watches) watched = 1
            for (i = 1; i <= n; i++) {
                counts[i] = !watched || (parent[i] in watches)
                if (counts[i] && !(user[i] in seen)) { seen[user[i]] = 1; users++ }
            }
            for (i = 1; i <= n; i++) if (counts[i] && (users == 1 || user[i] == me)) print line[i]
        }'
}

# place NAME: print the facts of one path. The platform's "look PATH" sets the variables DEVICE, VOLUME,
# MOUNT, FS_TYPE and OPTIONS
place() {
    case $1 in container:* | path:*) place_path=${1#*:} ;; *) place_path=$1 ;; esac
    case $place_path in
        *"$NEWLINE"* | *"$TAB"*)
            echo "skipped a path with a line break or a tab" >&2
            return 0
            ;;
        /*) ;;
        *)
            echo "$place_path: skipped; a path begins with /" >&2
            return 0
            ;;
    esac
    LAST_MOUNT=$MOUNT LAST_DEVICE=$DEVICE LAST_VOLUME=$VOLUME LAST_FS_TYPE=$FS_TYPE LAST_OPTIONS=$OPTIONS
    DEVICE='' VOLUME='' MOUNT='' FS_TYPE='' OPTIONS=''
    look "$place_path"
    if test -z "$DEVICE$FS_TYPE$VOLUME"; then
        echo "$place_path: not readable; run this script as the instance owner" >&2
        return 0
    fi
    case $1 in path:*) ;; *) fact "container:$place_path" device "$DEVICE" ;; esac
    case $1 in container:*) ;; *) file_system "$place_path" ;; esac
    case $NEWLINE$MOUNTS in
        *"$NEWLINE$MOUNT$NEWLINE"*) ;;
        *)
            MOUNTS=$MOUNTS$MOUNT$NEWLINE
            test -z "$MOUNT" || file_system "$MOUNT"
            ;;
    esac
    use_device "$DEVICE"
    use_volume "$VOLUME"
}

file_system() {
    fact "path:$1" device "$DEVICE"
    fact "path:$1" fs_type "$FS_TYPE"
    fact "path:$1" mount_options "$OPTIONS"
    fact "path:$1" volume "$VOLUME"
}
