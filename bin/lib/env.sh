# Finds the tools that the scripts need. Other scripts source it. Installs a missing tool if this is possible without a question:
# as root, with apt-get. All messages go to standard error.

say() { printf 'iocluster: %s\n' "$*" >&2; }

fail() { say "$*"; exit 1; }

# The JAVA_HOME of the caller. The functions below change the variable, for a build and for a run.
callers_java_home=${JAVA_HOME:-}

# Prints the major version of the Java home $1, or nothing. Reads its file `release`, because a JVM takes longer to start.
java_major() {
  local key value version=
  if [ -r "$1/release" ]; then
    while IFS='=' read -r key value; do
      [ "$key" != JAVA_VERSION ] || version=${value//\"/}
    done <"$1/release"
  fi
  [ -n "$version" ] || version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)
  version=${version#1.}
  printf '%s' "${version%%[!0-9]*}"
}

# Succeeds if the Java home $1 has version 17 or newer and the program $2.
is_usable_java_home() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/$2" ] || return 1
  local major
  major=$(java_major "$1")
  [ -n "$major" ] && [ "$major" -ge 17 ]
}

# Prints the usable Java homes with the program $1, one a line: that of the PATH, then those in the usual folders.
java_homes() {
  local candidate on_path
  on_path=$(command -v "$1" 2>/dev/null || true)
  if [ -n "$on_path" ]; then
    on_path=$(readlink -f "$on_path" 2>/dev/null || printf '%s' "$on_path")
    on_path=$(dirname "$(dirname "$on_path")")
  fi
  for candidate in "$on_path" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
    "${HOME:-}"/.sdkman/candidates/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$candidate" ] && is_usable_java_home "$candidate" "$1"; then
      printf '%s\n' "$candidate"
    fi
  done
}

# Prints the JAVA_HOME of the caller if it is usable. Writes a message if it is set and not usable.
callers_usable_java_home() {
  [ -n "$callers_java_home" ] || return 1
  if is_usable_java_home "$callers_java_home" "$1"; then
    printf '%s\n' "$callers_java_home"
  else
    say "JAVA_HOME=$callers_java_home has no $1 of version 17 or newer; searching for another one"
    return 1
  fi
}

# Prints the Java home to build with: that of the caller, of the PATH, or of the usual folders. Does not prefer the newest, because
# every version produces the same classes, and the tests should run on the version that the developer chose.
find_jdk() {
  local home
  callers_usable_java_home javac && return 0
  read -r home < <(java_homes javac) && printf '%s\n' "$home"
}

