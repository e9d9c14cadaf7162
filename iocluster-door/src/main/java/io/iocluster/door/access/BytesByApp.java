package io.iocluster.door.access;

import java.util.HashMap;
import java.util.Map;

/** Counts bytes for each app and for all apps together. Not thread-safe: a budget uses it under its lock. */
final class BytesByApp {

    /** The bytes of each app that has some. */
    private final Map<String, Long> byApp = new HashMap<>();

    private long total;

    /** Adds bytes of an app. A negative number removes bytes. */
    void add(String app, long bytes) {
        total += bytes;
        long ofApp = of(app) + bytes;
        if (ofApp > 0) {
            byApp.put(app, ofApp);
        } else {
            byApp.remove(app);
        }
    }

    /** Returns the bytes of an app. */
    long of(String app) {
        return byApp.getOrDefault(app, 0L);
    }

    /** Returns the bytes of all apps. */
    long total() {
        return total;
    }

    /** Returns the bytes of the app that has most. Looks at each app. */
    long largest() {
        return byApp.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
