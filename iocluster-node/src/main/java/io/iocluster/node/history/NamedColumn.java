package io.iocluster.node.history;

/** A column of a {@link SampleRing}. */
interface NamedColumn {

    /** Returns the name of the column in JSON. */
    String field();

    /** Returns the index of the column. */
    int ordinal();
}
