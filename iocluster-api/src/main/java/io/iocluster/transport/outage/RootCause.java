package io.iocluster.transport.outage;

/** The last cause of a failure, which says why where the failure itself says only what it was about. */
public final class RootCause {

    /** Causes may form a ring. */
    private static final int DEEPEST = 16;

    private RootCause() {}

    /** The last cause's message, for people; its type where it has none. */
    public static String message(Throwable failure) {
        Throwable root = of(failure);
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** The last cause, which is the failure itself where it has none. */
    public static Throwable of(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; root.getCause() != null && depth < DEEPEST; depth++) {
            root = root.getCause();
        }
        return root;
    }
}
