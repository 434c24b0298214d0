#!/usr/bin/env bash
# Builds what it needs and runs the reliability laboratory. Needs a JDK 17 or newer and Maven 3.8 or newer, nothing else;
# where .ci/rabbitmq can give a real RabbitMQ, that is used and may be killed, and where .ci/valkey can give a Valkey, its clock jumps.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

module=workshop/chaos
usage=$module/src/main/resources/chaos-usage.txt
stamp=$module/target/chaos-built

refuse() {
    echo "chaos: $1" >&2
    exit "${2:-1}"
}

# A mistyped option must not cost a build.
for word in "$@"; do
    case $word in
        --help) cat "$usage" && exit 0 ;;
        --*) grep -q -E -e "^  $word( |$)" "$usage" || refuse "unknown option '$word'; see workshop/chaos.sh --help" 2 ;;
    esac
done

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
command -v "${java}c" >/dev/null || refuse "no JDK here: install a JDK 17 or newer, or set JAVA_HOME"
command -v mvn >/dev/null || refuse "no mvn here: install Maven 3.8 or newer"

changed() {
    [ ! -e "$stamp" ] ||
        [ -n "$(find pom.xml lua ./*/pom.xml ./workshop/*/pom.xml ./*/src/main ./workshop/*/src/main -newer "$stamp" -print -quit 2>/dev/null)" ]
}

if changed; then
    echo "building ..."
    mvn -q -B -ntp -Pchaos -pl "$module" -am package || refuse "the build failed; see above"
    touch "$stamp"
fi

# One of this working copy's own may be killed; whatever else was given may not.
if [ -z "${IDEM_AMQP_URI:-}" ] || .ci/rabbitmq env 2>/dev/null | grep -qxF "export IDEM_AMQP_URI=$IDEM_AMQP_URI"; then
    .ci/rabbitmq env >/dev/null 2>&1 || trap "'$PWD/.ci/rabbitmq' stop || true" EXIT
    rabbitmq=0
    line=$(.ci/rabbitmq start) || rabbitmq=$?
    case $rabbitmq in
        0) eval "$line" && export IDEM_CHAOS_RABBITMQ=$PWD/.ci/rabbitmq ;;
        3) echo "!!! SKIPPED: no real RabbitMQ can be had here; Apache Qpid takes its place, and is not killed" ;;
        *) exit "$rabbitmq" ;;
    esac
fi

# Its clock can be set, which that of the Redis in the jar cannot.
if [ -z "${IDEM_CHAOS_VALKEY:-}" ]; then
    if line=$(.ci/valkey env 2>/dev/null); then
        export IDEM_CHAOS_VALKEY=${line#*=}
    else
        echo "!!! SKIPPED: no Valkey can be had here; Redis's clock does not jump"
    fi
fi

cd "$module"
"$java" -Xmx2g -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dlogback.configurationFile=io/idem/workshop/chaos/logback.xml \
    -cp "target/chaos-lib/*" io.idem.workshop.chaos.Chaos "$@"
