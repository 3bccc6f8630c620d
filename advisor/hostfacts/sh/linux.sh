
# ---- Linux: /proc, /sys and a few commands

linux() {
    linux_processors
    linux_memory
    linux_kernel
    linux_members
    linux_guest
    linux_cgroup
    for linux_name in "$@"; do
        place "$linux_name"
    done
    test "$#" -gt 0 || linux_all_devices
    for linux_volume in $VOLUMES; do
        linux_volume "$linux_volume"
    done
    linux_multipath=$(limited multipath -ll)
    for linux_device in $DEVICES; do
        linux_device "$linux_device"
    done
    linux_rates
}

linux_processors() {
    quiet lscpu | awk -F: '/^Model name:/ { sub(/^[^:]*: */, ""); print; exit }' | {
        read -r model
        fact cpu model "$model"
    }
    # CPU,Core,Socket,Node: core numbers are unique across sockets
    quiet lscpu -p | awk -F, '
        /^[0-9]/ {
            cpus++
            if (!($3 in socket)) { socket[$3] = 1; sockets++ }
            if (!($2 in core)) { order[++cores] = $2; core[$2] = $1; node[$2] = $4 } else core[$2] = core[$2] "," $1
        }
        END {
            if (!cpus) exit
            print "cpu\tsockets\t" sockets
            print "cpu\tcores\t" cores
            if (cpus % cores == 0) print "cpu\tthreads_per_core\t" cpus / cores
            for (i = 1; i <= cores; i++) {
                print "core:" order[i] "\tcpus\t" core[order[i]]
                if (node[order[i]] != "") print "core:" order[i] "\tnuma_node\t" node[order[i]]
            }
        }'
    case $(content "$R/sys/devices/system/cpu/smt/control") in
        on | off | forceoff) fact cpu smt_capable 1 ;;
        notsupported) fact cpu smt_capable 0 ;;
    esac
    fact cpu governor "$(content "$R/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")"
    fact cpu frequency_driver "$(content "$R/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver")"
    fact cpu energy_preference "$(content "$R/sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference")"
    fact cpu virt_flags "$(awk '/^flags/ {
        for (i = 3; i <= NF; i++) if ($i ~ /^(vmx|svm|ept|npt)$/) found = found (found == "" ? "" : " ") $i
        print found
        exit
    }' "$R/proc/cpuinfo" 2>/dev/null)"
    nodes=$(content "$R/sys/devices/system/node/has_memory" | awk -F, '{
        for (i = 1; i <= NF; i++) count += split($i, end, "-") == 2 ? end[2] - end[1] + 1 : 1
        print count
    }')
    number numa nodes "$nodes"
    if test "${nodes:-0}" -gt 1; then
        set +f
        cat "$R"/sys/devices/system/node/node[0-9]*/numastat 2>/dev/null | awk '
            $1 == "local_node" { here += $2 }
            $1 == "other_node" { there += $2 }
            END { if (here + there > 0) printf "remote_pct %.2f\n", 100 * there / (here + there) }' | facts numa
        set -f
    fi
}

linux_memory() {
    awk '
        { sub(":", "", $1) }
        $1 == "MemTotal" { print "total_kb", $2 }
        $1 == "MemAvailable" { print "available_kb", $2 }
        $1 == "Cached" { print "cached_kb", $2 }
        $1 == "SwapTotal" { print "swap_total_kb", $2 }
        $1 == "PageTables" { print "pagetables_kb", $2 }
        $1 == "Hugepagesize" { print "hugepage_kb", $2 }
        $1 == "HugePages_Total" { print "hugepages_total", $2 }
        $1 == "HugePages_Free" { free = $2; known++ }
        $1 == "HugePages_Rsvd" { reserved = $2; known++ }
        END { if (known == 2 && free >= reserved) print "hugepages_free", free - reserved }
    ' "$R/proc/meminfo" 2>/dev/null | facts memory
    fact memory thp "$(bracketed "$R/sys/kernel/mm/transparent_hugepage/enabled")"
}

# bracketed FILE: print the word in brackets, or the only word
bracketed() { content "$1" | awk '{ if (NF == 1) { gsub(/[][]/, ""); print } else if (sub(/.*\[/, "")) { sub(/\].*/, ""); print } }'; }

