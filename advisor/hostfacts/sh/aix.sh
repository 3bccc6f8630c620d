
# ---- AIX

aix() {
    aix_processors
    aix_memory
    engines | awk 'NR == 1' | {
        read -r owner pid _
        test -z "$owner" || aix_engine "$owner" "$pid"
    }
    quiet lparstat -i | awk -F: '/^Partition Number/ && $2 ~ /[0-9]/ { found = 1 } END { if (found) print "powervm" }' | {
        read -r type
        fact virtual type "$type"
    }
    for aix_name in "$@"; do
        place "$aix_name"
    done
    test "$#" -gt 0 || DEVICES=$(quiet lspv | awk '{ printf "%s ", $1 }')
    for aix_volume in $VOLUMES; do
        aix_volume "$aix_volume"
    done
    for aix_disk in $DEVICES; do
        aix_disk "$aix_disk"
    done
    aix_rates
}

# attribute DEVICE NAME
attribute() { quiet lsattr -El "$1" -a "$2" -F value; }

aix_processors() {
    aix_cores=$(quiet lsdev -C -c processor -S available -F name)
    test -n "$aix_cores" || return 0
    number cpu cores "$(printf '%s\n' "$aix_cores" | awk 'END { print NR }')"
    aix_first=$(printf '%s\n' "$aix_cores" | awk 'NR == 1')
    fact cpu model "$(attribute "$aix_first" type)"
    aix_threads=$(attribute "$aix_first" smt_threads)
    case $aix_threads in
        '' | *[!0-9]*) ;;
        1) fact cpu smt_capable 0 ;;
        *) fact cpu smt_capable 1 ;;
    esac
    case $(attribute "$aix_first" smt_enabled) in
        true) number cpu threads_per_core "$aix_threads" ;;
        false) fact cpu threads_per_core 1 ;;
    esac
    quiet lssrad -av | awk 'NF == 3 && $1 ~ /^[0-9]+$/ && $2 > 0 { nodes++ } END { if (nodes) print "nodes", nodes }' | facts numa
}

aix_memory() {
    number memory total_kb "$(attribute sys0 realmem)"
    limited svmon -G -O unit=KB | awk '
        $1 == "size" && $2 == "inuse" { for (i = 1; i <= NF; i++) if ($i == "available") column = i + 1 }
        $1 == "memory" && column && $column ~ /^[0-9]+$/ { print "available_kb", $column }' | facts memory
    quiet vmstat -v | awk '/ file pages$/ { printf "cached_kb %.0f\n", 4 * $1 }' | facts memory
    quiet pagesize | awk '$1 >= 1024 { print "page_kb", $1 / 1024 }' | facts sysctl
    for aix_item in lgpg_size lgpg_regions v_pinshm; do
        quiet vmo -o "$aix_item" | awk -v item="$aix_item" '$1 == item && $2 == "=" { print item, $3 }' | facts vmo
    done
    # flp: free large pages
    quiet vmstat -l | awk '
        { for (i = 1; i <= NF; i++) if ($i == "flp") column = i }
        column && $column ~ /^[0-9]+$/ { free = $column }
        END { if (free != "") print "lgpg_free", free }' | facts vmo
}

# aix_engine OWNER PID: page size of most shared memory of db2sysc, and the capabilities of its owner
aix_engine() {
    limited svmon -P "$2" | awk '
        / work / && /shmat|shared memory segment/ && $(NF - 4) ~ /^[smLS]$/ {
            kb["s"] = 4; kb["m"] = 64; kb["L"] = 16384; kb["S"] = 16777216
            used[$(NF - 4)] += kb[$(NF - 4)] * $(NF - 3)
        }
        END { for (page in used) if (used[page] > most) { most = used[page]; found = page } print found }' | {
        read -r page
        fact vmo shm_page "$page"
    }
    quiet lsuser -a capabilities "$1" | awk '
        { found = "none"; if (sub(/.*capabilities=/, "")) found = $0; print found == "" ? "none" : found }' | {
        read -r capabilities
        fact vmo owner_capabilities "$capabilities"
    }
}

