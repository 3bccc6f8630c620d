
# ---- Solaris

solaris() {
    solaris_processors
    solaris_memory
    solaris_zone
    engines | while read -r _ pid member; do
        fact "member:$member" scheduling_class "$(ps -o class= -p "$pid" 2>/dev/null | awk 'NR == 1 { print $1 }')"
    done
    for solaris_name in "$@"; do
        place "$solaris_name"
    done
    solaris_rates
}

solaris_processors() {
    quiet psrinfo -pv | awk '/\(.*clock [0-9]+ MHz\)/ { sub(/^ */, ""); sub(/ *\(.*/, ""); print; exit }' | {
        read -r model
        fact cpu model "$model"
    }
    number cpu sockets "$(quiet psrinfo -p)"
    # cpu_info:<processor>:...:core_id <core>
    quiet kstat -p cpu_info:::core_id | awk '
        split($1, part, ":") >= 4 && $2 ~ /^[0-9]+$/ {
            cpus++
            if (!($2 in core)) { order[++cores] = $2; core[$2] = part[2] } else core[$2] = core[$2] "," part[2]
        }
        END {
            if (!cpus) exit
            print "cpu\tcores\t" cores
            if (cpus % cores == 0) print "cpu\tthreads_per_core\t" cpus / cores
            for (i = 1; i <= cores; i++) print "core:" order[i] "\tcpus\t" core[order[i]]
        }'
    quiet lgrpinfo | awk '
        /^lgroup .*\(leaf\)/ { leaf = 1; next }
        /^lgroup / { leaf = 0 }
        leaf && /Memory: installed [1-9]/ { nodes++ }
        END { if (nodes) print "nodes", nodes }' | facts numa
}

solaris_memory() {
    quiet prtconf | awk '/^Memory size: [0-9]+ Megabytes/ { printf "total_kb %.0f\n", 1024 * $3; exit }' | facts memory
    quiet pagesize | awk '$1 >= 1024 { print "page_kb", $1 / 1024 }' | facts sysctl
}

solaris_zone() {
    solaris_zone_name=$(quiet zonename)
    case $solaris_zone_name in
        '') ;;
        global)
            case $(quiet smbios -t SMB_TYPE_SYSTEM) in
                *VMware*) fact virtual type vmware ;;
                *'Virtual Machine'*) fact virtual type hyperv ;;
                *QEMU* | *KVM*) fact virtual type kvm ;;
                *Xen*) fact virtual type xen ;;
                *Manufacturer*) fact virtual type none ;;
            esac
            ;;
        *)
            fact virtual type zone
            solaris_pool=$(quiet poolbind -q $$ | awk '{ print $2 }')
            fact zone pool "$solaris_pool"
            quiet poolstat | awk -v pool="$solaris_pool" '$2 == pool { print "pset_cpus", $3; exit }' | facts zone
            # the cap is in percent of one processor
            quiet prctl -P -n zone.cpu-cap -i zone "$solaris_zone_name" |
                awk '$1 == "zone.cpu-cap" && $2 == "privileged" { print "cpu_limit", $3 / 100 }' | facts cgroup
            ;;
    esac
}

look_solaris() {
    case $1 in
        /dev/rdsk/* | /dev/dsk/*)
            DEVICE=$(solaris_disk_name "$1")
            return 0
            ;;
    esac
    MOUNT=$(mount_point "$1")
    test -n "$MOUNT" || return 0
    on_last_mount && return 0
    # device, mount point, type, options, time, separated by tabs
    solaris_mount=$(MOUNT=$MOUNT awk -F'\t' '$2 == ENVIRON["MOUNT"] { found = $1 "\t" $3 "\t" $4 } END { print found }' \
        "$R/etc/mnttab" 2>/dev/null)
    test -n "$solaris_mount" || return 0
    solaris_what=${solaris_mount%%"$TAB"*}
    solaris_rest=${solaris_mount#*"$TAB"}
    FS_TYPE=${solaris_rest%%"$TAB"*}
    OPTIONS=${solaris_rest#*"$TAB"}
    case $FS_TYPE:$solaris_what in
        zfs:*)
            # the disk of the pool, if it has only one
            DEVICE=$(limited zpool status "${solaris_what%%/*}" |
                awk '$1 ~ /^c[0-9]+(t[0-9A-F]+)?d[0-9]+(s[0-9]+)?$/ && $2 == "ONLINE" { sub(/s[0-9]+$/, "", $1); print $1 }' | only)
            ;;
        *:/dev/dsk/*) DEVICE=$(solaris_disk_name "$solaris_what") ;;
    esac
}

# a disk without its slice
solaris_disk_name() { printf '%s\n' "${1##*/}" | sed 's|[sp][0-9][0-9]*$||'; }

solaris_rates() {
    for solaris_disk in $DEVICES; do
        limited iostat -En "$solaris_disk" | awk '
            /^Size: / { sub(/.*</, ""); if ($1 > 0) printf "size_gb %.1f\n", $1 / 1073741824; exit }' | facts "device:$solaris_disk"
    done
    test "$INTERVAL" -gt 0 && have iostat || return 0
    # r/s w/s kr/s kw/s wait actv wsvc_t asvc_t %w %b device; the second report covers the interval
    iostat -xn "$INTERVAL" 2 2>/dev/null | awk -v devices="$DEVICES" '
        BEGIN { count = split(devices, names, " "); for (i = 1; i <= count; i++) wanted[names[i]] = 1 }
        $NF == "device" { report++ }
        report == 2 && NF == 11 && ($11 in wanted) {
            key = "device:" $11
            print key "\tbusy_pct\t" $10
            printf "%s\tqueue_length\t%.2f\n", key, $5 + $6
            if ($1 + $2 > 0) printf "%s\tawait_ms\t%.2f\n", key, $7 + $8
            if ($1 > 0) printf "%s\trequest_kb\t%.2f\n", key, $3 / $1
        }'
}