linux_kernel() {
    for linux_limit in shmmax shmall shmmni msgmni msgmax msgmnb; do
        number sysctl "$linux_limit" "$(content "$R/proc/sys/kernel/$linux_limit")"
    done
    fact sysctl sem "$(content "$R/proc/sys/kernel/sem" | awk '{ print $1, $2, $3, $4 }')"
    number sysctl swappiness "$(content "$R/proc/sys/vm/swappiness")"
    number sysctl nr_hugepages "$(content "$R/proc/sys/vm/nr_hugepages")"
    getconf PAGESIZE 2>/dev/null | awk '$1 >= 1024 { print "page_kb", $1 / 1024 }' | facts sysctl
}

linux_members() {
    engines | while read -r _ pid member; do
        fact "member:$member" bound_cpus "$(awk '$1 == "Cpus_allowed_list:" { print $2 }' "$R/proc/$pid/status" 2>/dev/null)"
    done
}

linux_guest() {
    # check for a container first, because it shows the firmware of its host
    if linux_in_container; then
        linux_type=docker
    else
        linux_type=$(limited systemd-detect-virt)
        test -n "$linux_type" || linux_type=$(linux_type_by_firmware)
    fi
    case $linux_type in
        '') return 0 ;;
        none | vmware | xen | powervm) ;;
        kvm | qemu | amazon | google) linux_type=kvm ;;
        microsoft) linux_type=hyperv ;;
        docker | podman | lxc | lxc-libvirt | openvz | systemd-nspawn | rkt | container-other) linux_type=docker ;;
        *) linux_type=other ;;
    esac
    fact virtual type "$linux_type"
    case $linux_type in
        vmware) linux_tools vmtoolsd ;;
        kvm) linux_tools qemu-ga ;;
        hyperv) linux_tools hv_kvp_daemon hypervkvpd ;;
    esac
    if test "$linux_type" = vmware; then
        for linux_stat in balloon:balloon_mb swap:host_swap_mb memres:reserved_mb memlimit:limit_mb; do
            # 4294967295 MB means no limit
            limited vmware-toolbox-cmd stat "${linux_stat%%:*}" |
                awk -v item="${linux_stat#*:}" '$2 == "MB" && $1 < 4294967295 { print item, $1 }' | facts virtual
        done
    fi
    case $linux_type in
        none | docker) ;;
        *)
            linux_interface=$(awk '$2 == "00000000" { print $1; exit }' "$R/proc/net/route" 2>/dev/null)
            linux_driver=$(real "$R/sys/class/net/${linux_interface:-none}/device/driver")
            fact virtual net_driver "${linux_driver##*/}"
            ;;
    esac
}

# linux_in_container: check for files of container engines, for the groups of process 1, or for a layered root file
# system without init
linux_in_container() {
    for linux_mark in .dockerenv run/.containerenv run/systemd/container run/secrets/kubernetes.io \
        var/run/secrets/kubernetes.io; do
        test ! -e "$R/$linux_mark" || return 0
    done
    grep -E -q 'docker|kubepods|containerd|libpod|/lxc/' "$R/proc/1/cgroup" 2>/dev/null && return 0
    case $(content "$R/proc/1/comm") in '' | systemd | init) return 1 ;; esac
    awk '$5 == "/" { for (i = 7; $i != "-" && i < NF; i++) { } type = $(i + 1) } END { exit type != "overlay" }' \
        "$R/proc/self/mountinfo" 2>/dev/null
}

linux_type_by_firmware() {
    case "$(content "$R/sys/class/dmi/id/sys_vendor") $(content "$R/sys/class/dmi/id/product_name")" in
        VMware*) echo vmware ;;
        'Microsoft Corporation Virtual'*) echo microsoft ;;
        'Google Google Compute Engine'*) echo kvm ;;
        QEMU* | *' KVM'*) echo kvm ;;
        Xen*) echo xen ;;
        *)
            quiet lscpu | awk -F': *' '/^Hypervisor vendor:/ {
                name["KVM"] = "kvm"; name["VMware"] = "vmware"; name["Microsoft"] = "microsoft"; name["Xen"] = "xen"
                name["pHyp"] = "powervm"
                print ($2 in name) ? name[$2] : "other"
            }'
            ;;
    esac
}

