package io.iocluster.rabbit.connection;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.connection.ChannelProbe.BrokerRefusal;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks and declares the exchange on which the nodes announce themselves. Stateless; blocks. */
public final class ClusterExchange {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterExchange.class);

    private ClusterExchange() {}

    /**
     * Checks the exchange.
     *
     * @param declare whether to declare it if it is missing
     * @return null if it exists, else what is wrong and what to do
     * @throws IOException if the broker does not answer
     */
    public static String problem(Connection connection, String exchange, boolean declare) throws IOException {
        BrokerRefusal refusal = refusal(connection, exchange);
        if (refusal == null || refusal.code() != ChannelProbe.NOT_FOUND) {
            return refusal == null ? null : explain(refusal, exchange);
        }
        if (!declare) {
            return "exchange \"" + exchange + "\" does not exist; declare it as a durable fanout exchange, or set"
                    + " rabbit.declare.enabled: true or cluster.enabled: false";
        }
        BrokerRefusal refused = ChannelProbe.probe(
                connection, channel -> channel.exchangeDeclare(exchange, BuiltinExchangeType.FANOUT, true));
        if (refused == null) {
            LOG.info("Exchange declared exchange={}", exchange);
        }
        return refused == null ? null : explain(refused, exchange);
    }

    /** Returns the broker's reason and what to do, for operators. */
    public static String explain(BrokerRefusal refusal, String exchange) {
        String remedy = refusal.code() == ChannelProbe.ACCESS_REFUSED
                ? "grant this node configure, write and read on names that start with \"" + exchange + "\""
                : "declare \"" + exchange + "\" as a durable fanout exchange";
        return refusal.text() + "; " + remedy + ", or set cluster.enabled: false";
    }

    /** Returns null if the exchange exists. */
    static BrokerRefusal refusal(Connection connection, String exchange) throws IOException {
        return ChannelProbe.probe(connection, channel -> channel.exchangeDeclarePassive(exchange));
    }
}
