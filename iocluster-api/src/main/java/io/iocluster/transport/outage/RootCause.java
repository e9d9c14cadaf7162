package io.iocluster.transport.outage;

/** Finds the root cause of a failure, which usually has the more specific message. Stateless. */
public final class RootCause {

    /** Limits the search, because causes may form a cycle. */
    private static final int MAX_DEPTH = 16;

    private RootCause() {}

    /** Returns the root cause's message, or its class name if it has none. */
    public static String message(Throwable failure) {
        Throwable root = of(failure);
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** Returns the root cause, which is the failure itself if it has no cause. */
    public static Throwable of(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; root.getCause() != null && depth < MAX_DEPTH; depth++) {
            root = root.getCause();
        }
        return root;
    }
}