# linux_tools PROCESS...: check whether one of them runs, if all processes are visible
linux_tools() {
    test -n "$(content "$R/proc/1/comm")" || return 0
    set +f
    linux_running=" $(cat "$R"/proc/[0-9]*/comm 2>/dev/null | tr '\n' ' ')"
    set -f
    for linux_process in "$@"; do
        case $linux_running in
            *" $linux_process "*)
                fact virtual tools 1
                return 0
                ;;
        esac
    done
    fact virtual tools 0
}

# The lowest limit of db2sysc's control groups, from its own to the topmost visible one.
linux_cgroup() {
    linux_pid=$(engines | awk 'NR == 1 { print $2 }')
    for linux_kind in memory cpu; do
        linux_group=$(awk -F: -v kind="$linux_kind" '
            $1 == 0 { unified = $3 }
            index("," $2 ",", "," kind ",") { own = $3 }
            END { print own == "" ? unified : own }' "$R/proc/${linux_pid:-none}/cgroup" 2>/dev/null)
        test "$linux_kind" != cpu || LINUX_CPU_GROUP=$linux_group
        while :; do
            for linux_root in "$R/sys/fs/cgroup" "$R/sys/fs/cgroup/$linux_kind"; do
                "linux_${linux_kind}_limit" "$linux_root$linux_group"
            done
            test -n "$linux_group" || break
            linux_group=${linux_group%/*}
        done | sort -n | awk 'NR == 1' | {
            read -r limit
            case $linux_kind in memory) number cgroup memory_limit_mb "$limit" ;; cpu) number cgroup cpu_limit "$limit" ;; esac
        }
    done
}

# in megabytes; more than 4 PB means no limit
linux_memory_limit() {
    for linux_file in memory.max memory.limit_in_bytes; do
        content "$1/$linux_file" | awk '/^[0-9]+$/ && $1 < 4503599627370496 { printf "%.0f\n", int($1 / 1048576) }'
    done
}

# in processors
linux_cpu_limit() {
    content "$1/cpu.max" | awk '$1 > 0 && $2 > 0 { print $1 / $2 }'
    echo "$(content "$1/cpu.cfs_quota_us") $(content "$1/cpu.cfs_period_us")" | awk '$1 > 0 && $2 > 0 { print $1 / $2 }'
}

# linux_throttled: periods and throttled periods of the nearest group that counts them
linux_throttled() {
    linux_group=$LINUX_CPU_GROUP
    while :; do
        for linux_root in "$R/sys/fs/cgroup" "$R/sys/fs/cgroup/cpu"; do
            awk '$1 == "nr_periods" { periods = $2 } $1 == "nr_throttled" { throttled = $2 }
                END { if (periods > 0) print periods, throttled }' "$linux_root$linux_group/cpu.stat" 2>/dev/null
        done
        test -n "$linux_group" || break
        linux_group=${linux_group%/*}
    done | awk 'NR == 1 { print "throttled", $1, $2 }'
}

# linux_mount_point PATH: print the mount point of a path's file system. Names in the line of df may look like its columns:
# only what the mount table lists is a mount point.
linux_mount_point() {
    limited df -P "$1" | awk '
        function plain(text) { gsub(/\\040/, " ", text); gsub(/\\134/, "\\", text); return text }
        FILENAME != "-" { mounted[plain($5)] = 1; next }
        FNR == 2 {
            for (rest = $0; match(rest, /([0-9]+%|-) +\//); ) {
                rest = substr(rest, RSTART + RLENGTH - 1)
                if (rest in mounted) { print rest; exit }
            }
        }' "$R/proc/self/mountinfo" - 2>/dev/null
}

# look PATH, see place: file system from df and the mount table, disk from its device number
look_linux() {
    if test -b "$1"; then
        # for a device, ls prints its numbers instead of a size
        # shellcheck disable=SC2012
        linux_number=$(ls -lnL "$1" 2>/dev/null | awk '{ sub(",", "", $5); print $5 ":" $6 }')
        linux_disk "$linux_number"
        return 0
    fi
    MOUNT=$(linux_mount_point "$1")
    test -n "$MOUNT" || return 0
    on_last_mount && return 0
    linux_mount=$(MOUNT=$MOUNT awk '
        function plain(text) { gsub(/\\040/, " ", text); gsub(/\\134/, "\\", text); return text }
        plain($5) == ENVIRON["MOUNT"] {
            for (i = 7; $i != "-" && i < NF; i++) { }
            options = $6
            count = split($(i + 3), more, ",")
            for (j = 1; j <= count; j++) if (index("," options ",", "," more[j] ",") == 0) options = options "," more[j]
            found = $3 " " $(i + 1) " " options
        }
        END { print found }' "$R/proc/self/mountinfo" 2>/dev/null)
    test -n "$linux_mount" || return 0
    linux_rest=${linux_mount#* }
    FS_TYPE=${linux_rest%% *}
    OPTIONS=${linux_rest#* }
    linux_disk "${linux_mount%% *}"
}

# linux_disk MAJOR:MINOR: set DEVICE to the disk below partitions and logical volumes, and VOLUME to the logical volume.
# A volume across several disks counts as a device, and so does a disk with several paths.
linux_disk() {
    linux_dir=$(real "$R/sys/dev/block/$1")
    test -n "$linux_dir" || return 0
    linux_start=''
    while :; do
        linux_below=''
        if test -r "$linux_dir/partition"; then
            linux_start=$(content "$linux_dir/start")
            linux_below=${linux_dir%/*}
        else
            linux_uuid=$(content "$linux_dir/dm/uuid")
            case $linux_uuid in
                LVM-*)
                    # in the mapper's name, one hyphen joins group and volume, and two mean a hyphen
                    test -n "$VOLUME" || VOLUME=$(content "$linux_dir/dm/name" | sed -e 's|--|//|g' -e 's|-|/|' -e 's|//|-|g')
                    linux_below=$(slaves "$linux_dir" | only)
                    ;;
                CRYPT-* | part*) linux_below=$(slaves "$linux_dir" | only) ;;
            esac
        fi
        test -n "$linux_below" || break
        linux_dir=$linux_below
    done
    DEVICE=$(block_name "$linux_dir")
    number "device:$DEVICE" start_sector "$linux_start"
}

# slaves DIRECTORY: print the directories of the devices below a block device
slaves() {
    set +f
    for slave in "$1"/slaves/*; do
        test -d "$slave" && real "$slave"
    done
    set -f
}

# the kernel writes a slash in a name as an exclamation mark
block_name() { printf '%s\n' "${1##*/}" | tr '!' '/'; }

linux_all_devices() {
    set +f
    for linux_dir in "$R"/sys/block/*; do
        case ${linux_dir##*/} in loop* | ram* | zram* | sr* | fd* | nbd* | '*') continue ;; esac
        case $(content "$linux_dir/dm/uuid") in '' | mpath-*) use_device "$(block_name "$linux_dir")" ;; esac
    done
    set -f
}

