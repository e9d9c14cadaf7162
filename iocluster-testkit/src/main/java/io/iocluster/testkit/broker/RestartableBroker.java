package io.iocluster.testkit.broker;

/** A broker that a test can stop, freeze and start again. Address and data stay the same. */
public interface RestartableBroker {

    /** Starts the broker after {@link #stop} or {@link #kill}, and returns when it answers. */
    void start();

    /** Stops the broker gracefully and keeps its data. */
    void stop();

    /** Kills the broker with SIGKILL and keeps its data. */
    void kill();

    /** Suspends the broker with SIGSTOP: connections stay open and nothing answers. */
    void pause();

    /** Ends a {@link #pause}. */
    void unpause();
}
