package io.iocluster.lab.load.fault;

import io.iocluster.lab.load.experiment.Fault;
import java.io.IOException;

/** Starts faults. Called by one thread at a time; methods may block for some seconds. */
public interface FaultInjector {

    /** Starts no faults: the driver of a run starts those of all agents. */
    FaultInjector NONE = fault -> {
        throw new IOException("an agent starts no faults");
    };

    /**
     * Starts a fault.
     *
     * @return the started fault; the caller undoes it exactly once, even if the run is interrupted
     * @throws IOException if the fault could not be started; the message is for the user, and says what could not be undone
     */
    ActiveFault start(Fault fault) throws IOException, InterruptedException;

    /** Returns what the fault does, in a line for people: {@code limit-destination partner max-in-flight 5}. */
    default String describe(Fault fault) {
        return fault.name();
    }

    /** A fault that was started. */
    interface ActiveFault {

        /**
         * Undoes the fault. Also called by a shutdown hook.
         *
         * @throws IOException if the fault is still active; the message is for the user, and says what is active and why
         */
        void undo() throws IOException, InterruptedException;
    }
}
