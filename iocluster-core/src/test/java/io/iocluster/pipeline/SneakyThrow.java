package io.iocluster.pipeline;

/** Throws on demand an exception that no code may throw. */
final class SneakyThrow {

    private SneakyThrow() {}

    /** Throws this, checked or not; null throws nothing. */
    static void raise(Throwable defect) {
        if (defect != null) {
            SneakyThrow.<RuntimeException>sneak(defect);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable defect) throws T {
        throw (T) defect;
    }
}