look_aix() {
    case $1 in
        /dev/r*) aix_lv "${1#/dev/r}" && return 0 ;;
        /dev/*) aix_lv "${1#/dev/}" && return 0 ;;
    esac
    MOUNT=$(mount_point "$1")
    test -n "$MOUNT" || return 0
    on_last_mount && return 0
    # node (optional), mounted, mounted over, vfs, three words of a date, options
    aix_mount=$(limited mount | MOUNT=$MOUNT awk '
        NR > 2 {
            shift = $0 ~ /^[^ ]/
            if ($(2 + shift) == ENVIRON["MOUNT"]) found = $(1 + shift) " " $(3 + shift) " " $(7 + shift)
        }
        END { print found }')
    test -n "$aix_mount" || return 0
    aix_rest=${aix_mount#* }
    FS_TYPE=${aix_rest%% *}
    OPTIONS=${aix_rest#* }
    case ${aix_mount%% *} in /dev/*) aix_lv "${aix_mount#/dev/}" ;; esac
    return 0
}

# aix_lv NAME...: set VOLUME to group and name of a logical volume, and DEVICE to its disk if it has only one
aix_lv() {
    aix_lv_name=${1%% *}
    VOLUME=$(quiet lslv "$aix_lv_name" | awk 'NR == 1 && $1 == "LOGICAL" { print $6 "/" $3 }')
    test -n "$VOLUME" || return 1
    DEVICE=$(aix_lv_disks "$aix_lv_name" | only)
}

aix_lv_disks() { quiet lslv -l "$1" | awk 'NR > 2 { print $1 }'; }

aix_volume() {
    fact "volume:$1" devices "$(aix_lv_disks "${1#*/}" | sort -u | awk '{ all = all (NR > 1 ? "," : "") $0 } END { print all }')"
    quiet lslv "${1#*/}" | awk '/^STRIPE WIDTH:/ { print "stripes", $3 }' | facts "volume:$1"
    for aix_disk in $(aix_lv_disks "${1#*/}"); do
        use_device "$aix_disk"
    done
}

aix_disk() {
    aix_key=device:$1
    number "$aix_key" queue_depth "$(attribute "$1" queue_depth)"
    limited getconf DISK_SIZE "/dev/$1" | awk '$1 > 0 { printf "size_gb %.1f\n", $1 / 1024 }' | facts "$aix_key"
    aix_paths=$(quiet lspath -l "$1" -F 'status parent')
    if test -n "$aix_paths"; then
        number "$aix_key" paths "$(printf '%s\n' "$aix_paths" | grep -c '^Enabled ')"
        fact "$aix_key" path_policy "$(attribute "$1" algorithm)"
        aix_parent=$(printf '%s\n' "$aix_paths" | awk '{ print $2 }' | only)
    else
        aix_parent=$(quiet lsdev -C -l "$1" -F parent)
    fi
    fact "$aix_key" adapter "$aix_parent"
    # kinds of adapters: fscsi0, sas0, vscsi0, iscsi0, nvme0
    case $(printf '%s\n' "$aix_paths" | awk '{ sub(/[0-9]+$/, "", $2); print $2 }' | only) in
        fscsi) fact "$aix_key" transport fc ;;
        sas) fact "$aix_key" transport sas ;;
        iscsi) fact "$aix_key" transport iscsi ;;
        vscsi) fact "$aix_key" transport scsi ;;
    esac
}

aix_swap() { quiet vmstat -s | awk '/paging space page ins/ { ins = $1 } /paging space page outs/ { outs = $1 } END { print ins, outs }'; }

aix_rates() {
    test "$INTERVAL" -gt 0 || return 0
    aix_before=$(aix_swap)
    if test -n "$DEVICES" && have iostat; then
        # the second report covers the interval; word splitting passes each disk as an argument
        # shellcheck disable=SC2086
        iostat -d $DEVICES "$INTERVAL" 2 2>/dev/null | awk '
            $1 ~ /^hdisk/ && $2 ~ /^[0-9.]+$/ { busy[$1] = $2; seen[$1]++ }
            END { for (disk in busy) if (seen[disk] == 2) print "device:" disk "\tbusy_pct\t" busy[disk] }'
    else
        sleep "$INTERVAL"
    fi
    # pages of 4 KB
    echo "$aix_before $(aix_swap)" | awk -v seconds="$INTERVAL" '
        NF == 4 && $3 >= $1 && $4 >= $2 {
            printf "swap_in_per_s %.2f\n", 4 * ($3 - $1) / seconds
            printf "swap_out_per_s %.2f\n", 4 * ($4 - $2) / seconds
        }' | facts memory
}
