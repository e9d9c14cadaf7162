package io.iocluster.node.cli.explain;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Settlement;

/** A message that is on no queue: it has no headers, no time and no sender. Immutable. */
record ExplainedMessage(byte[] payload) implements Delivery {

    @Override
    public String header(String name) {
        return null;
    }

    @Override
    public String correlationId() {
        return null;
    }

    @Override
    public String replyTo() {
        return null;
    }

    @Override
    public String coordinates() {
        return "explain";
    }

    @Override
    public long timestampMillis() {
        return -1;
    }

    @Override
    public Settlement settlement() {
        throw new UnsupportedOperationException("nothing is consumed");
    }
}
