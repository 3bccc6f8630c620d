set -eu

user=${1:?give the name of the master user; db2 asks for the password}

task() {  # type of a task, column: of the last task of this type
    db2 -x "SELECT $2 FROM TABLE(RDSADMIN.GET_TASK_STATUS(NULL, '$in_literal', '$1')) AS T ORDER BY TASK_ID DESC FETCH FIRST 1 ROW ONLY" | tr -d ' '
}
call() {  # type of the task that the statement starts, statement: wait for ten minutes at most
    before=$(task "$1" TASK_ID)
    db2 "$2"
    tries=0
    while [ "$tries" -lt 60 ]; do
        if [ "$(task "$1" TASK_ID)" != "$before" ]; then
            case $(task "$1" LIFECYCLE) in
                SUCCESS) return ;;
                ERROR) db2 "SELECT TASK_OUTPUT FROM TABLE(RDSADMIN.GET_TASK_STATUS($(task "$1" TASK_ID), '$in_literal', '$1')) AS T"; exit 1 ;;
            esac
        fi
        sleep "${SECONDS_BETWEEN:-10}"
        tries=$((tries + 1))
    done
    echo "stopped: the task $1 is not complete; see RDSADMIN.GET_TASK_STATUS" >&2
    exit 1
}
