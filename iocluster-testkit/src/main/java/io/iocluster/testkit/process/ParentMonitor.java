package io.iocluster.testkit.process;

import java.util.Arrays;
import java.util.Optional;

/**
 * Runs another class's {@code main} and halts the JVM when the parent process exits or is killed. Arguments: the
 * parent's process id, the main class, and the arguments of that class.
 */
public final class ParentMonitor {

    private ParentMonitor() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        haltAfter(Long.parseLong(args[0]));
        Class.forName(args[1]).getMethod("main", String[].class).invoke(null, (Object)
                Arrays.copyOfRange(args, 2, args.length));
    }

    private static void haltAfter(long parentPid) {
        Optional<ProcessHandle> handle = ProcessHandle.of(parentPid);
        if (handle.isEmpty()) {
            Runtime.getRuntime().halt(1);
            return;
        }
        handle.get().onExit().thenRun(() -> Runtime.getRuntime().halt(1));
    }
}
