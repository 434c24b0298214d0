# Ends the processes that one JVM started and removes its run directory, once that JVM is gone.
#
# Standard input is a pipe from the JVM: the first line names the run directory, and the end of the pipe is the end of
# the JVM, however it came. The directory does not come as an argument, or this script would take itself for one of them.
#
# A process is ours when <run directory>/pids has a file of its number AND its command line names the run directory:
# numbers get used again.

trap '' HUP INT
cd / || exit 1
IFS= read -r directory || exit 0
case $directory in */run-*) ;; *) exit 1 ;; esac
while read -r _; do :; done

command_line() {
    if [ -d /proc/self ]; then
        tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline"
    else
        ps -ww -o command= -p "$1"
    fi
}

living() {
    for file in "$directory"/pids/*; do
        pid=${file##*/}
        case $pid in '*') continue ;; esac
        if kill -0 "$pid" 2>/dev/null; then
            case $(command_line "$pid") in
                *"$directory"/*) printf '%s ' "$pid" ;;
            esac
        fi
    done
}

# SIGINT first: PostgreSQL and Redis leave nothing behind when they may say goodbye. Two seconds, then no more asking.
signal=INT
round=0
pids=$(living)
while [ -n "$pids" ] && [ $round -lt 60 ]; do
    if [ $round -eq 0 ] || [ $round -ge 20 ]; then
        # shellcheck disable=SC2086  # a list of numbers
        kill -$signal $pids 2>/dev/null
    fi
    sleep 0.1 2>/dev/null || sleep 1
    round=$((round + 1))
    if [ $round -ge 19 ]; then
        signal=KILL
    fi
    pids=$(living)
done
rm -rf "$directory" "$directory.lock"
