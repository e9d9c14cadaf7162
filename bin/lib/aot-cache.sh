# Names the AOT cache of an installation. bin/iocluster and bin/aot-cache source it, after env.sh. It uses $home, the folder of the
# installation, and JAVA_HOME.
#
# The cache makes a start faster. It holds the loaded and linked classes of a node, and on Java 25 the profiles of its methods.
# Java 17 to 24 have a class data archive instead, without profiles. The JVM ignores a file that does not fit it.

# Prints those of the JVM options $@ that a cache depends on: the collector and the layout of objects.
aot_cache_flags() {
  local option
  for option in "$@"; do
    case "$option" in -XX:[+-]Use*GC | -XX:[+-]UseCompactObjectHeaders | -XX:[+-]UseCompressedOops) printf '%s\n' "$option" ;; esac
  done
}

# Prints the name of the cache for the JVM options $@. It starts with what aot_cache_prefix prints. The name
# changes with the JVM, the jars and conf/jvm*.options.
aot_cache_name() {
  local extension=aot key
  [ "$(java_major "$JAVA_HOME")" -ge 25 ] || extension=jsa
  key=$({
    cat "$JAVA_HOME/release" || true
    stat -L -c '%n %s %Y' "$JAVA_HOME/lib/modules" "$home"/conf/jvm*.options "$home"/lib/*.jar || true
    # All builds give their jars the same time, and a changed jar may keep its size. The JVM would run the classes of the earlier build.
    cksum "$home"/lib/iocluster-*.jar || true
  } 2>/dev/null | cksum)
  printf '%s%s.%s' "$(aot_cache_prefix "$@")" "${key/ /-}" "$extension"
}

# Prints the start of the names of all caches for this version of Java and the JVM options $@.
aot_cache_prefix() {
  local flags
  flags=$(aot_cache_flags "$@" | cksum)
  printf 'java-%s-%s-' "$(java_major "$JAVA_HOME")" "${flags% *}"
}

# Prints the folders for caches, one a line: that of the installation, and that of the user, for a read-only installation.
aot_cache_folders() {
  local user=${XDG_CACHE_HOME:-${HOME:-}/.cache} installation
  printf '%s\n' "$home/cache"
  installation=$(printf '%s' "$home" | cksum)
  case "$user" in
    # The user has no home folder.
    /.cache | //.cache) ;;
    /*) printf '%s\n' "$user/iocluster/${installation/ /-}" ;;
  esac
}

# Succeeds if only root, this user and the owner of the installation can change the files and folders $@. A cache contains code, so
# another user who can change it controls the node.
are_trusted() {
  local owner mode owners
  {
    read -r owner _
    owners=" 0 $EUID $owner "
    while read -r owner mode; do
      case "$owners" in *" $owner "*) ;; *) return 1 ;; esac
      # Writable for all.
      case "$mode" in *[2367]) return 1 ;; esac
    done
  } < <(stat -L -c '%u %a' "$home" "$@" 2>/dev/null || printf 'unknown\nunknown\n')
}

# Succeeds if other users cannot put a file into the folder $1, nor replace the folder.
is_trusted_folder() { are_trusted "$1" "${1%/*}"; }

# Prints the path of the cache with the name $1, if it exists and other users cannot change it.
find_aot_cache() {
  local folder
  while IFS= read -r folder; do
    if [ -f "$folder/$1" ] && is_trusted_folder "$folder" && are_trusted "$folder/$1"; then
      printf '%s\n' "$folder/$1"
      return 0
    fi
  done < <(aot_cache_folders)
  return 1
}

# Succeeds if the cache with the name $1 cannot be used with the JVM options $@ after it, because they choose an archive themselves. The
# JVM would not start.
conflicts_with_aot_cache() {
  local name=$1 option
  shift
  for option in "$@"; do
    case "$name $option" in
      *" -Xshare:dump" | *" -XX:ArchiveClassesAtExit="* | *" -XX:SharedClassListFile="* | *" -XX:DumpLoadedClassList="*) return 0 ;;
      *.aot" -Xshare:"* | *.aot" -XX:SharedArchiveFile="*) return 0 ;;
      *" -XX:AOTCacheOutput="* | *" -XX:AOTConfiguration="* | *" -XX:AOTMode=record" | *" -XX:AOTMode=create") return 0 ;;
    esac
  done
  return 1
}

# Prints the JVM options that use the cache $1, one a line. A cache that does not fit causes no message, because the node runs without it.
aot_cache_options() {
  case "$1" in
    *.aot) printf '%s\n' "-XX:AOTCache=$1" -Xlog:aot=off -Xlog:cds=off ;;
    *) printf '%s\n' "-XX:SharedArchiveFile=$1" -Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off ;;
  esac
}
