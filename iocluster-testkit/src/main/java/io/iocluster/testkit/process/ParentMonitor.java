package io.iocluster.testkit.process;

import java.util.Arrays;
import java.util.Optional;

/**
 * Runs another class's {@code main} and halts the JVM as soon as the process that started it is gone, however that ended.
 * First argument: the parent's process id; second: the main class; the rest is handed on.
 */
public final class ParentMonitor {

    private ParentMonitor() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        haltAfter(Long.parseLong(args[0]));
        Class.forName(args[1]).getMethod("main", String[].class).invoke(null, (Object)
                Arrays.copyOfRange(args, 2, args.length));
    }

    private static void haltAfter(long parent) {
        Optional<ProcessHandle> handle = ProcessHandle.of(parent);
        if (handle.isEmpty()) {
            Runtime.getRuntime().halt(1);
            return;
        }
        handle.get().onExit().thenRun(() -> Runtime.getRuntime().halt(1));
    }
}
