# Builds the distribution of a clone. Scripts of a clone source it, after env.sh. It uses $root, the folder of the clone.

# Prints one source that is newer than the last build, if there is any. Removing a file makes its folder newer.
newer_source() {
  find "$root/pom.xml" "$root/bin" "$root"/iocluster-*/pom.xml "$root"/iocluster-*/src/main "$root/iocluster-dist/src" "$root/docs/schema" \
    -newer "$1" -print -quit
}

up_to_date() {
  [ -f "$stamp" ] && [ -d "$home/lib" ] && [ -z "$(newer_source "$stamp")" ]
}

build() {
  need_jdk
  need_maven
  say "building…"
  mkdir -p "$root/target"
  local log=$root/target/build.log started
  started=$(mktemp "$root/target/started.XXXXXX")
  # A jar of another version would stay on the class path.
  rm -rf "$home"
  if ! (cd "$root" && mvn -B -ntp -q -Dstyle.color=never -pl iocluster-dist -am -Dmaven.test.skip=true package) \
    >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$started"
    fail "build failed; the output is above and in $log"
  fi
  # Files edited during the build are newer than the stamp, which was created before it.
  mv "$started" "$stamp"
}

# Sets $home to the distribution, after building it if the build is missing or older than its sources.
need_distribution() {
  home=$(distribution_of "$root")
  stamp=$root/target/built
  if ! up_to_date; then
    mkdir -p "$root/target"
    if command -v flock >/dev/null 2>&1; then
      exec 9>"$root/target/build.lock"
      flock 9
    fi
    up_to_date || build
    exec 9>&- || true
  fi
}
