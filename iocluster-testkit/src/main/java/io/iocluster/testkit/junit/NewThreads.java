package io.iocluster.testkit.junit;

import java.util.List;
import java.util.Set;

/** The threads that a test starts. Threads of earlier tests in the same JVM do not count. Thread-safe. */
public final class NewThreads {

    private final Set<Thread> earlier = Thread.getAllStackTraces().keySet();

    /** Returns the names with this prefix of the threads that started after this object was created and still run. */
    public List<String> named(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !earlier.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }
}
