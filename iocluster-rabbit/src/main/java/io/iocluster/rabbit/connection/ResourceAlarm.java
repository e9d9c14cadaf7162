package io.iocluster.rabbit.connection;

/**
 * Whether the broker takes no messages now ({@code connection.blocked}): the sink raises it, the source then hands over nothing
 * more. For any thread.
 */
public final class ResourceAlarm {

    private volatile boolean raised;
    private volatile Runnable changed = () -> {};

    /** Who wants to know; one only, and before the first change. */
    public void onChange(Runnable listener) {
        changed = listener;
    }

    public boolean isRaised() {
        return raised;
    }

    public void set(boolean raise) {
        if (raised != raise) {
            raised = raise;
            changed.run();
        }
    }
}
