set -eu

user=${1:?give the name of the master user; db2 asks for the password}
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# The db2 command finds its connection by the process that calls it: never call it in a subshell.
run() {  # arguments of db2: go on after no rows (1) and warnings (2)
    code=0
    db2 "$@" || code=$?
    [ "$code" -lt 4 ] || exit "$code"
}
ask() {  # type of a task, column: set value to that of the last task of this type
    run -x "SELECT CAST($2 AS VARCHAR(500)) FROM TABLE(RDSADMIN.GET_TASK_STATUS(NULL, '$in_literal', '$1')) AS T ORDER BY TASK_ID DESC FETCH FIRST 1 ROW ONLY" > "$answer"
    value=$(sed 's/ *$//' "$answer")
}
call() {  # type of the task that the statement starts, statement: wait for ten minutes at most
    ask "$1" TASK_ID
    before=$value
    run "$2"
    tries=0
    while [ "$tries" -lt 60 ]; do
        ask "$1" TASK_ID
        if [ "$value" != "$before" ]; then
            ask "$1" LIFECYCLE
            case $value in
                SUCCESS) return ;;
                ERROR) ask "$1" TASK_OUTPUT; echo "stopped: $value" >&2; exit 1 ;;
            esac
        fi
        sleep "${SECONDS_BETWEEN:-10}"
        tries=$((tries + 1))
    done
    echo "stopped: the task $1 is not complete; see RDSADMIN.GET_TASK_STATUS" >&2
    exit 1
}
