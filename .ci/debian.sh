# Programs of Debian trixie on a machine that runs an older Debian: downloaded and unpacked, never installed. IDEM_CI_SUITE names
# another release, for newer programs.
# Sourced by the scripts beside it. Needs apt-get, dpkg and flock, which every Debian has.
# shellcheck shell=bash

cache=${IDEM_CI_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/idem-ci}
suite=${IDEM_CI_SUITE:-trixie}

fail() {
    echo "${0##*/}: $*" >&2
    exit 3
}

# The mirror this machine uses for its own release: the first "main" source that is not a security or updates one.
debian_mirror() {
    local codename
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true; } | awk -v codename="$codename" '
        $1 == "deb" {
            line = $0
            sub(/\[[^]]*\]/, "", line)
            count = split(line, word, " ")
            for (i = 4; i <= count; i++) if (word[3] == codename && word[i] == "main") { print word[2]; exit }
        }' | grep . && return
    # The newer format: paragraphs of fields. Comment lines do not end a paragraph.
    awk -v codename="$codename" '
        function flush() {
            if (uri != "" && suites ~ "(^| )" codename "( |$)" && parts ~ /(^| )main( |$)/ && !done) { print uri; done = 1 }
            uri = suites = parts = ""
        }
        FNR == 1 { flush() }
        /^#/ { next }
        /^[[:space:]]*$/ { flush() }
        tolower($1) == "uris:" { uri = $2 }
        tolower($1) == "suites:" { sub(/^[^:]*:[[:space:]]*/, ""); suites = $0 }
        tolower($1) == "components:" { sub(/^[^:]*:[[:space:]]*/, ""); parts = $0 }
        END { flush() }
    ' /etc/apt/sources.list.d/*.sources 2>/dev/null | grep .
}

# apt-get with directories of its own: it neither sees nor changes what is installed here.
private_apt() {
    apt-get -qq \
        -o Dir::Etc::SourceList="$cache/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State="$cache/apt/state" -o Dir::State::status="$cache/apt/status" \
        -o Dir::Cache="$cache/apt/cache" -o APT::Sandbox::User=root -o Acquire::Retries=3 "$@"
}

# unpacked_debs NAME [--with-dependencies] PACKAGE...: prints the directory $cache/NAME with the packages unpacked in it.
unpacked_debs() {
    local target=$cache/$1
    [ "$suite" = trixie ] || target+=-$suite
    shift
    command -v apt-get dpkg flock >/dev/null || fail "needs a Debian with apt-get, dpkg and flock"
    mkdir -p "$cache"
    (
        flock 9
        if [ ! -e "$target/.complete" ]; then
            rm -rf "$target" "$target.debs"
            download_debs "$target.debs" "$@" >&2 || fail "cannot download $* from Debian $suite"
            mkdir -p "$target/usr"/{bin,sbin,lib,lib64}
            for directory in bin sbin lib lib64; do
                ln -s "usr/$directory" "$target/$directory"
            done
            for package in "$target.debs"/*.deb; do
                dpkg -x "$package" "$target" || fail "cannot unpack ${package##*/}"
            done
            rm -rf "$target.debs"
            touch "$target/.complete"
        fi
    ) 9>"$cache/lock" || exit
    echo "$target"
}

download_debs() {
    local directory=$1 mirror
    shift
    mirror=$(debian_mirror) || fail "the apt sources of this machine name no Debian mirror"
    mkdir -p "$cache"/apt/state/lists/partial "$cache"/apt/cache/archives/partial "$directory"
    : >"$cache/apt/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$cache/apt/sources.list"
    private_apt update || return
    if [ "$1" = --with-dependencies ]; then
        shift
        private_apt -y --no-install-recommends --download-only -o Dir::Cache::archives="$directory/" install "$@"
    else
        (cd "$directory" && private_apt download "$@")
    fi
}