linux_device() {
    linux_key=device:$1
    linux_dir=$(real "$R/sys/block/$(printf '%s' "$1" | tr / '!')")
    test -n "$linux_dir" || return 0
    number "$linux_key" rotational "$(content "$linux_dir/queue/rotational")"
    fact "$linux_key" scheduler "$(bracketed "$linux_dir/queue/scheduler")"
    content "$linux_dir/queue/read_ahead_kb" | awk '{ print "readahead_sectors", 2 * $1 }' | facts "$linux_key"
    content "$linux_dir/size" | awk '$1 > 0 { printf "size_gb %.1f\n", $1 / 2097152 }' | facts "$linux_key"
    number "$linux_key" queue_depth "$(leaves "$linux_dir" | while read -r leaf; do content "$leaf/device/queue_depth"; done | only)"
    for linux_item in transport driver adapter numa_node link_downgraded; do
        fact "$linux_key" "$linux_item" "$(leaves "$linux_dir" | while read -r leaf; do "linux_$linux_item" "$leaf"; done | only)"
    done
    linux_array "$linux_dir"
    case $(content "$linux_dir/dm/uuid") in mpath-*) linux_paths "$1" "$linux_dir" ;; esac
    case $1 in dasd*) fact "$linux_key" cache_mode "$(limited tunedasd -g "/dev/$1" | awk 'NR == 1 { print $1 }')" ;; esac
}

