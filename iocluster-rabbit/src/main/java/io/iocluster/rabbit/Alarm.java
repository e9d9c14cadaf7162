package io.iocluster.rabbit;

/**
 * Whether the broker takes no messages now ({@code connection.blocked}): the sink raises it, the source then hands over nothing
 * more. For any thread.
 */
final class Alarm {

    private volatile boolean raised;
    private volatile Runnable changed = () -> {};

    /** Who wants to know; one only, and before the first change. */
    void onChange(Runnable listener) {
        changed = listener;
    }

    boolean isRaised() {
        return raised;
    }

    void set(boolean raise) {
        if (raised != raise) {
            raised = raise;
            changed.run();
        }
    }
}
