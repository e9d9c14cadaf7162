package io.iocluster.node.cli.explain;

import io.iocluster.transport.Settlement;
import io.iocluster.transport.SyntheticDelivery;

/** A message that is on no queue: it has no headers, no time and no sender. Immutable. */
record ExplainedMessage(byte[] payload) implements SyntheticDelivery {

    @Override
    public String coordinates() {
        return "explain";
    }

    @Override
    public Settlement settlement() {
        throw new UnsupportedOperationException("nothing is consumed");
    }
}
