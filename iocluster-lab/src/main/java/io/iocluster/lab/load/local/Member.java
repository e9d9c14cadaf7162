package io.iocluster.lab.load.local;

import java.io.IOException;

/** A process of a local cluster. Confined to one thread. */
interface Member {

    /** Returns the name, such as {@code node-1}, which is also that of the file with the process id. */
    String name();

    boolean isAlive();

    long pid();

    /**
     * Starts the process again after it has ended.
     *
     * @throws IOException if it does not start
     */
    void restart() throws IOException;
}
