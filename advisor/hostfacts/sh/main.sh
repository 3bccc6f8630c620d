
# ---- output

# the facts of this host, as lines "fact, item, value"
collected() {
    case $SYSTEM in
        Linux) linux "$@" ;;
        AIX) aix "$@" ;;
        SunOS) solaris "$@" ;;
    esac
}

look() {
    case $SYSTEM in
        Linux) look_linux "$1" ;;
        AIX) look_aix "$1" ;;
        SunOS) look_solaris "$1" ;;
    esac
}

# each fact once, without control characters and within db2tune's length limits
clean() {
    tr -d '\001-\010\013-\037\177' | awk -F'\t' '
        NF == 3 && $3 != "" && length($1) <= 300 && length($3) <= 1024 && !(($1, $2) in seen) { seen[$1, $2] = 1; print }'
}

as_json() {
    awk -F'\t' -v host="$(uname -n)" -v os="$SYSTEM" -v at="$(date -u +%Y-%m-%dT%H:%M:%SZ)" '
        function text(value,   made, i, c) {
            if (value !~ /["\\]/) return "\"" value "\""
            for (i = 1; i <= length(value); i++) {
                c = substr(value, i, 1)
                made = made (c == "\"" || c == "\\" ? "\\" : "") c
            }
            return "\"" made "\""
        }
        BEGIN {
            printf "{\"schema\": 1, \"host\": %s, \"os\": %s, \"collected_at\": %s, \"facts\": [", text(host), text(os), text(at)
        }
        { printf "%s\n  {\"fact\": %s, \"item\": %s, \"value\": %s}", (NR > 1 ? "," : ""), text($1), text($2), text($3) }
        END { print "\n]}" }'
}

as_sql() {
    awk -F'\t' -v host="$(uname -n)" '
        function text(value) { gsub(/\047/, "\047\047", value); return "\047" value "\047" }
        { print "CALL TUNE.SET_HOSTFACTS(" text(host) ", " text($1) ", " text($2) ", " text($3) ");" }'
}

main() {
    form=as_json
    while getopts i:sh option; do
        case $option in
            i) INTERVAL=$OPTARG ;;
            s) form=as_sql ;;
            *)
                echo "usage: sh collector.sh [-i SECONDS] [-s] [NAME...] > hostfacts.json" >&2
                return 2
                ;;
        esac
    done
    shift $((OPTIND - 1))
    case $INTERVAL in
        '' | *[!0-9]* | ?????*)
            echo "-i needs a number of seconds" >&2
            return 2
            ;;
    esac
    SYSTEM=$(uname -s)
    case $SYSTEM in
        Linux | AIX | SunOS) ;;
        *)
            echo "$SYSTEM: not supported; use Linux, AIX or Solaris" >&2
            return 2
            ;;
    esac
    # paths that db2tune added to this script
    built_in "$@"
}

report() { collected "$@" | clean | "$form"; }
