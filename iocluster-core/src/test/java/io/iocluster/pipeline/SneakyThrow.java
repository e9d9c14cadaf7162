package io.iocluster.pipeline;

/** Throws undeclared checked exceptions. */
final class SneakyThrow {

    private SneakyThrow() {}

    /** Throws this exception or error, even if it is checked; null throws nothing. */
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
