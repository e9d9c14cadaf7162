package io.iocluster.lab.load.metric;

import java.io.IOException;
import java.util.Map;

/** A source of figures that is read at intervals. Confined to one thread at a time. */
public interface Probe {

    /** Returns the name of the source, such as the address of a node. */
    String name();

    /** Returns the current figures by name. A figure that is not known now is missing. */
    Map<String, Double> read() throws IOException, InterruptedException;
}
