set -eu

: "${DB_PARAMETER_GROUP:?set it to the parameter group of the DB instance; the default group cannot be changed}"
