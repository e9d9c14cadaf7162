package io.iocluster.rabbit.connection;

/**
 * Whether the broker accepts no messages now ({@code connection.blocked}). Thread-safe. The sink raises it; the source then stops
 * offering deliveries.
 */
public final class ResourceAlarm {

    private volatile boolean raised;
    private volatile Runnable changed = () -> {};

    /** Sets the only listener. Call it before the first change. */
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
