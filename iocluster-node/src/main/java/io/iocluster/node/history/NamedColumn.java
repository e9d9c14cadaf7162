package io.iocluster.node.history;

/** A column of a {@link SampleRing}. */
interface NamedColumn {

    /** Returns the name in JSON. */
    String field();

    /** Returns the index of the column. */
    int ordinal();
}