# Prints the Java home to run with: that of the caller, or the newest one that starts.
find_newest_java() {
  local home
  callers_usable_java_home java && return 0
  while read -r _ home; do
    if "$home/bin/java" -version >/dev/null 2>&1; then
      printf '%s\n' "$home"
      return 0
    fi
  done < <(java_homes java | while IFS= read -r home; do printf '%s %s\n' "$(java_major "$home")" "$home"; done | sort -s -k1,1nr)
  return 1
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

# Installs Debian packages. Shows the output of apt-get only if it fails.
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

# Prints the version of the clone $1.
version_of() { sed -n 's:.*<version>\(.*\)</version>.*:\1:p' "$1/pom.xml" | head -n 1; }

# Prints the folder of the distribution that a build of the clone $1 creates.
distribution_of() {
  local version
  version=$(version_of "$1")
  printf '%s/iocluster-dist/target/iocluster-%s/iocluster-%s' "$1" "$version" "$version"
}

# Sets JAVA_HOME to a JDK to build with.
need_jdk() {
  local found
  if ! found=$(find_jdk); then
    can_install && install_packages openjdk-17-jdk-headless || true
    found=$(find_jdk) ||
      fail "a JDK 17 or newer is needed: install one (Debian: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME"
  fi
  export JAVA_HOME=$found
}

# Sets JAVA_HOME to the JRE or JDK to run with.
need_java() {
  local found
  if ! found=$(find_newest_java); then
    can_install && install_packages openjdk-17-jre-headless || true
    found=$(find_newest_java) ||
      fail "Java 17 or newer is needed: install it (Debian: apt-get install openjdk-17-jre-headless) or set JAVA_HOME"
  fi
  export JAVA_HOME=$found
}

need_maven() {
  command -v mvn >/dev/null 2>&1 && return 0
  can_install && install_packages maven || true
  command -v mvn >/dev/null 2>&1 || fail "Maven is needed: install it (Debian: apt-get install maven)"
}

# Prints the class path of the module $1 of the clone in $root, after building it if a source is newer. The scope $2 is runtime or
# test.
class_path_of() {
  local target=$root/$1/target tests=none without=maven.test.skip own
  local file=$target/$2-classpath.txt
  own=$target/classes
  if [ "$2" = test ]; then
    tests="*/$1/src/test/*"
    without=skipTests
    own=$target/test-classes:$own
  fi
  if [ ! -s "$file" ] || [ -n "$(find "$root" \( -path '*/src/main/*' -o -path "$tests" -o -name pom.xml \) -not -path '*/target/*' \
    -newer "$file" -type f -print -quit)" ]; then
    need_maven
    say "building…"
    (cd "$root" && mvn -B -ntp -q -Dstyle.color=never -pl "$1" -am "-D$without" -Dspotless.check.skip \
      package dependency:build-classpath "-Dmdep.includeScope=$2" "-Dmdep.outputFile=target/$2-classpath.txt") >&2 </dev/null || return 1
  fi
  printf '%s:%s' "$own" "$(<"$file")"
}

# Succeeds if RabbitMQ is in the folder of the Debian package or on the PATH, where the testkit looks for it.
has_rabbitmq() { [ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] || command -v rabbitmq-server >/dev/null 2>&1; }

# Installs a Debian package $1 whose servers the tests start themselves. Does not start the system service $2, neither now nor at
# the next boot.
install_without_service() (
  policy=/usr/sbin/policy-rc.d
  earlier=$policy.before-iocluster
  if [ -e "$policy" ] && [ ! -e "$earlier" ]; then
    mv "$policy" "$earlier"
  fi
  trap 'rm -f "$policy"; [ ! -e "$earlier" ] || mv "$earlier" "$policy"' EXIT
  trap 'exit 130' INT TERM HUP
  {
    printf '#!/bin/sh\n'
    printf 'case "$1" in %s*|epmd*) exit 101 ;; esac\n' "$2"
    [ ! -e "$earlier" ] || printf 'exec %s "$@"\n' "$earlier"
  } >"$policy"
  chmod 755 "$policy"
  install_packages "$1" || exit 1
  update-rc.d "$2" disable >/dev/null 2>&1 || true
)

need_rabbitmq() {
  has_rabbitmq && return 0
  can_install && install_without_service rabbitmq-server rabbitmq-server || true
  has_rabbitmq || fail "RabbitMQ is needed: install it (Debian: apt-get install rabbitmq-server)"
}

# Succeeds if nginx is in the folder of the Debian package or on the PATH, where the testkit looks for it.
has_nginx() { [ -x /usr/sbin/nginx ] || command -v nginx >/dev/null 2>&1; }

need_nginx() {
  has_nginx && return 0
  can_install && install_without_service nginx-light nginx || true
  has_nginx || fail "nginx is needed: install it (Debian: apt-get install nginx-light)"
}

# Succeeds if Redis is where the testkit looks for it.
has_redis() { command -v redis-server >/dev/null 2>&1; }

need_redis() {
  has_redis && return 0
  can_install && install_without_service redis-server redis-server || true
  has_redis || fail "Redis is needed: install it (Debian: apt-get install redis-server)"
}

# Succeeds if libfaketime is in the folder of the Debian package, where the testkit looks for it.
has_faketime() { compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null; }

need_faketime() {
  has_faketime && return 0
  can_install && install_packages libfaketime || true
  has_faketime || fail "libfaketime is needed: install it (Debian: apt-get install libfaketime)"
}

# Succeeds if Prometheus and promtool are on the PATH, where the testkit looks for them.
has_prometheus() { command -v prometheus >/dev/null 2>&1 && command -v promtool >/dev/null 2>&1; }

need_prometheus() {
  has_prometheus && return 0
  can_install && install_without_service prometheus prometheus || true
  has_prometheus || fail "Prometheus is needed: install it (Debian: apt-get install prometheus)"
}

# Succeeds if Alertmanager is on the PATH under the name of the Debian package.
has_alertmanager() { command -v prometheus-alertmanager >/dev/null 2>&1; }

need_alertmanager() {
  has_alertmanager && return 0
  can_install && install_without_service prometheus-alertmanager prometheus-alertmanager || true
  has_alertmanager || fail "Alertmanager is needed: install it (Debian: apt-get install prometheus-alertmanager)"
}

# Succeeds if the tests of the console find a browser and its driver.
has_chromium() {
  { [ -x /usr/bin/chromedriver ] || command -v chromedriver; } &&
    { [ -x /usr/bin/chromium ] || command -v chromium || command -v chromium-browser || command -v google-chrome; }
} >/dev/null 2>&1

need_chromium() {
  has_chromium && return 0
  can_install && install_packages chromium chromium-driver || true
  has_chromium || fail "Chromium and its driver are needed: install them (Debian: apt-get install chromium chromium-driver)"
}

has_python() { python3 -c 'import ensurepip, venv' >/dev/null 2>&1; }

need_python() {
  has_python && return 0
  can_install && install_packages python3-venv || true
  has_python || fail "Python 3 with venv is needed: install it (Debian: apt-get install python3-venv)"
}

# Succeeds if Go is installed and new enough for the module of the examples.
has_go() { (cd "$(dirname "${BASH_SOURCE[0]}")/../../examples/go" && go list -m) >/dev/null 2>&1; }

# Succeeds if npm is installed and Node.js is new enough for the package of the examples.
has_node() {
  command -v npm && node -e 'const [major, minor] = process.versions.node.split(".")
    process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)'
} >/dev/null 2>&1

# Prints what cannot run here, one a line. These programs are not installed automatically.
skipped_examples() {
  command -v dpkg-deb >/dev/null 2>&1 || echo "the packages: dpkg-deb is not installed"
  command -v zsh >/dev/null 2>&1 || echo "the completion for zsh: zsh is not installed"
  has_go || echo "the examples in Go: go is not installed or older than examples/go/go.mod requires"
  has_node || echo "the examples in Node.js: node and npm are not installed or older than examples/node/package.json requires"
}
