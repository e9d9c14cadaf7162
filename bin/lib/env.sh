# Finds the tools that the scripts need. Sourced, never run. Where a tool is missing it is installed if that is possible
# without asking: as root, with apt-get. Everything it says goes to standard error.

say() { printf 'iocluster: %s\n' "$*" >&2; }

fail() { say "$*"; exit 1; }

# The major version of a java program, or nothing.
java_major() {
  "$1" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
}

# Whether a Java home is of version 17 or newer and has the program $2.
java_home_serves() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/$2" ] || return 1
  local major
  major=$(java_major "$1/bin/java")
  [ -n "$major" ] && [ "$major" -ge 17 ]
}

# Prints the first Java home that serves: JAVA_HOME, then the PATH's, then the usual places.
find_java_home() {
  local candidate on_path
  on_path=$(command -v "$1" 2>/dev/null || true)
  if [ -n "$on_path" ]; then
    on_path=$(readlink -f "$on_path" 2>/dev/null || printf '%s' "$on_path")
    on_path=$(dirname "$(dirname "$on_path")")
  fi
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
    "$HOME"/.sdkman/candidates/java/current /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$candidate" ] && java_home_serves "$candidate" "$1"; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

# Installs Debian packages; what apt-get says is shown only if it fails.
install_packages() {
  local log
  log=$(mktemp)
  say "installing $*…"
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } \
    >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# Sets JAVA_HOME to a JDK.
need_jdk() {
  local found
  if ! found=$(find_java_home javac); then
    can_install && install_packages openjdk-17-jdk-headless || true
    found=$(find_java_home javac) ||
      fail "a JDK 17 or newer is needed: install one (Debian: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME"
  fi
  export JAVA_HOME=$found
}

# Sets JAVA_HOME to something that runs Java.
need_java() {
  local found
  if ! found=$(find_java_home java); then
    can_install && install_packages openjdk-17-jre-headless || true
    found=$(find_java_home java) ||
      fail "Java 17 or newer is needed: install it (Debian: apt-get install openjdk-17-jre-headless) or set JAVA_HOME"
  fi
  export JAVA_HOME=$found
}

need_maven() {
  command -v mvn >/dev/null 2>&1 && return 0
  can_install && install_packages maven || true
  command -v mvn >/dev/null 2>&1 || fail "Maven is needed: install it (Debian: apt-get install maven)"
}