# leaves DIRECTORY: print the lowest devices below a block device
leaves() {
    leaves_below=$(slaves "$1")
    if test -z "$leaves_below"; then
        case $1 in */block/*) test ! -r "$1/partition" || set -- "${1%/*}" ;; esac
        printf '%s\n' "$1"
        return 0
    fi
    printf '%s\n' "$leaves_below" | while read -r leaves_one; do leaves "$leaves_one"; done
}

linux_transport() {
    linux_leaf=${1##*/}
    case $linux_leaf in
        nvme*) echo nvme ;;
        vd*) echo virtio ;;
        sd*)
            linux_found=$(limited lsblk -dno TRAN "/dev/$linux_leaf" | tr -d ' ')
            case $linux_found in fc | sas | sata | iscsi | nvme) echo "$linux_found" ;; *) echo scsi ;; esac
            ;;
    esac
}

linux_driver() {
    linux_path=$(real "$1/device")
    linux_host=$(printf '%s\n' "$linux_path" | sed -n 's|.*/host\([0-9][0-9]*\)/.*|\1|p')
    if test -n "$linux_host"; then
        linux_found=$(content "$R/sys/class/scsi_host/host$linux_host/proc_name")
        case $linux_found in *[!a-zA-Z0-9_-]*) ;; *) printf '%s\n' "$linux_found" ;; esac
    else
        case ${1##*/} in
            nvme*) echo nvme ;;
            *) linux_found=$(real "$1/device/driver") && printf '%s\n' "${linux_found##*/}" ;;
        esac
    fi
}

# the directory of the adapter on the PCI bus
linux_pci() {
    real "$1/device" | sed -n 's|^\(.*/[0-9a-f]\{4,\}:[0-9a-f][0-9a-f]:[0-9a-f][0-9a-f]\.[0-7]\)/.*|\1|p'
}

linux_adapter() {
    linux_found=$(linux_pci "$1")
    printf '%s\n' "${linux_found##*/}"
}

# a negative node means none
linux_numa_node() { content "$(linux_pci "$1")/numa_node" | awk '/^[0-9]+$/'; }

linux_link_downgraded() {
    linux_found=$(linux_pci "$1")
    printf '%s|%s|%s|%s\n' "$(content "$linux_found/current_link_speed")" "$(content "$linux_found/max_link_speed")" \
        "$(content "$linux_found/current_link_width")" "$(content "$linux_found/max_link_width")" |
        awk -F'|' '$1 + 0 > 0 && $2 + 0 > 0 && $3 + 0 > 0 && $4 + 0 > 0 { print ($1 + 0 < $2 + 0 || $3 + 0 < $4 + 0) }'
}

# a software array of the kernel
linux_array() {
    linux_level=$(content "$1/md/level")
    case $linux_level in raid[0-9]*) ;; *) return 0 ;; esac
    linux_level=${linux_level#raid}
    fact "$linux_key" raid_level "$linux_level"
    content "$1/md/chunk_size" | awk '$1 >= 1024 { print "strip_kb", $1 / 1024 }' | facts "$linux_key"
    content "$1/md/raid_disks" | awk -v level="$linux_level" '
        level == 0 { print "data_disks", $1 }
        level == 5 && $1 > 1 { print "data_disks", $1 - 1 }
        level == 6 && $1 > 2 { print "data_disks", $1 - 2 }
        level == 10 && $1 % 2 == 0 { print "data_disks", $1 / 2 }' | facts "$linux_key"
    printf '%s|%s\n' "$(content "$1/md/degraded")" "$(content "$1/md/sync_action")" |
        awk -F'|' '$1 != "" && $2 != "" { print "impaired", ($1 > 0 || $2 != "idle") }' | facts "$linux_key"
}

linux_paths() {
    linux_told=$(printf '%s\n' "$linux_multipath" | awk -v device="$1" '
        / dm-[0-9]+( |$)/ { ours = 0; for (i = 1; i <= NF; i++) if ($i == device) ours = 1 }
        ours && /policy=/ && policy == "" { policy = $0; sub(/.*policy=[^a-z]*/, "", policy); sub(/[^a-z-].*/, "", policy) }
        ours && / active +ready/ { paths++ }
        END { if (policy != "") print paths + 0, policy }')
    if test -n "$linux_told"; then
        number "$linux_key" paths "${linux_told%% *}"
        fact "$linux_key" path_policy "${linux_told#* }"
    else
        number "$linux_key" paths "$(slaves "$2" | while read -r leaf; do content "$leaf/device/state"; done | grep -c '^running$')"
    fi
}

linux_volume() {
    linux_mapper=$(printf '%s\n' "$1" | sed -e 's|-|--|g' -e 's|/|-|')
    set +f
    for linux_dir in "$R"/sys/block/dm-*; do
        test "$(content "$linux_dir/dm/name")" = "$linux_mapper" || continue
        fact "volume:$1" devices "$(linux_volume_devices "$linux_dir" | sort -u | awk '{ all = all (NR > 1 ? "," : "") $0 } END { print all }')"
    done
    set -f
    limited lvs --noheadings --nosuffix --units s -o lv_read_ahead,stripes "$1" |
        awk 'NR == 1 { print "lv_readahead_sectors", $1; print "stripes", $2 }' | facts "volume:$1"
}

linux_volume_devices() {
    slaves "$1" | while read -r linux_below; do
        test ! -r "$linux_below/partition" || linux_below=${linux_below%/*}
        block_name "$linux_below"
    done
}

# linux_counters: print lines "name numbers..." of counters, which need two samples
linux_counters() {
    content "$R/proc/uptime" | awk '{ print "uptime", $1 }'
    awk '$1 == "cpu" { for (i = 2; i <= 9; i++) total += $i; print "steal", $9, total }' "$R/proc/stat" 2>/dev/null
    awk '$1 == "pswpin" || $1 == "pswpout" { print $1, $2 }' "$R/proc/vmstat" 2>/dev/null
    linux_throttled
    awk 'NF >= 14 { print "disk", $3, $4 + $8, $7 + $11, $4, $6, $13, $14 }' "$R/proc/diskstats" 2>/dev/null
}

linux_rates() {
    test "$INTERVAL" -gt 0 || return 0
    linux_before=$(linux_counters)
    sleep "$INTERVAL"
    printf '%s\nagain\n%s\n' "$linux_before" "$(linux_counters)" |
        awk -v devices="$DEVICES" -v page_kb="$(getconf PAGESIZE 2>/dev/null | awk '{ print $1 / 1024 }')" '
        function rate(key, item, value) { if (value >= 0) printf "%s\t%s\t%.2f\n", key, item, value }
        BEGIN { count = split(devices, names, " "); for (i = 1; i <= count; i++) wanted[names[i]] = 1 }
        $1 == "again" { again = 1; next }
        !again { key = $1 == "disk" ? $1 " " $2 : $1; first[key] = $0; next }
        $1 == "uptime" { split(first["uptime"], a); seconds = $2 - a[2]; next }
        seconds <= 0 { next }
        $1 == "steal" { split(first[$1], a); if ($3 > a[3]) rate("virtual", "steal_pct", 100 * ($2 - a[2]) / ($3 - a[3])) }
        $1 == "throttled" { split(first[$1], a); if ($2 > a[2]) rate("cgroup", "throttled_pct", 100 * ($3 - a[3]) / ($2 - a[2])); next }
        $1 == "pswpin" { split(first[$1], a); if (page_kb > 0) rate("memory", "swap_in_per_s", ($2 - a[2]) * page_kb / seconds) }
        $1 == "pswpout" { split(first[$1], a); if (page_kb > 0) rate("memory", "swap_out_per_s", ($2 - a[2]) * page_kb / seconds) }
        $1 == "disk" && ($2 in wanted) && (("disk " $2) in first) {
            split(first["disk " $2], a)
            key = "device:" $2
            rate(key, "busy_pct", ($7 - a[7]) / seconds / 10)
            rate(key, "queue_length", ($8 - a[8]) / seconds / 1000)
            if ($3 > a[3]) rate(key, "await_ms", ($4 - a[4]) / ($3 - a[3]))
            if ($5 > a[5]) rate(key, "request_kb", ($6 - a[6]) / ($5 - a[5]) / 2)
        }'
}
